# cmake -DSCRATCH=<folder> -P self_test.cmake
#
# Shows that check_layering.cmake rejects what it should, and accepts what it should, on small trees.
cmake_minimum_required(VERSION 3.25)

function(expect outcome file include)
  file(REMOVE_RECURSE "${SCRATCH}")
  file(WRITE "${SCRATCH}/${file}" "#pragma once\n#include ${include}\n")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DROOT=${SCRATCH}" -P "${CMAKE_CURRENT_LIST_DIR}/check_layering.cmake"
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE message)
  if(outcome STREQUAL "accept" AND NOT code EQUAL 0)
    message(FATAL_ERROR "${file} with #include ${include} was rejected:\n${message}")
  elseif(outcome STREQUAL "reject" AND (code EQUAL 0 OR NOT message MATCHES "break the layering"))
    message(FATAL_ERROR "${file} with #include ${include} was accepted")
  endif()
endfunction()

expect(accept include/percute/laws/x.hpp "<percute/model/y.hpp>")
expect(accept include/percute/model/x.hpp "<Eigen/Core>")
expect(accept include/percute/model/x.hpp "<vector>")
expect(accept src/laws/x.cpp "\"numerics/y.hpp\"")
expect(accept src/laws/x.cpp "\"helper.hpp\"")
expect(accept src/io/x.cpp "<nlohmann/json.hpp>")
expect(accept src/io/x.cpp "<percute/systems/y.hpp>")
expect(accept src/reproduction/x.cpp "<percute/io/y.hpp>")
expect(accept src/fit/x.cpp "<ceres/solver.h>")
expect(accept include/percute/io/x.hpp "<percute/fit/y.hpp>")
expect(accept selftest/x.cpp "\"analysis/y.hpp\"")
expect(accept selftest/command/x.cpp "<percute/io/y.hpp>")

expect(reject include/percute/numerics/x.hpp "<percute/model/y.hpp>")
expect(reject include/percute/model/x.hpp "<percute/laws/y.hpp>")
expect(reject include/percute/laws/x.hpp "<percute/systems/y.hpp>")
expect(reject include/percute/systems/x.hpp "<percute/laws/y.hpp>")
expect(reject include/percute/analysis/x.hpp "<percute/io/y.hpp>")
expect(reject src/io/x.cpp "\"reproduction/y.hpp\"")
expect(reject src/model/x.cpp "\"laws/y.hpp\"")
expect(reject src/model/x.cpp "\"../laws/y.hpp\"")
expect(reject src/laws/x.cpp "<percute/percute.hpp>")
expect(reject src/laws/x.cpp "<fmt/format.h>")
expect(reject include/percute/io/x.hpp "<nlohmann/json.hpp>")
expect(reject include/percute/fit/x.hpp "<ceres/solver.h>")
expect(reject src/fit/x.cpp "<percute/io/y.hpp>")
expect(reject src/analysis/x.cpp "<percute/fit/y.hpp>")
expect(reject include/percute/model/x.hpp "\"y.hpp\"")
expect(reject src/analysis/x.cpp "\"selftest/y.hpp\"")
expect(reject selftest/x.cpp "<percute/io/y.hpp>")
expect(reject src/gadgets/x.cpp "<vector>")

file(REMOVE_RECURSE "${SCRATCH}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${SCRATCH}" -P "${CMAKE_CURRENT_LIST_DIR}/check_layering.cmake"
  RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
if(code EQUAL 0)
  message(FATAL_ERROR "an empty tree was accepted: the check may be looking at nothing")
endif()
