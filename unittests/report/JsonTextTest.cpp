// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonText.h"

#include "support/Rng.h"

#include "llvm/Support/FormatVariadic.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::report;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

namespace {

Value randomValue(Rng &rng, unsigned depth) {
  switch (rng.below(depth ? 8 : 6)) {
  case 0: return nullptr;
  case 1: return rng.below(2) == 0;
  case 2: return static_cast<int64_t>(rng.below(2000)) - 1000;
  case 3: return 7;
  case 4: return "a \"quoted\\ \n string";
  case 5: return "";
  case 6: {
    Array out;
    for (uint64_t i = rng.below(4); i > 0; --i) out.push_back(randomValue(rng, depth - 1));
    return out;
  }
  default: {
    Object out;
    for (uint64_t i = rng.below(4); i > 0; --i)
      out[std::string(1, static_cast<char>('a' + i))] = randomValue(rng, depth - 1);
    return out;
  }
  }
}

bool parses(const std::string &text) {
  llvm::Expected<Value> value = llvm::json::parse(text);
  if (value) return true;
  llvm::consumeError(value.takeError());
  return false;
}

bool skips(const std::string &text) {
  size_t at = 0;
  return skipJson(text, at).empty() && llvm::StringRef(text).substr(at).trim().empty();
}

} // namespace

// LLVM's parser is the oracle, also of texts that are wrong at one place.
TEST(JsonText, AgreesWithLlvmsParser) {
  Rng rng(7);
  unsigned wrong = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = llvm::formatv(i % 2 ? "{0}" : "{0:2}", randomValue(rng, 4)).str();
    ASSERT_TRUE(skips(text)) << text;
    std::string broken = text;
    const size_t at = rng.below(broken.size());
    static constexpr char kOther[] = "{}[],:\"x0 ";
    if (rng.below(2))
      broken.erase(at, 1);
    else
      broken[at] = kOther[rng.below(sizeof kOther - 1)];
    ASSERT_EQ(parses(broken), skips(broken)) << broken;
    wrong += !skips(broken);
  }
  EXPECT_GT(wrong, 500u);
}

TEST(JsonText, PartsAreWhatTheParserSees) {
  Rng rng(8);
  for (int i = 0; i < 500; ++i) {
    Object object;
    for (int k = 0; k < 5; ++k)
      object[std::string(1, static_cast<char>('a' + k))] = randomValue(rng, 3);
    const std::string text = llvm::formatv("{0:2}", Value(Object(object))).str();
    size_t count = 0;
    forEachMember(text, [&](llvm::StringRef key, llvm::StringRef value) {
      ++count;
      EXPECT_EQ(parseJson(value), *object.get(key));
    });
    EXPECT_EQ(count, object.size());
  }
  std::vector<std::string> seen;
  forEachElement(" [ 1, \"a,]\" , {\"b\": [2]} ]",
                 [&](llvm::StringRef e) { seen.push_back(e.str()); });
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "\"a,]\"", "{\"b\": [2]}"}));
  forEachElement("[]", [&](llvm::StringRef) { FAIL(); });
}

TEST(JsonText, Numbers) {
  for (const char *text : {"0", "-1", "1.5", "-0.25e-3", "12E+4"}) EXPECT_TRUE(skips(text)) << text;
  for (const char *text : {"", "-", "+1", ".5", "1e", "0x1", "nan", "truth", "nul"})
    EXPECT_FALSE(skips(text)) << text;
}

TEST(JsonText, DepthIsBounded) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(skips(nested(500)));
  size_t at = 0;
  EXPECT_EQ(skipJson(nested(1'000'000), at), "nested too deep");
}

TEST(JsonText, EveryPrefixIsCut) {
  const std::string text = R"({"a": [1, "x\"y", true], "b": {"c": null}})";
  for (size_t n = 0; n < text.size(); ++n) EXPECT_FALSE(skips(text.substr(0, n))) << n;
}
