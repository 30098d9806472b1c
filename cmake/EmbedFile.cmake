# cmake -DFILE=<file> -DSYMBOL=<name> -DSOURCE=<file.cpp> -P EmbedFile.cmake
cmake_minimum_required(VERSION 3.25)

file(READ "${FILE}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REPEAT "0x..," 20 row)
string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
file(
  WRITE "${SOURCE}"
  "#include <string_view>\n\n"
  "namespace percute::embedded {\n"
  "namespace {\n"
  "constexpr unsigned char kBytes[] = {\n${bytes}\n};\n"
  "}\n"
  "std::string_view ${SYMBOL}();\n"
  "std::string_view ${SYMBOL}() { return {reinterpret_cast<const char*>(kBytes), sizeof kBytes}; }\n"
  "}\n")
