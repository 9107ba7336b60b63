// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dictionaries of users: AFL's syntax, line by line, and what is said of a line that is wrong.
#include "campaign/Dictionary.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace fathom::campaign;

namespace {

struct DictionaryTest : testing::Test {
  void SetUp() override {
    char name[] = "/tmp/fathom-words-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  /// The words with a bar behind each, or what is wrong, without the file's name.
  std::string read(const std::string &text, const std::string &level = "") {
    const std::string file = folder + "/dict";
    std::ofstream(file) << text;
    auto words = readDictionary(file + level);
    if (!words) {
      std::string message = llvm::toString(words.takeError());
      return message.starts_with(file) ? message.substr(file.size()) : message;
    }
    std::string all;
    for (const std::string &word : *words) all += word + "|";
    return all;
  }

  std::string folder;
};

TEST_F(DictionaryTest, Lines) {
  EXPECT_EQ(read("a=\"x\"\n  b_2 = \"y\" \r\n\"z\"\n\n# \"no\"\n"), "x|y|z|");
  EXPECT_EQ(read("a=\"x=#y\""), "x=#y|") << "no end of line";
  EXPECT_EQ(read(R"(a="\x41\\\"\x7f")"), "A\\\"\x7f|");
  EXPECT_EQ(read("a=\"x\"\nb=\"x\"\n"), "x|") << "each once";
}

TEST_F(DictionaryTest, Levels) {
  const std::string text = "a=\"x\"\nb@1=\"y\"\nc@12=\"z\"\n";
  EXPECT_EQ(read(text), "x|");
  EXPECT_EQ(read(text, "@1"), "x|y|");
  EXPECT_EQ(read(text, "@12"), "x|y|z|");
  EXPECT_EQ(read("a@1=\"x\"\n"), ": no word in it; expected lines name=\"value\"");
}

TEST_F(DictionaryTest, WrongLines) {
  EXPECT_EQ(read("x\n"), ":1: expected name=\"value\"");
  EXPECT_EQ(read("\n\na=x\"\n"), ":3: expected name=\"value\"");
  EXPECT_EQ(read("a \"x\"\n"), ":1: expected name=\"value\"");
  EXPECT_EQ(read("a=\"x\\\"\n"), ":1: expected name=\"value\"") << "the last quote is escaped";
  EXPECT_EQ(read("a=\"x\"y\"\n"), ":1: a quote within the value; write \\\"");
  EXPECT_EQ(read("a=\"\\n\"\n"), R"(:1: a wrong escape; expected \\, \" or \xNN)");
  EXPECT_EQ(read("a=\"\\x4\"\n"), R"(:1: a wrong escape; expected \\, \" or \xNN)");
  EXPECT_EQ(read("a=\"\x01\"\n"), ":1: byte 0x01 within the value; write \\x01");
  EXPECT_EQ(read("a=\"\"\n"), ":1: an empty value");
  EXPECT_EQ(read("a=\"" + std::string(129, 'x') + "\"\n"), ":1: a value of 129 bytes; at most 128");
  EXPECT_EQ(read("a=\"" + std::string(128, 'x') + "\"\n"), std::string(128, 'x') + "|");
}

TEST_F(DictionaryTest, TheUsersWordsComeFirstAndOnce) {
  EXPECT_EQ(joinDictionaries({"b", "a\n"}, "\"x\"\n\"b\"\n"), "\"b\"\n\"a\\x0a\"\n\"x\"\n");
  EXPECT_EQ(joinDictionaries({}, "\"x\"\n"), "\"x\"\n");
}

} // namespace
