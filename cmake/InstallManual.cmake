# Runs when percute is installed or packaged: manual pages, completions and JSON Schemas, written by
# the program.
# Set before: program, gzip, mandir, datadir, docdir.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(pages "${prefix}/${mandir}/man1")
file(MAKE_DIRECTORY "${pages}")
execute_process(COMMAND "${program}" help --manuals "${pages}" COMMAND_ERROR_IS_FATAL ANY)
if(gzip)
  file(GLOB written "${pages}/percute*.1")
  execute_process(COMMAND "${gzip}" -9nf ${written} COMMAND_ERROR_IS_FATAL ANY)
endif()

# Debian's zsh looks into another folder for what its packages bring than for what people install.
set(zsh "zsh/site-functions/_percute")
if(prefix MATCHES "/usr$")
  set(zsh "zsh/vendor-completions/_percute")
endif()
foreach(script "bash|bash-completion/completions/percute" "zsh|${zsh}"
               "fish|fish/vendor_completions.d/percute.fish")
  string(REPLACE "|" ";" script "${script}")
  list(POP_FRONT script shell)
  execute_process(COMMAND "${program}" completion ${shell} OUTPUT_VARIABLE text
                  COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${prefix}/${datadir}/${script}" "${text}")
endforeach()

foreach(name problem result run)
  execute_process(COMMAND "${program}" schema ${name} OUTPUT_VARIABLE text
                  COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${prefix}/${datadir}/percute/schema/${name}.schema.json" "${text}")
endforeach()

# The pages of docs/ name examples beside them.
file(RELATIVE_PATH examples "${prefix}/${docdir}" "${prefix}/${datadir}/percute/examples")
file(MAKE_DIRECTORY "${prefix}/${docdir}")
file(CREATE_LINK "${examples}" "${prefix}/${docdir}/examples" SYMBOLIC)
