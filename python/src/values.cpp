// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "values.hpp"

#include "io/text.hpp"

#include <percute/model/invalid_input.hpp>

#include <nanobind/eval.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace percute::python {

namespace {

template <class... Shape>
using Array = nb::ndarray<nb::numpy, double, Shape...>;

/// What is only read: it may be an array that cannot be written to.
using Given = nb::ndarray<nb::numpy, const double, nb::c_contig>;

/// Memory that Python frees with the last array on it.
template <class T>
struct Owned {
  T* first;
  nb::capsule owner;

  explicit Owned(std::vector<T>&& values) {
    auto* held = new std::vector<T>(std::move(values));
    if (held->empty()) held->reserve(1);  // an array has an address
    first = held->data();
    owner = nb::capsule(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  }
};

std::string type_of(nb::handle value) {
  return nb::cast<std::string>(value.type().attr("__name__"));
}

}  // namespace

nb::object rows_of_numbers(nb::handle value, int dimensions, const char* wanted) {
  static nb::object& numpy = *new nb::object(nb::module_::import_("numpy"));
  nb::object made;
  try {
    nb::object source = nb::borrow(value);
    // Arrays of other libraries: what is not NumPy's tells its memory by DLPack.
    if (!nb::hasattr(value, "__array__") && nb::hasattr(value, "__dlpack__")) {
      source = numpy.attr("from_dlpack")(value);
    }
    made = numpy.attr("ascontiguousarray")(source, nb::arg("dtype") = numpy.attr("float64"));
  } catch (const nb::python_error&) {
    wrong_type(value, wanted);
  }
  if (nb::cast<int>(made.attr("ndim")) > dimensions) wrong_type(value, wanted);
  return made;
}

void wrong_type(nb::handle value, const std::string& wanted) {
  throw nb::type_error((wanted + " is wanted, not " + nb::cast<std::string>(nb::repr(value)) +
                        " (" + type_of(value) + ")")
                           .c_str());
}

// ------------------------------------------------------------------------------------------------
// values to Python

nb::object to_python(bool value) {
  return nb::bool_(value);
}
nb::object to_python(std::int64_t value) {
  return nb::int_(value);
}
nb::object to_python(double value) {
  return nb::float_(value);
}
nb::object to_python(const std::string& value) {
  return nb::str(value.c_str(), value.size());
}
nb::object to_python(std::string_view value) {
  return nb::str(value.data(), value.size());
}
nb::object to_python(const Vector& value) {
  return numbers_to_python(value.data(), static_cast<std::size_t>(value.size()));
}
nb::object to_python(const std::vector<double>& value) {
  return numbers_to_python(value.data(), value.size());
}

nb::object to_python(const Matrix& value) {
  const auto rows = value.reshaped<Eigen::RowMajor>();
  return array(std::vector<double>(rows.begin(), rows.end()),
               static_cast<std::size_t>(value.rows()), static_cast<std::size_t>(value.cols()));
}

nb::object to_python(const std::vector<int>& value) {
  nb::list list;
  for (const int one : value) list.append(one);
  return list;
}
nb::object to_python(const std::vector<std::string>& value) {
  nb::list list;
  for (const std::string& one : value) list.append(to_python(one));
  return list;
}
nb::object to_python(const std::vector<Vector>& value) {
  nb::list list;
  for (const Vector& one : value) list.append(to_python(one));
  return list;
}

nb::object numbers_to_python(const double* first, std::size_t count) {
  return array(std::vector<double>(first, first + count));
}

nb::object array(std::vector<double>&& values) {
  const std::size_t count = values.size();
  const Owned<double> made(std::move(values));
  return Array<nb::ndim<1>>(made.first, {count}, made.owner).cast();
}
nb::object array(std::vector<double>&& values, std::size_t rows, std::size_t columns) {
  const Owned<double> made(std::move(values));
  return Array<nb::ndim<2>>(made.first, {rows, columns}, made.owner).cast();
}
nb::object array(std::vector<std::int64_t>&& values) {
  const std::size_t count = values.size();
  const Owned<std::int64_t> made(std::move(values));
  return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(made.first, {count}, made.owner).cast();
}

nb::object view(const Vector& values, nb::handle owner) {
  static const double kNothing = 0.0;
  const double* first = values.size() > 0 ? values.data() : &kNothing;
  return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(
             first, {static_cast<std::size_t>(values.size())}, owner)
      .cast();
}

nb::object view_of_columns(const Matrix& values, nb::handle owner) {
  static const double kNothing = 0.0;
  const double* first = values.size() > 0 ? values.data() : &kNothing;
  return nb::ndarray<nb::numpy, const double, nb::ndim<2>>(
             first,
             {static_cast<std::size_t>(values.cols()), static_cast<std::size_t>(values.rows())},
             owner)
      .cast();
}

// ------------------------------------------------------------------------------------------------
// values from Python

void from_python(nb::handle value, bool& to) {
  if (!nb::isinstance<nb::bool_>(value)) wrong_type(value, "True or False");
  to = nb::cast<bool>(value);
}

void from_python(nb::handle value, std::int64_t& to) {
  if (nb::isinstance<nb::bool_>(value)) wrong_type(value, "an integer");
  if (PyIndex_Check(value.ptr()) == 0) {
    // 3.0 is the integer 3, as in files.
    if (!nb::isinstance<nb::float_>(value)) wrong_type(value, "an integer");
    const auto number = nb::cast<double>(value);
    if (number != std::floor(number) || std::abs(number) > 9e15) wrong_type(value, "an integer");
    to = static_cast<std::int64_t>(number);
    return;
  }
  const auto number = nb::steal(PyNumber_Index(value.ptr()));
  if (!nb::try_cast(number, to)) wrong_type(value, "a smaller integer");
}

void from_python(nb::handle value, double& to) {
  if (nb::isinstance<nb::bool_>(value) || nb::isinstance<nb::str>(value)) {
    wrong_type(value, "a number");
  }
  to = PyFloat_AsDouble(value.ptr());
  if (to == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    wrong_type(value, "a number");
  }
}

void from_python(nb::handle value, std::string& to) {
  if (!nb::isinstance<nb::str>(value)) wrong_type(value, "a string");
  to = nb::cast<nb::str>(value).c_str();
}

void from_python(nb::handle value, Vector& to) {
  const auto given = nb::cast<Given>(rows_of_numbers(value, 1, "an array of numbers"));
  to = Eigen::Map<const Vector>(given.data(), static_cast<Eigen::Index>(given.size()));
}

void from_python(nb::handle value, Matrix& to) {
  const auto given = nb::cast<Given>(rows_of_numbers(value, 2, "a matrix of numbers"));
  const auto rows = static_cast<Eigen::Index>(given.ndim() > 0 ? given.shape(0) : 1);
  const auto columns = static_cast<Eigen::Index>(given.ndim() > 1 ? given.shape(1) : 1);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  to = Eigen::Map<const Rows>(given.data(), rows, columns);
}

void from_python(nb::handle value, std::vector<double>& to) {
  Vector numbers;
  from_python(value, numbers);
  to.assign(numbers.begin(), numbers.end());
}

void from_python(nb::handle value, std::vector<int>& to) {
  std::vector<int> list;
  for (const nb::handle one : nb::iter(value)) {
    std::int64_t number = 0;
    from_python(one, number);
    list.push_back(static_cast<int>(number));
  }
  to = std::move(list);
}

void from_python(nb::handle value, std::vector<std::string>& to) {
  if (nb::isinstance<nb::str>(value)) wrong_type(value, "a list of strings");
  std::vector<std::string> list;
  for (const nb::handle one : nb::iter(value)) from_python(one, list.emplace_back());
  to = std::move(list);
}

void from_python(nb::handle value, std::vector<Vector>& to) {
  std::vector<Vector> list;
  for (const nb::handle one : nb::iter(value)) from_python(one, list.emplace_back());
  to = std::move(list);
}

void numbers_from_python(nb::handle value, double* first, std::size_t count) {
  const auto given = nb::cast<Given>(rows_of_numbers(value, 3, "an array of numbers"));
  if (given.size() != count) wrong_type(value, std::to_string(count) + " numbers");
  std::copy_n(given.data(), count, first);
}

std::size_t choice_from_python(nb::handle value, std::string_view field,
                               const std::vector<std::string_view>& words) {
  std::string word;
  from_python(value, word);
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) {
    throw InvalidInput(std::string(field), "unknown value \"" + word + "\"" +
                                               io::did_you_mean(word, words) +
                                               "; allowed: " + io::join(words));
  }
  return static_cast<std::size_t>(found - words.begin());
}

SparseMatrix sparse_from_python(nb::handle value) {
  if (!nb::hasattr(value, "tocoo")) {
    Matrix dense;
    from_python(value, dense);
    return dense.sparseView(1.0, 0.0);
  }
  const nb::object entries = value.attr("tocoo")();
  std::vector<int> rows;
  std::vector<int> columns;
  Vector values;
  from_python(entries.attr("row"), rows);
  from_python(entries.attr("col"), columns);
  from_python(entries.attr("data"), values);
  const auto shape = nb::cast<nb::tuple>(entries.attr("shape"));
  SparseMatrix made(nb::cast<int>(shape[0]), nb::cast<int>(shape[1]));
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    triplets.emplace_back(rows[k], columns[k], values[static_cast<Eigen::Index>(k)]);
  }
  made.setFromTriplets(triplets.begin(), triplets.end());
  return made;
}

nb::object sparse_to_python(const SparseMatrix& value) {
  nb::object scipy;
  try {
    scipy = nb::module_::import_("scipy.sparse");
  } catch (const nb::python_error&) {
    return to_python(Matrix(value));
  }
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> starts;
  std::vector<double> values;
  for (Eigen::Index j = 0; j < value.outerSize(); ++j) {
    starts.push_back(static_cast<std::int64_t>(rows.size()));
    for (SparseMatrix::InnerIterator entry(value, j); entry; ++entry) {
      rows.push_back(entry.row());
      values.push_back(entry.value());
    }
  }
  starts.push_back(static_cast<std::int64_t>(rows.size()));
  return scipy.attr("csc_array")(
      nb::make_tuple(array(std::move(values)), array(std::move(rows)), array(std::move(starts))),
      nb::arg("shape") = nb::make_tuple(value.rows(), value.cols()));
}

// ------------------------------------------------------------------------------------------------
// structs with fields

std::string literal(const std::vector<std::string_view>& words) {
  std::string list;
  for (const std::string_view word : words) {
    list += (list.empty() ? "'" : ", '") + std::string(word) + "'";
  }
  return "typing.Literal[" + list + "]";
}

Fields& keep(Fields fields) {
  for (Fields::Member& member : fields.members) {
    // "<ImpactHistory: 0 samples …>" is for people.
    if (!member.initial.starts_with("<")) continue;
    member.initial = member.type.read.substr(member.type.read.rfind('.') + 1) + "()";
  }
  static auto& kept = *new std::deque<Fields>;
  return kept.emplace_back(std::move(fields));
}
const char* keep(std::string text) {
  static auto& kept = *new std::deque<std::string>;
  return kept.emplace_back(std::move(text)).c_str();
}

std::string member_name(const Field& field) {
  std::string name(field.key);
  if (field.degrees && name.ends_with("_deg")) name.erase(name.size() - 4);
  return name;
}

std::string member_doc(const Field& field) {
  std::string text(field.doc);
  if (field.degrees) {
    text += " [rad]";
  } else if (!field.unit.empty()) {
    text += " [" + std::string(field.unit) + "]";
  }
  return text;
}

std::string written(nb::handle value) {
  if (nb::hasattr(value, "tolist")) return nb::cast<std::string>(nb::repr(value.attr("tolist")()));
  if (nb::isinstance<nb::list>(value)) {
    std::string list;
    for (const nb::handle one : nb::iter(value)) list += (list.empty() ? "" : ", ") + written(one);
    return "[" + list + "]";
  }
  return nb::cast<std::string>(nb::repr(value));
}

std::size_t Fields::place(std::string_view wanted) const {
  const auto found = std::ranges::find(members, wanted, &Member::name);
  if (found != members.end()) return static_cast<std::size_t>(found - members.begin());
  std::vector<std::string_view> all;
  for (const Member& member : members) all.emplace_back(member.name);
  throw nb::type_error((name + " has no '" + std::string(wanted) + "'" +
                        io::did_you_mean(std::string(wanted), all) + "; it has: " + io::join(all))
                           .c_str());
}

void Fields::assign(void* object, nb::handle keywords, bool defaults_too) const {
  // In the order of the fields: what one of them means may depend on those before it.
  const auto given = nb::borrow<nb::dict>(keywords);
  for (const auto& [key, value] : given) place(nb::cast<std::string>(key));
  for (std::size_t k = 0; k < members.size(); ++k) {
    const nb::str key(members[k].name.c_str());
    if (!given.contains(key)) continue;
    if (!defaults_too && written(given[key]) == members[k].initial) continue;
    try {
      set(*this, object, k, given[key]);
    } catch (const nb::builtin_exception& error) {
      throw nb::type_error((name + "." + members[k].name + ": " + error.what()).c_str());
    }
  }
}

nb::dict Fields::state(const void* object, nb::handle self) const {
  nb::dict state;
  for (std::size_t k = 0; k < members.size(); ++k) {
    state[members[k].name.c_str()] = get(object, k, self);
  }
  return state;
}

std::string Fields::repr(const void* object) const {
  std::string text;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const std::string value = written(get(object, k, {}));
    if (value == members[k].initial) continue;
    text += (text.empty() ? "" : ", ") + members[k].name + "=" + value;
  }
  return name + "(" + text + ")";
}

bool Fields::equal(const void* a, const void* b) const {
  for (std::size_t k = 0; k < members.size(); ++k) {
    nb::object first = get(a, k, {});
    nb::object second = get(b, k, {});
    if (nb::hasattr(first, "tolist")) {
      first = first.attr("tolist")();
      second = second.attr("tolist")();
    }
    // Lists of arrays have no truth value; what is written of doubles is all of them.
    const bool same =
        nb::isinstance<nb::list>(first) ? written(first) == written(second) : first.equal(second);
    if (!same) return false;
  }
  return true;
}

std::string Fields::init_signature() const {
  std::string text = "def __init__(self";
  for (std::size_t k = 0; k < members.size(); ++k) {
    const bool plain = members[k].initial.find('(') == std::string::npos &&
                       members[k].initial.find("inf") == std::string::npos &&
                       members[k].initial.find("nan") == std::string::npos;
    text += (k == 0 ? ", *, " : ", ") + members[k].name + ": " + members[k].type.given + " = " +
            (plain ? members[k].initial : "...");
  }
  return text + ") -> None";
}

std::string Fields::doc(const char* text) const {
  std::string all = text;
  if (members.empty()) return all;
  all += "\n\nParameters\n----------\n";
  for (const Member& member : members) {
    std::string type = member.type.read;
    for (const std::string_view prefix : {"numpy.typing.", "typing.", "percute._core."}) {
      for (std::size_t at = type.find(prefix); at != std::string::npos; at = type.find(prefix)) {
        type.erase(at, prefix.size());
      }
    }
    all += member.name + " : " + type + ", default " + member.initial + "\n";
    if (!member.doc.empty()) all += "    " + member.doc + "\n";
  }
  return all;
}

// ------------------------------------------------------------------------------------------------
// signatures and arguments

std::string type_named(const std::string& text) {
  static const auto& known = *new std::map<std::string, std::string, std::less<>>{
      {"Any", "typing.Any"},
      {"Array", "numpy.typing.NDArray[numpy.float64]"},
      {"ArrayLike", "numpy.typing.ArrayLike"},
      {"Callable", "collections.abc.Callable"},
      {"Mapping", "collections.abc.Mapping"},
      {"Sequence", "collections.abc.Sequence"},
      // Every law can be called, and what can be called so is one.
      {"Law",
       "str | collections.abc.Callable[[percute._core.ImpactProblem], "
       "percute._core.ImpactResult]"},
  };
  static const auto& of_core = *new std::set<std::string, std::less<>>{
      "Body",     "Contact",   "ElasticMaterial", "ImpactProblem", "ImpactResult",
      "Material", "Recording", "Scene",           "State"};
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const auto letter = [&](std::size_t k) {
      return k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) != 0 ||
                                 text[k] == '_' || text[k] == '.');
    };
    std::size_t end = at;
    while (letter(end)) ++end;
    if (end == at) {
      made += text[at++];
      continue;
    }
    const std::string word = text.substr(at, end - at);
    const auto found = known.find(word);
    made += found != known.end() ? found->second
                                 : (of_core.contains(word) ? "percute._core." : "") + word;
    at = end;
  }
  return made;
}

nb::sig sig(const std::string& text) {
  return nb::sig(keep(type_named(text)));
}

Arguments::Arguments(std::string_view text) {
  while (!text.empty()) {
    std::size_t comma = 0;  // the next that is not inside brackets
    for (int depth = 0; comma < text.size() && (depth > 0 || text[comma] != ','); ++comma) {
      depth += text[comma] == '(' ? 1 : text[comma] == ')' ? -1 : 0;
    }
    const std::string_view one = text.substr(0, comma);
    const std::size_t equal = std::min(one.find('='), one.size());
    names_.emplace_back(one.substr(0, equal));
    defaults_.emplace_back(one.substr(std::min(equal + 1, one.size())));
    values_.push_back(defaults_.back().empty() ? nb::object()
                                               : nb::eval(nb::str(defaults_.back().c_str())));
    text.remove_prefix(std::min(comma + 2, text.size()));
  }
}

std::string Arguments::declared(const std::vector<std::string>& types) const {
  std::string text;
  for (std::size_t k = 0; k < names_.size(); ++k) {
    text += (k == 0 ? "" : ", ") + names_[k] + ": " + types[k] +
            (defaults_[k].empty() ? "" : " = " + defaults_[k]);
  }
  return text;
}

std::vector<nb::object> Arguments::matched(const nb::args& positional,
                                           const nb::kwargs& keywords) const {
  std::vector<nb::object> values = values_;
  if (positional.size() > size()) {
    throw nb::type_error((std::to_string(positional.size()) + " arguments where " +
                          std::to_string(size()) + " are allowed")
                             .c_str());
  }
  for (std::size_t k = 0; k < positional.size(); ++k) values[k] = nb::borrow(positional[k]);
  for (const auto& [key, value] : keywords) {
    const auto word = nb::cast<std::string>(key);
    const auto found = std::ranges::find(names_, word);
    if (found == names_.end()) {
      const std::vector<std::string_view> all(names_.begin(), names_.end());
      throw nb::type_error(("no argument '" + word + "'" + io::did_you_mean(word, all)).c_str());
    }
    values[static_cast<std::size_t>(found - names_.begin())] = nb::borrow(value);
  }
  for (std::size_t k = 0; k < size(); ++k) {
    if (!values[k].is_valid()) throw nb::type_error(("'" + names_[k] + "' is missing").c_str());
  }
  return values;
}

}  // namespace percute::python
