// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a confirmed path says of its input.
#include "confirm/PathValues.h"
#include "confirm/InputValues.h"

#include <gtest/gtest.h>

namespace fathom::confirm {
namespace {

std::string textOf(std::vector<uint8_t> data) {
  const PathValues values = pathValues({{"stdin", std::move(data)}}, {});
  return values.shown.size() == 1 ? values.shown[0].second : "none";
}

TEST(PathValues, EveryOneHasAText) {
  EXPECT_EQ(textOf({}), "(empty)");
  EXPECT_EQ(textOf({7}), "7");
  EXPECT_EQ(textOf({0, 0, 0}), "3 zero bytes");
  EXPECT_EQ(textOf({0, 0, 0x41, 0, 0, 0}), "00 00 41 and 3 zero bytes");
  EXPECT_EQ(textOf(std::vector<uint8_t>(9)), "none") << "large, and nobody looked at it";
}

TEST(PathValues, WhatDecidesComesFirstAndTheRestIsCounted) {
  std::vector<explore::SymbolValue> symbols;
  for (int i = 0; i < 20; ++i) symbols.push_back({"zero" + std::to_string(i), {0, 0, 0, 0}});
  symbols.push_back({"*p", std::vector<uint8_t>(512)});
  symbols.back().data[8] = 9;
  symbols.push_back({"n", {7, 0, 0, 0}});
  const PathValues values =
      pathValues(symbols, {{"n", 0, 4}, {"*p", 8, 4}, {"of another path", 0, 4}, {"*p", 9, 1}});
  const std::vector<std::pair<std::string, std::string>> expected = {{"n", "7"}, {"*p at 8", "9"}};
  EXPECT_EQ(values.shown, expected);
  EXPECT_EQ(values.more, 0u);
  EXPECT_EQ(values.others, 20u);
}

TEST(PathValues, BytesOfATextAreOne) {
  const PathValues values = pathValues({{"*s", {'a', '"', 0, 0, 0}}}, {{"*s", 0, 3, true}});
  ASSERT_EQ(values.shown.size(), 1u);
  EXPECT_EQ(values.shown[0].second, R"("a\x22")");
}

TEST(PathValues, NoMoreThanADozen) {
  std::vector<explore::SymbolValue> symbols;
  for (int i = 0; i < 20; ++i) symbols.push_back({"n" + std::to_string(i), {1}});
  const PathValues first = pathValues(symbols, {});
  EXPECT_EQ(first.shown.size(), 12u);
  EXPECT_EQ(first.shown[0].first, "n0");
  EXPECT_EQ(first.more, 8u);
  EXPECT_EQ(first.others, 0u);
  std::vector<ValueUse> uses;
  for (int i = 20; i-- > 5;) uses.push_back({"n" + std::to_string(i), 0, 1});
  const PathValues deciding = pathValues(symbols, uses);
  EXPECT_EQ(deciding.shown.size(), 12u);
  EXPECT_EQ(deciding.shown[0].first, "n19");
  EXPECT_EQ(deciding.more, 3u);
  EXPECT_EQ(deciding.others, 5u);
}

using Shown = std::vector<std::pair<std::string, std::string>>;
using fathom::evidence::InputId;

TEST(PathValues, BytesAreShownOnce) {
  // Of one object: a byte, the number that it is of, and a text elsewhere.
  const PathValues values =
      pathValues({{"*p", {7, 1, 0, 0, 'a', 'b'}}, {"n", {3}}},
                 {{"*p", 1, 1}, {"n", 0, 1}, {"*p", 0, 4}, {"*p", 4, 2, true}});
  EXPECT_EQ(values.shown, (Shown{{"*p", "263"}, {"n", "3"}, {"*p at 4", "\"ab\""}}));
}

std::vector<uint8_t> bytes(const std::string &text) { return {text.begin(), text.end()}; }

explore::TestCase withInputs() {
  explore::TestCase test;
  test.inputs = {{InputId::argument(0), bytes(std::string("prog\0", 5))},
                 {InputId::argument(1), bytes(std::string("-x\0\0", 4))},
                 {InputId::standardInput(), bytes(std::string("ab\0", 3))},
                 {InputId::file("A"), bytes("file")},
                 {InputId::environment("HOME"), bytes(std::string("HOME=/x\0", 8))}};
  test.symbols = {{"n_args", {1, 0, 0, 0}},
                  {"arg00", bytes("-x")},
                  {"stdin", bytes("ab")},
                  {"A-data", bytes("file")},
                  {"has_HOME", {1}},
                  {"HOME", bytes("/x")},
                  {"m", {5}}};
  return test;
}

TEST(InputValues, EachInputIsShownOnceInWordsOfUsers) {
  const PathValues values = inputValues(withInputs(), {{"stdin", 1, 1},
                                                       {"m", 0, 1},
                                                       {"n_args", 0, 4},
                                                       {"stdin", 0, 2},
                                                       {"arg00", 0, 1},
                                                       {"stdin", 0, 0}});
  EXPECT_EQ(values.shown,
            (Shown{{"standard input", "\"ab\\x00\""}, {"argument 1", "\"-x\""}, {"m", "5"}}));
  EXPECT_EQ(values.others, 2u) << "file and variable";
  const PathValues variable = inputValues(withInputs(), {{"has_HOME", 0, 1}, {"A-data", 0, 1}});
  EXPECT_EQ(variable.shown, (Shown{{"variable HOME", "\"/x\""}, {"file A", "\"file\""}}));
  EXPECT_EQ(variable.others, 3u);
}

TEST(InputValues, VariablesThatAreNotSetAreShown) {
  explore::TestCase test;
  test.symbols = {{"has_HOME", {0}}, {"has_PATH", {0, 0}}, {"has_LONG", {1}}};
  EXPECT_EQ(inputValues(test, {}).shown,
            (Shown{{"variable HOME", "not set"}, {"has_PATH", "0"}, {"has_LONG", "1"}}));
  const PathValues asked = inputValues(test, {{"has_HOME", 0, 1}});
  EXPECT_EQ(asked.shown, (Shown{{"variable HOME", "not set"}}));
  EXPECT_EQ(asked.others, 2u);
}

TEST(InputValues, WithoutUsesAll) {
  EXPECT_EQ(inputValues(withInputs(), {}).shown.size(), 5u);
  explore::TestCase none = withInputs();
  none.inputs.resize(1);
  none.symbols.resize(1);
  EXPECT_EQ(inputValues(none, {{"n_args", 0, 4}}).shown, (Shown{{"arguments", "none"}}));
}

TEST(InputValues, LongOnesAreCut) {
  explore::TestCase test;
  test.inputs = {{InputId::standardInput(), std::vector<uint8_t>(40, 'a')}};
  test.symbols = {{"stdin", std::vector<uint8_t>(40, 'a')}};
  EXPECT_EQ(inputValues(test, {}).shown[0].second,
            "\"" + std::string(32, 'a') + "\"... (40 bytes)");
  test.inputs[0].data.assign(16, 0);
  EXPECT_EQ(inputValues(test, {}).shown[0].second, "16 zero bytes");
}

} // namespace
} // namespace fathom::confirm
