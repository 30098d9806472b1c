# Headers that nearly every file of a target reads, compiled once: up to a third of
# the time of a build. A change of one rebuilds all of the target; while developing, a
# compiler cache serves better.
option(PERCUTE_PRECOMPILE "Compile headers that many files read once" ${PROJECT_IS_TOP_LEVEL})

set(PERCUTE_COMMON_HEADERS <Eigen/Cholesky> <Eigen/Core> <Eigen/SparseCore> <algorithm> <array> <cmath>
                           <functional> <optional> <string> <vector>)

function(percute_precompiled_warnings target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # The same false alarms about std::string as -Wno-restrict is for, under other names.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds -Wno-use-after-free)
  endif()
endfunction()

function(percute_precompile target)
  if(PERCUTE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${PERCUTE_COMMON_HEADERS} ${ARGN})
    percute_precompiled_warnings(${target})
  endif()
endfunction()

# Tests are compiled alike: the first program of them precompiles for all.
function(percute_precompile_tests target)
  if(NOT PERCUTE_PRECOMPILE)
    return()
  endif()
  get_property(first GLOBAL PROPERTY PERCUTE_FIRST_TESTS)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    percute_precompiled_warnings(${target})
  else()
    set_property(GLOBAL PROPERTY PERCUTE_FIRST_TESTS ${target})
    percute_precompile(${target} <gmock/gmock.h> <gtest/gtest.h> <percute/io/motion_file.hpp>)
  endif()
endfunction()

# Files of a folder compiled together: half the time of a build. One at a time is better while a file is being
# written, and what static analysis reads.
option(PERCUTE_UNITY "Compile several files at once" ${PROJECT_IS_TOP_LEVEL})

function(percute_unity target batch)
  if(PERCUTE_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()
