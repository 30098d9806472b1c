# cmake -DREADME=<README.md> -DPERCUTE=<program> -DSCRATCH=<folder> -P check_readme_problem.cmake
#
# Solves the problem file shown in README.md and looks for every line of the answer shown there.
cmake_minimum_required(VERSION 3.25)

file(READ "${README}" readme)
string(REGEX MATCH "```json\n([^`]*)```(.*)" block "${readme}")
file(WRITE "${SCRATCH}/tennis.json" "${CMAKE_MATCH_1}")
string(REGEX MATCH "```text\n([^`]*)\n```" block "${CMAKE_MATCH_2}")
set(shown "${CMAKE_MATCH_1}")
if(shown STREQUAL "")
  message(FATAL_ERROR "README.md shows no answer")
endif()

execute_process(COMMAND "${PERCUTE}" solve "${SCRATCH}/tennis.json" RESULT_VARIABLE code
                OUTPUT_VARIABLE printed ERROR_VARIABLE errors)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "percute ended with ${code}\n${errors}")
endif()
string(REGEX REPLACE ";" "," printed "${printed}")
string(REGEX REPLACE "[][]" "|" printed "${printed}") # brackets would join the entries of a list
string(REGEX REPLACE "[][]" "|" shown "${shown}")
string(REPLACE "\n" ";" lines "${shown}")
foreach(line IN LISTS lines)
  string(FIND "${printed}" "${line}\n" position)
  if(position LESS 0)
    message(FATAL_ERROR "README.md shows\n${line}\nbut percute prints\n${printed}")
  endif()
endforeach()
