# cmake -DROOT=<source tree> -P check_layering.cmake
#
# Reads the #include lines of include/percute, src and selftest and fails when one points upwards: a layer may
# use itself and the layers named here, nothing else.
cmake_minimum_required(VERSION 3.25)

set(may_use_numerics numerics)
set(may_use_model numerics model)
set(may_use_contact numerics model contact)
set(may_use_laws numerics model contact laws)
set(may_use_systems numerics model contact systems)
set(may_use_simulation numerics model contact laws systems simulation)
set(may_use_analysis numerics model contact laws systems simulation analysis)
set(may_use_fit numerics model contact laws systems simulation analysis fit)
set(may_use_io numerics model contact laws systems simulation analysis fit io)
set(may_use_reproduction numerics model contact laws systems simulation analysis io reproduction)
set(may_use_selftest numerics model contact laws systems simulation analysis selftest)
set(layers numerics model contact laws systems simulation analysis fit io reproduction selftest)

# Layers built on Eigen and the standard library alone.
set(lean numerics model contact laws systems simulation analysis selftest)

set(standard_header "^<[a-z_0-9]+>$")
set(eigen_header "^<(unsupported/)?Eigen/[A-Za-z]+>$")

set(defects "")

macro(defect file include reason)
  string(APPEND defects "\n  ${file}: #include ${include}: ${reason}")
endmacro()

# The layer an include leads to, "" for third parties and the standard library.
function(layer_of include own_layer result)
  set(found "")
  if(include MATCHES "^[<\"]percute/([a-z_]+)/")
    set(found "${CMAKE_MATCH_1}")
  elseif(include MATCHES "^<percute/version.hpp>$")
    set(found "${own_layer}") # generated, below everything
  elseif(include MATCHES "^[<\"]percute/")
    set(found "the umbrella header")
  elseif(include MATCHES "^\"([a-z_]+)/" AND CMAKE_MATCH_1 IN_LIST layers)
    set(found "${CMAKE_MATCH_1}")
  elseif(include MATCHES "^\"\\.\\./")
    set(found "a parent folder")
  elseif(include MATCHES "^\"")
    set(found "${own_layer}") # a helper beside its user
  endif()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/include/percute/*.hpp" "${ROOT}/src/*.cpp"
     "${ROOT}/src/*.hpp" "${ROOT}/selftest/*.cpp" "${ROOT}/selftest/*.hpp")
if(NOT files)
  message(FATAL_ERROR "no sources under ${ROOT}: nothing was checked")
endif()

foreach(file IN LISTS files)
  if(file MATCHES "^(include/percute|src)/([a-z_]+)/")
    set(tree "${CMAKE_MATCH_1}")
    set(layer "${CMAKE_MATCH_2}")
  elseif(file MATCHES "^selftest/" AND NOT file MATCHES "^selftest/command/")
    set(tree selftest)
    set(layer selftest)
  else()
    continue() # the umbrella header, programs
  endif()
  if(NOT layer IN_LIST layers)
    defect("${file}" "" "folder '${layer}' is no layer: add it to check_layering.cmake")
    continue()
  endif()
  file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^[ \t]*#[ \t]*include[ \t]*([<\"][^>\"]*[>\"]).*" "\\1" include "${line}")
    layer_of("${include}" "${layer}" target)
    if(target STREQUAL "")
      if(include MATCHES "${standard_header}" OR include MATCHES "${eigen_header}")
        continue()
      elseif(tree STREQUAL "include/percute")
        defect("${file}" "${include}" "a public header includes percute, Eigen and std only")
      elseif(layer IN_LIST lean)
        defect("${file}" "${include}" "'${layer}' uses Eigen and std only")
      endif()
    elseif(tree STREQUAL "include/percute" AND NOT include MATCHES "^<")
      defect("${file}" "${include}" "a public header includes by <percute/...>")
    elseif(NOT target IN_LIST may_use_${layer})
      defect("${file}" "${include}" "'${layer}' may not use '${target}'")
    endif()
  endforeach()
endforeach()

if(defects)
  message(FATAL_ERROR "includes that break the layering:${defects}")
endif()
list(LENGTH files count)
message(STATUS "layering holds in ${count} files")
