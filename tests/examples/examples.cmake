# Runs every example of examples/cpp and compares what it prints with tests/examples/NAME.txt.
file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/cpp/*.cpp")
foreach(source IN LISTS examples)
  cmake_path(GET source STEM name)
  add_test(NAME example.${name}
           COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:example_${name}>"
                   "-DEXPECTED=${CMAKE_CURRENT_SOURCE_DIR}/examples/${name}.txt" -P
                   "${CMAKE_CURRENT_SOURCE_DIR}/examples/check_output.cmake")
endforeach()

# README.md shows the first example as it is in the file.
add_test(NAME readme.shows_the_example
         COMMAND "${CMAKE_COMMAND}" "-DREADME=${PROJECT_SOURCE_DIR}/README.md"
                 "-DEXAMPLE=${PROJECT_SOURCE_DIR}/examples/cpp/01_three_balls.cpp" -P
                 "${CMAKE_CURRENT_SOURCE_DIR}/examples/check_readme.cmake")
