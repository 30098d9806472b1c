# cmake -DPREFIX=<folder> -DFOREIGN=<folder|folder...> -P check_paths.cmake
#
# The package files of an installed percute name no folder of the machine it was built on.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files "${PREFIX}/lib*/cmake/percute/*.cmake")
list(LENGTH files count)
if(count LESS 5)
  message(FATAL_ERROR "only ${count} package files under ${PREFIX}")
endif()
string(REPLACE "|" ";" folders "${FOREIGN}")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  # CMake itself writes this as an example of a folder that links to another one.
  string(REPLACE "\"/usr move\"" "" text "${text}")
  string(REPLACE "/lib -> /usr/lib" "" text "${text}")
  foreach(folder IN LISTS folders)
    string(FIND "${text}" "${folder}" position)
    if(NOT position LESS 0)
      message(FATAL_ERROR "${file} names ${folder}")
    endif()
  endforeach()
endforeach()
