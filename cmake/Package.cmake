# Debian packages: `cpack -G DEB` in a build folder, or scripts/package.sh, makes
#
#     percute          the program, example scenes
#     libpercute-dev   headers, libraries, what find_package(percute) reads
#
# from the components runtime and development of Install.cmake.
set(CPACK_PACKAGE_NAME percute)
set(CPACK_PACKAGE_VENDOR "The percute authors")
set(CPACK_PACKAGE_CONTACT "The percute authors <percute@localhost.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "multiple impacts in mechanics")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(about
    "What do bodies do when several contacts close at the same instant? percute
resolves such impacts by the law of Liu, Zhao and Brogliato, in which every
contact stores energy in its stiffness and gives part of it back, with a set
accuracy, an energy ledger and a verdict on every result.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME percute)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
    "${about}\n\nThis package has the command line and example scenes.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpercute-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS libeigen3-dev)
if(PERCUTE_IO)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
         ", libfmt-dev, libhdf5-dev, libtomlplusplus-dev")
endif()
if(PERCUTE_FIT)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS libceres-dev)
endif()
if(BUILD_SHARED_LIBS)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", percute (= ${PROJECT_VERSION})")
endif()
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "${about}\n\nThis package has the headers and libraries for C++.")

# What Debian wants in every package, and only there.
set(changelog "${PROJECT_BINARY_DIR}/changelog.gz")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/CHANGELOG.md")
percute_compress("${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${changelog}")
foreach(component runtime development)
  string(TOUPPER ${component} upper)
  set(folder "${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
  install(
    FILES "${PROJECT_SOURCE_DIR}/cmake/debian/copyright"
    DESTINATION "${folder}"
    COMPONENT ${component}
    EXCLUDE_FROM_ALL)
  install(
    FILES "${changelog}"
    DESTINATION "${folder}"
    COMPONENT ${component}
    EXCLUDE_FROM_ALL OPTIONAL)
endforeach()

include(CPack)
