# Installs percute into a scratch folder, moves that folder elsewhere, and uses what is there: the
# program, and the libraries from a project that knows nothing of this one.
set(scratch "${CMAKE_CURRENT_BINARY_DIR}/packaging")
set(prefix "${scratch}/moved here")
set(consumer_options
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
    "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
    "-DSCENE=${prefix}/share/percute/examples/scenes/cradle.toml")

add_test(NAME packaging.install
         COMMAND "${CMAKE_COMMAND}" "-DBUILD=${PROJECT_BINARY_DIR}" "-DSCRATCH=${scratch}"
                 "-DPREFIX=${prefix}" -P "${CMAKE_CURRENT_SOURCE_DIR}/packaging/install.cmake")
set_tests_properties(packaging.install PROPERTIES FIXTURES_SETUP percute_installed)

add_test(NAME packaging.no_foreign_paths
         COMMAND "${CMAKE_COMMAND}" "-DPREFIX=${prefix}"
                 "-DFOREIGN=${PROJECT_SOURCE_DIR}|${PROJECT_BINARY_DIR}|/usr/" -P
                 "${CMAKE_CURRENT_SOURCE_DIR}/packaging/check_paths.cmake")
add_test(NAME packaging.consumer
         COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test
                 "${CMAKE_CURRENT_SOURCE_DIR}/packaging/consumer" "${scratch}/consumer"
                 --build-generator "${CMAKE_GENERATOR}" --build-options ${consumer_options}
                 --test-command "${CMAKE_CTEST_COMMAND}" --output-on-failure --no-tests=error)
# The core is found where nothing but Eigen is; what is asked for in vain is said.
add_test(NAME packaging.core_alone
         COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_SOURCE_DIR}/packaging/consumer" -B
                 "${scratch}/core_alone" -G "${CMAKE_GENERATOR}" ${consumer_options}
                 -DCOMPONENTS=core -DCMAKE_DISABLE_FIND_PACKAGE_HDF5=ON
                 -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON
                 -DCMAKE_DISABLE_FIND_PACKAGE_Ceres=ON)
string(REPLACE ";" "|" readme_options "${consumer_options}")
add_test(NAME packaging.readme
         COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DSCRATCH=${scratch}/readme"
                 "-DGENERATOR=${CMAKE_GENERATOR}" "-DOPTIONS=${readme_options}" -P
                 "${CMAKE_CURRENT_SOURCE_DIR}/packaging/check_readme.cmake")
set(users no_foreign_paths consumer core_alone readme)
if(PERCUTE_CLI)
  add_test(NAME packaging.program COMMAND "${prefix}/bin/percute" solve
                                          "${prefix}/share/percute/examples/scenes/cradle.toml")
  # Its manual and completions, made when it was installed.
  add_test(NAME packaging.manual COMMAND "${CMAKE_COMMAND}" "-DPREFIX=${prefix}" -P
                                         "${CMAKE_CURRENT_SOURCE_DIR}/packaging/check_manual.cmake")
  list(APPEND users program manual)
endif()
foreach(user IN LISTS users)
  set_tests_properties(packaging.${user} PROPERTIES FIXTURES_REQUIRED percute_installed)
endforeach()
