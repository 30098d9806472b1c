// SPDX-License-Identifier: Apache-2.0
// Copyright The percute authors
#include "io_testing.hpp"

#include <percute/io/document.hpp>

#include <cmath>

namespace percute::io {
namespace {

using testing::expect_error;
using testing::TemporaryFolder;

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int k = 0; k < times; ++k) out += part;
  return out;
}

TEST(Json, KeepsTypesOrderAndLines) {
  const Document document = parse_json(
      "{\n  \"z\": 1,\n  \"a\": [true, null, 2.5,\n    \"x\"],\n  \"big\": 18446744073709551615\n}",
      "f.json");
  const auto& members = *document.root.as<Node::Object>();
  EXPECT_EQ(members[0].key, "z");
  EXPECT_EQ(members[1].key, "a");
  EXPECT_EQ(*members[0].value.as<std::int64_t>(), 1);
  EXPECT_EQ(members[0].value.line, 2);
  const auto& array = *members[1].value.as<Node::Array>();
  EXPECT_EQ(*array[0].as<bool>(), true);
  EXPECT_TRUE(array[1].is_null());
  EXPECT_EQ(*array[2].as<double>(), 2.5);
  EXPECT_EQ(array[2].line, 3);
  EXPECT_EQ(array[3].line, 4);
  EXPECT_EQ(*members[2].value.as<double>(), 18446744073709551616.0);
}

TEST(Json, NumberBeforeNewlineBelongsToItsLine) {
  const Document document = parse_json("{\"a\": [1\n,2\n,3\n]}", "f.json");
  const auto& array = *document.root.find("a")->as<Node::Array>();
  EXPECT_EQ(array[0].line, 1);
  EXPECT_EQ(array[1].line, 2);
  EXPECT_EQ(array[2].line, 3);
}

TEST(Json, StartsCountingWhereTold) {
  expect_error([] { parse_json("{\"a\": x}", "stream", 17); }, {"stream:17: not valid JSON"});
}

TEST(Json, ToleratesByteOrderMark) {
  EXPECT_NE(parse_json("\xEF\xBB\xBF{\"a\": 1}", "f.json").root.find("a"), nullptr);
}

TEST(Json, RefusesWhatIsNotOneObject) {
  expect_error([] { parse_json("", "f.json"); }, {"f.json: is empty"});
  expect_error([] { parse_json(" \n\t", "f.json"); }, {"f.json: is empty"});
  expect_error([] { parse_json("[1, 2]", "f.json"); }, {"f.json:1", "an array of 2"});
  expect_error([] { parse_json("{\"a\": 1}\n{}", "f.json"); }, {"f.json:2", "end of input"});
  expect_error([] { parse_json("{\"a\": 1,\n\"b\": ", "f.json"); }, {"f.json:2", "not valid JSON"});
  expect_error([] { parse_json("{\"a\": 1,}", "f.json"); }, {"f.json:1", "not valid JSON"});
}

TEST(Json, RefusesRepeatedKeysAtTheSecond) {
  expect_error([] { parse_json("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", "f.json"); },
               {"f.json:3", "'a' appears twice", "line 1"});
}

TEST(Json, RefusesNumbersThatAreNotFinite) {
  expect_error([] { parse_json("{\"a\":\nNaN}", "f.json"); }, {"f.json:2", "NaN and Infinity"});
  expect_error([] { parse_json("{\"a\": -Infinity}", "f.json"); }, {"f.json:1", "Infinity"});
  expect_error([] { parse_json("{\"a\": 1e999}", "f.json"); }, {"f.json:1", "overflow", "1e999"});
}

TEST(Json, RefusesInvalidUtf8) {
  for (const char* bad : {"\xE9", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\xE2\x82"}) {
    expect_error([&] { parse_json("{\n\"a\": \"" + std::string(bad) + "\"}", "f.json"); },
                 {"f.json:2", "UTF-8"});
  }
  EXPECT_NO_THROW(parse_json("{\"a\": \"1–2 ∇h 🎱\"}", "f.json"));
}

TEST(Json, LimitsDepth) {
  const auto nested = [](int depth) {
    return "{\"a\":" + repeated("[", depth - 1) + repeated("]", depth - 1) + "}";
  };
  EXPECT_NO_THROW(parse_json(nested(DocumentLimits::kDepth), "f.json"));
  expect_error([&] { parse_json(nested(DocumentLimits::kDepth + 1), "f.json"); },
               {"deeper than 64"});
  expect_error([] { parse_json(repeated("{\"a\":", 200'000), "f.json"); }, {"deeper than 64"});
}

TEST(Json, LimitsTheNumberOfValues) {
  const std::string text = "{\"a\":[" + repeated("0,", DocumentLimits::kValues) + "0]}";
  expect_error([&] { parse_json(text, "f.json"); }, {"more than 5000000 values"});
}

TEST(Json, KeepsMessagesShort) {
  try {
    parse_json("{\"a\": \"" + std::string(1'000'000, 'x'), "f.json");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_LT(std::string(error.what()).size(), 400U);
  }
}

TEST(Toml, KeepsTypesOrderAndLines) {
  const Document document = parse_toml("z = 1\na = [1.5, 'x']\n[t]\nb = true\nn = nan\n", "f.toml");
  const auto& members = *document.root.as<Node::Object>();
  EXPECT_EQ(members[0].key, "z");
  EXPECT_EQ(*members[0].value.as<std::int64_t>(), 1);
  EXPECT_EQ(*(*members[1].value.as<Node::Array>())[0].as<double>(), 1.5);
  const Node& table = *document.root.find("t");
  EXPECT_EQ(*table.find("b")->as<bool>(), true);
  EXPECT_EQ(table.find("b")->line, 4);
  EXPECT_TRUE(std::isnan(*table.find("n")->as<double>()));
}

TEST(Toml, NamesTheLineOfAMistake) {
  expect_error([] { parse_toml("a = 1\nb = \n", "f.toml"); }, {"f.toml:2", "not valid TOML"});
  expect_error([] { parse_toml("a = 1\na = 2\n", "f.toml"); }, {"f.toml:2", "'a'"});
  expect_error([] { parse_toml("\nd = 1979-05-27\n", "f.toml"); }, {"f.toml:2", "dates"});
}

TEST(Toml, LimitsDepthOfKeysTablesAndArrays) {
  constexpr int kMany = 200'000;
  for (const std::string& text :
       {repeated("a.", kMany) + "a = 1", "[" + repeated("a.", kMany) + "a]",
        "a = " + repeated("[", kMany), "a = " + repeated("{a = ", kMany),
        repeated("'a'.", kMany) + "a = 1", repeated("a.a.a.a.a.a.a.a = {", 200)}) {
    expect_error([&] { parse_toml(text, "f.toml"); }, {"f.toml:1", "deeper than 64"});
  }
}

TEST(Toml, DotsInStringsCommentsAndNumbersAreNotDepth) {
  const std::string dots = repeated("a.", 200);
  const Document document =
      parse_toml("a = \"" + dots + "\\\"\"\nb = '''\n" + dots + "'''\n# " + dots + "\nc = [" +
                     repeated("1.5, ", 100) + "]\nd.e = 1.5\n",
                 "f.toml");
  EXPECT_EQ(document.root.find("c")->as<Node::Array>()->size(), 100U);
}

TEST(ReadDocument, DecidesBySuffixThenByContent) {
  const TemporaryFolder folder;
  EXPECT_NO_THROW(read_document(folder.write("a.json", "{\"a\": 1}")));
  EXPECT_NO_THROW(read_document(folder.write("a.toml", "a = 1")));
  EXPECT_NO_THROW(read_document(folder.write("json", " \n{\"a\": 1}")));
  EXPECT_NO_THROW(read_document(folder.write("toml", "[a]\nb = 1")));
  expect_error([&] { read_document(folder.write("b.toml", "{\"a\": 1}")); }, {"not valid TOML"});
  expect_error([&] { read_document(folder.write("b.json", "a = 1")); }, {"not valid JSON"});
}

TEST(ReadDocument, RefusesWhatIsNoTextFile) {
  const TemporaryFolder folder;
  expect_error([&] { read_document(folder / "missing.json"); },
               {"missing.json", "No such file or directory"});
  expect_error([&] { read_document(folder / ""); }, {"is a directory"});
  expect_error([&] { read_document(folder.write("e.toml", "")); }, {"e.toml: is empty"});
  expect_error([&] { read_document(folder.write("b.json", std::string("{\0}", 3))); },
               {"is binary"});
  expect_error([&] { read_document(folder.write("n.toml", "\x80\x81\xfe\xff")); }, {"UTF-8"});
  expect_error([] { read_document("/dev/zero"); }, {"larger than 64 MiB"});
}

TEST(ReadDocument, LimitsSize) {
  const TemporaryFolder folder;
  const auto path = folder.write("big.json", "{\"a\": \"");
  std::filesystem::resize_file(path, 100'000'000);  // sparse: no disk is used
  expect_error([&] { read_document(path); }, {"big.json: larger than 64 MiB"});
  const auto toml = folder.write("big.toml", std::string(9'000'000, '#'));
  expect_error([&] { read_document(toml); }, {"larger than 8 MiB", "TOML"});
}

TEST(Override, ReplacesAddsAndNamesItsOrigin) {
  Document document = parse_json("{\"law\": {\"a\": 1}, \"list\": [{\"x\": 1}, 2]}", "f.json");
  override_value(document, "law.a", "2.5", "--set law.a=2.5");
  override_value(document, "list[0].x", "word", "--set list[0].x=word");
  override_value(document, "new.deep", "[1, 2]", "--set new.deep=[1, 2]");
  EXPECT_EQ(*document.root.find("law")->find("a")->as<double>(), 2.5);
  EXPECT_EQ(*document.nearest("list[0].x").as<std::string>(), "word");
  const Node& added = document.nearest("new.deep[1]");
  EXPECT_EQ(*added.as<std::int64_t>(), 2);
  EXPECT_EQ(document.where(added), "--set new.deep=[1, 2]");
  EXPECT_EQ(document.where(document.nearest("list[1]")), "f.json:1");
}

TEST(Override, ReadsJsonAndToml) {
  Document document = parse_json("{}", "f.json");
  const auto set = [&](const std::string& text) { override_value(document, "a", text, "--set a"); };
  set("[inf, 0.5]");
  EXPECT_EQ(*document.nearest("a[0]").as<double>(), std::numeric_limits<double>::infinity());
  set("{x = 'one'}");
  EXPECT_EQ(*document.nearest("a.x").as<std::string>(), "one");
  for (const auto& [text, value] : {std::pair{".95", 0.95}, {"1.", 1.0}, {"+2e-3", 2e-3}}) {
    set(text);
    EXPECT_EQ(*document.root.find("a")->as<double>(), value) << text;
  }
  for (const char* text : {"inf", "1e999", ".", "1.2.3", "+-1"}) {
    set(text);
    EXPECT_NE(document.root.find("a")->as<std::string>(), nullptr) << text;
  }
  // Nothing but a value: no second key, no second line.
  set("1, \"b\": 2");
  EXPECT_EQ(*document.root.find("a")->as<std::string>(), "1, \"b\": 2");
  EXPECT_EQ(document.root.find("b"), nullptr);
  expect_error([&] { set("[1]\nb = 2"); }, {"neither JSON nor TOML"});
  expect_error([&] { set("[1, 2"); }, {"--set a: '[1, 2' is neither JSON nor TOML"});
}

TEST(Override, RefusesPathsThatLeadNowhere) {
  Document document = parse_json("{\"contacts\": [1, 2]}", "f.json");
  const auto set = [&](const std::string& path) {
    override_value(document, path, "1", "--set " + path + "=1");
  };
  expect_error([&] { set("contacts[2]"); }, {"--set contacts[2]=1", "[2]", "an array of 2"});
  expect_error([&] { set("contatcs[0]"); }, {"no array 'contatcs'", "did you mean 'contacts'?"});
  expect_error([&] { set("contacts[0].x"); }, {"'x' is a key"});
  for (const char* path : {"", "a..b", ".a", "a[", "a[x]", "a[0", "a]", "a[0]b"}) {
    expect_error([&] { set(path); }, {"is not a path"});
  }
}

TEST(Override, TakesKeysOut) {
  const std::string text = "{\"law\": {\"a\": 1, \"b\": 2}, \"list\": [{\"x\": 1, \"y\": 2}, 2]}";
  Document document = parse_json(text, "f.json");
  const auto unset = [&](const std::string& path) {
    remove_value(document, path, "--unset " + path);
  };
  unset("law.a");
  unset("list[0].y");
  EXPECT_EQ(document.root.find("law")->find("a"), nullptr);
  EXPECT_EQ(*document.nearest("law.b").as<std::int64_t>(), 2);
  EXPECT_EQ(document.nearest("list[0]").as<Node::Object>()->size(), 1U);
  unset("law");
  EXPECT_EQ(document.root.find("law"), nullptr);

  // What is not there was mistyped.
  expect_error([&] { unset("law.a"); }, {"--unset law.a: the file has no key 'law'"});
  expect_error([&] { unset("lists"); }, {"no key 'lists'", "did you mean 'list'?"});
  expect_error([&] { unset("list[0].x.z"); }, {"'z' is a key, but what holds it is 1"});
  expect_error([&] { unset("list[2].x"); }, {"no entry [2] in an array of 2"});
  expect_error([&] { unset("list[0]"); }, {"only keys"});
  expect_error([&] { unset("a..b"); }, {"is not a path"});
}

}  // namespace
}  // namespace percute::io
