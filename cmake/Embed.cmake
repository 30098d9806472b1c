# percute_embed(<target> <file> <symbol>): compiles the bytes of a file into a target, as
#
#     namespace percute::embedded { std::string_view <symbol>(); }
#
# so that a program finds its data wherever it is run. The source is made again when the file changes.
function(percute_embed target file symbol)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded_${symbol}.cpp")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" "-DFILE=${file}" "-DSYMBOL=${symbol}" "-DSOURCE=${source}" -P
            "${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake"
    DEPENDS "${file}" "${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake"
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE "${source}")
endfunction()
