# cmake -DROOT=<repository> -DSCRATCH=<folder> -DGENERATOR=<name> -DOPTIONS=<option|option...> -P check_readme.cmake
#
# Builds the C++ program shown in README.md by the CMakeLists.txt shown there, and runs it.
cmake_minimum_required(VERSION 3.25)

# extract(<kind of block> <file>): the first one of README.md.
file(READ "${ROOT}/README.md" readme)
function(extract kind file)
  if(NOT readme MATCHES "```${kind}\n([^`]*)```")
    message(FATAL_ERROR "README.md has no block of ${kind}")
  endif()
  file(WRITE "${SCRATCH}/${file}" "${CMAKE_MATCH_1}")
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
extract(cpp strike.cpp)
extract(cmake CMakeLists.txt)
string(REPLACE "|" ";" options "${OPTIONS}")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SCRATCH}" -B "${SCRATCH}/build" -G "${GENERATOR}" ${options}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${SCRATCH}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${SCRATCH}/build/strike" OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
file(READ "${ROOT}/tests/examples/01_three_balls.txt" expected)
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "the program of README.md printed\n${printed}\ninstead of\n${expected}")
endif()
