# What `cmake --install` puts where, and what find_package(percute) finds there. Nothing installed
# names a folder of this machine: the whole prefix can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(percute_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/percute")
# While the version starts with 0, every minor one may change the interface.
set(percute_soversion "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")

# percute_compress(<file> <file.gz>): nothing where there is no gzip.
find_program(GZIP_PROGRAM gzip)
function(percute_compress file compressed)
  if(GZIP_PROGRAM)
    execute_process(COMMAND "${GZIP_PROGRAM}" -9nc "${file}" OUTPUT_FILE "${compressed}"
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
endfunction()

# percute_install_library(<target> <name>): installs a library as percute::<name>, each in an export
# file of its own, so that the core can be found without what the file formats need.
function(percute_install_library target name)
  set_target_properties(
    ${target} PROPERTIES EXPORT_NAME ${name} VERSION ${PROJECT_VERSION}
                         SOVERSION ${percute_soversion} INSTALL_RPATH "$ORIGIN")
  install(
    TARGETS ${target}
    EXPORT percute_${name}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT development
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(
    EXPORT percute_${name}
    NAMESPACE percute::
    FILE percute-${name}-targets.cmake
    DESTINATION "${percute_package_dir}"
    COMPONENT development)
endfunction()

percute_install_library(percute_core core)
if(PERCUTE_IO)
  percute_install_library(percute_io io)
else()
  set(without_io PATTERN io EXCLUDE)
endif()
if(PERCUTE_FIT)
  percute_install_library(percute_fit fit)
endif()
set_target_properties(percute_percute PROPERTIES EXPORT_NAME percute)
install(TARGETS percute_percute EXPORT percute_percute)
install(
  EXPORT percute_percute
  NAMESPACE percute::
  FILE percute-percute-targets.cmake
  DESTINATION "${percute_package_dir}"
  COMPONENT development)

install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/" "${PROJECT_BINARY_DIR}/include/"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.hpp" ${without_io})

# Users of a static library link what it uses; a shared one brings that along.
set(percute_io_needs_libraries FALSE)
if(PERCUTE_IO)
  get_target_property(type percute_io TYPE)
  string(COMPARE EQUAL "${type}" STATIC_LIBRARY percute_io_needs_libraries)
endif()
set(percute_fit_needs_libraries FALSE)
if(PERCUTE_FIT)
  get_target_property(type percute_fit TYPE)
  string(COMPARE EQUAL "${type}" STATIC_LIBRARY percute_fit_needs_libraries)
endif()
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/percuteConfig.cmake.in" "${PROJECT_BINARY_DIR}/percuteConfig.cmake"
  INSTALL_DESTINATION "${percute_package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/percuteConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
  FILES "${PROJECT_BINARY_DIR}/percuteConfig.cmake"
        "${PROJECT_BINARY_DIR}/percuteConfigVersion.cmake"
  DESTINATION "${percute_package_dir}"
  COMPONENT development)

if(PERCUTE_CLI)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH to_libraries "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(percute PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
    file(RELATIVE_PATH to_libraries "/${CMAKE_INSTALL_LIBEXECDIR}/percute" "/${CMAKE_INSTALL_LIBDIR}")
    set_target_properties(percute-bench percute-selftest PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libraries}")
  endif()
  install(TARGETS percute RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT runtime)
  # Where they were asked for; `percute bench` and `percute selftest` find them there.
  install(
    TARGETS percute-bench percute-selftest
    RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/percute"
            COMPONENT runtime
            OPTIONAL)
  # The program writes its own manual and completions: it knows all its options.
  if(NOT CMAKE_CROSSCOMPILING)
    install(CODE "set(program \"$<TARGET_FILE:percute>\")
                  set(gzip \"${GZIP_PROGRAM}\")
                  set(mandir \"${CMAKE_INSTALL_MANDIR}\")
                  set(datadir \"${CMAKE_INSTALL_DATADIR}\")
                  set(docdir \"${CMAKE_INSTALL_DOCDIR}\")" COMPONENT runtime)
    install(SCRIPT "${PROJECT_SOURCE_DIR}/cmake/InstallManual.cmake" COMPONENT runtime)
  endif()
endif()
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/examples/scenes" "${PROJECT_SOURCE_DIR}/examples/motion"
            "${PROJECT_SOURCE_DIR}/examples/fit"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/percute/examples"
  COMPONENT runtime)
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/examples/cpp"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/percute/examples"
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.cpp")
# The pages link to each other as they do in the source folder.
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/docs"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT runtime
  FILES_MATCHING
  PATTERN "*.md"
  PATTERN "*.svg")
install(
  FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CITATION.cff"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT runtime)
install(
  FILES "${PROJECT_SOURCE_DIR}/LICENSE"
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  COMPONENT licence) # Debian packages refer to the copy that every Debian system has
