# cmake -DPREFIX=<folder> -P check_manual.cmake
#
# Every command of an installed percute has a manual page and is offered to shells, whose scripts ask for
# that; the JSON Schemas are there.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${PREFIX}/bin/percute" --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE ".*Subcommands:\n" "" commands "${help}")
string(REGEX MATCHALL "(^|\n)  [a-z][a-z-]+" commands "${commands}")
list(LENGTH commands count)
if(count LESS 8)
  message(FATAL_ERROR "only ${count} commands in the help:\n${help}")
endif()
foreach(shell bash-completion/completions/percute zsh/site-functions/_percute
              fish/vendor_completions.d/percute.fish)
  file(READ "${PREFIX}/share/${shell}" script)
  if(NOT script MATCHES "completion --offer")
    message(FATAL_ERROR "share/${shell} does not ask what percute offers")
  endif()
endforeach()
execute_process(COMMAND "${PREFIX}/bin/percute" completion --offer OUTPUT_VARIABLE offers
                COMMAND_ERROR_IS_FATAL ANY)
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  if(NOT "\n${offers}" MATCHES "\n${command}\t")
    message(FATAL_ERROR "percute does not offer ${command} to shells")
  endif()
  file(GLOB page "${PREFIX}/share/man/man1/percute-${command}.1*")
  if(NOT page)
    message(FATAL_ERROR "there is no manual page of ${command}")
  endif()
endforeach()
foreach(name problem result run)
  execute_process(COMMAND "${PREFIX}/bin/percute" schema ${name} OUTPUT_VARIABLE printed
                  COMMAND_ERROR_IS_FATAL ANY)
  file(READ "${PREFIX}/share/percute/schema/${name}.schema.json" installed)
  if(NOT printed STREQUAL installed)
    message(FATAL_ERROR "share/percute/schema/${name}.schema.json is not what percute prints")
  endif()
endforeach()
