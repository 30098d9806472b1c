# cmake -DVERSION=<x.y.z> -DROOT=<repository> [-DPERCUTE=<program>] -P check_version.cmake
#
# project(VERSION) in CMakeLists.txt is the version; whatever else states one agrees with it.
cmake_minimum_required(VERSION 3.25)

# expect(<what says it> <what it says> <version>)
function(expect who found wanted)
  if(NOT found STREQUAL wanted)
    message(SEND_ERROR "${who} says '${found}', but CMakeLists.txt says ${wanted}")
  endif()
endfunction()

# first_match(<variable> <file> <regular expression with one group>)
function(first_match out file expression)
  file(READ "${ROOT}/${file}" text)
  if(NOT text MATCHES "${expression}")
    message(SEND_ERROR "${file} states no version: nothing matches ${expression}")
  endif()
  set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()

first_match(found CITATION.cff "\nversion: ([^\n]*)\n")
expect("CITATION.cff" "${found}" "${VERSION}")

# The newest entry; an entry "Unreleased" above it may collect what comes next.
first_match(found CHANGELOG.md "\n## \\[([0-9][^]\n]*)\\]")
expect("CHANGELOG.md" "${found}" "${VERSION}")

# Users ask for major and minor.
string(REGEX MATCH "^[0-9]+\\.[0-9]+" minor "${VERSION}")
foreach(file README.md docs/howto/use-from-cmake.md tests/packaging/consumer/CMakeLists.txt)
  first_match(found ${file} "find_package\\(percute ([0-9.]+)")
  expect("${file}" "${found}" "${minor}")
endforeach()

if(PERCUTE)
  execute_process(COMMAND "${PERCUTE}" --version OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  expect("percute --version" "${found}" "percute ${VERSION}")
endif()
