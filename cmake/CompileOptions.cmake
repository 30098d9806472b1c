# Options every target of this project is compiled with; users of the library get none of them.
add_library(percute_options INTERFACE)
target_compile_features(percute_options INTERFACE cxx_std_20)
# Contraction off: the same bits with and without fused multiply-add in the optimiser's mood.
target_compile_options(percute_options INTERFACE -ffp-contract=off)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(
    percute_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies inside std::string::replace that are not there (GCC bug 105651).
  target_compile_options(percute_options INTERFACE -Wno-restrict)
endif()
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Memory is let go at the end of a file, not on the way: a tenth of the time for a tenth more memory.
  target_compile_options(percute_options INTERFACE --param=ggc-min-heapsize=300000)
endif()
# Programs with PERCUTE_PLAIN only use what is instrumented.
set(instrumented "$<NOT:$<BOOL:$<TARGET_PROPERTY:PERCUTE_PLAIN>>>")
if(PERCUTE_SANITIZE)
  # Eigen moves the null pointers of its empty matrices along, and touches nothing there.
  set(sanitizers -fsanitize=${PERCUTE_SANITIZE} -fno-sanitize=pointer-overflow -fno-sanitize-recover=all)
  target_compile_options(percute_options
                         INTERFACE "$<${instrumented}:${sanitizers};-fno-omit-frame-pointer>")
  target_link_options(percute_options INTERFACE -fsanitize=${PERCUTE_SANITIZE})
  # Eigen takes memory in another way where it is instrumented; what one half takes the other frees.
  target_compile_definitions(percute_options INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
endif()
if(PERCUTE_FUZZ)
  # Coverage of the libraries too: it leads the fuzzer.
  target_compile_options(percute_options INTERFACE "$<${instrumented}:-fsanitize=fuzzer-no-link>")
  target_link_options(percute_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
