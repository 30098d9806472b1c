# Headers of other libraries that nearly every file of a target reads, compiled once: a third of the
# time of a build. Ours are not among them, so that a change of one still rebuilds only its users.
option(PERCUTE_PRECOMPILE "Precompile the headers of other libraries" ${PROJECT_IS_TOP_LEVEL})

set(PERCUTE_COMMON_HEADERS <Eigen/Cholesky> <Eigen/Core> <Eigen/SparseCore> <algorithm> <array> <cmath>
                           <functional> <optional> <string> <vector>)

function(percute_precompile target)
  if(PERCUTE_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${PERCUTE_COMMON_HEADERS} ${ARGN})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
      # The same false alarms about std::string as -Wno-restrict is for, under other names.
      target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-array-bounds)
    endif()
  endif()
endfunction()
