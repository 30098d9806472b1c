# cmake -DBUILD=<folder> -DSCRATCH=<folder> -DPREFIX=<folder in it> -P install.cmake
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${SCRATCH}/first"
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
# Whatever still points to the first place is now broken.
file(RENAME "${SCRATCH}/first" "${PREFIX}")
