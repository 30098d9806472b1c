# What doxygen or Sphinx cannot read: 10'000, two kinds of initial values, and a constant made by a constructor.
s/([0-9])'([0-9]{3})'([0-9]{3})/\1\2\3/g
s/([0-9])'([0-9]{3})/\1\2/g
s/ = \{\.[^}]*\};/;/
s/ = requires.*;/;/
s/^(inline constexpr Field kGravity)\(.*/\1;/
/^ +"m\/s²"\);$/d
