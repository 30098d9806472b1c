# cmake -DREADME=<README.md> -DEXAMPLE=<source file> -P check_readme.cmake
cmake_minimum_required(VERSION 3.25)

file(READ "${README}" readme)
file(READ "${EXAMPLE}" example)
# Without the two lines of licence and copyright and the empty line below them.
string(REGEX REPLACE "^// SPDX[^\n]*\n// Copyright[^\n]*\n\n*" "" example "${example}")
string(FIND "${readme}" "```cpp\n${example}```" position)
if(position LESS 0)
  message(FATAL_ERROR "README.md does not show ${EXAMPLE} as it is:\n${example}")
endif()
