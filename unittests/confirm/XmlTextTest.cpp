// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/XmlText.h"

#include "support/Rng.h"

#include <gtest/gtest.h>

using namespace fathom;
using namespace fathom::confirm;
using Token = XmlReader::Token;

static const char *const kDocument = R"(<?xml version="1.0"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD" "http://x/y.dtd">
<!-- a <comment> -->
<a one="1 &lt; 2" two='&#39;&#x41;'>
  text &amp; more &unknown;
  <empty/>
  <b><![CDATA[<raw>]]></b>
</a>
)";

TEST(XmlText, Tokens) {
  XmlReader xml(kDocument);
  ASSERT_EQ(xml.next(), Token::Open);
  EXPECT_EQ(xml.name(), "a");
  EXPECT_EQ(xml.attribute("one"), "1 < 2");
  EXPECT_EQ(xml.attribute("two"), "'A");
  EXPECT_EQ(xml.attribute("three"), "");
  ASSERT_EQ(xml.next(), Token::Text);
  EXPECT_EQ(xml.text(), "text & more &unknown;");
  ASSERT_EQ(xml.next(), Token::Open);
  EXPECT_EQ(xml.name(), "empty");
  EXPECT_EQ(xml.depth(), 2u);
  ASSERT_EQ(xml.next(), Token::Close);
  ASSERT_EQ(xml.next(), Token::Open);
  ASSERT_EQ(xml.next(), Token::Text);
  EXPECT_EQ(xml.text(), "<raw>");
  ASSERT_EQ(xml.next(), Token::Close);
  ASSERT_EQ(xml.next(), Token::Close);
  EXPECT_EQ(xml.next(), Token::End);
}

/// Wrong, and the reader does not go on.
static bool isWrong(const std::string &text) {
  XmlReader xml(text);
  for (size_t i = 0; i <= text.size() + 1; ++i) {
    const Token token = xml.next();
    if (token == Token::Wrong) return *xml.wrong() != 0 && xml.next() == Token::Wrong;
    if (token == Token::End) return false;
  }
  ADD_FAILURE() << "no end: " << text;
  return true;
}

TEST(XmlText, WrongTexts) {
  for (const char *text : {"<a>", "<a", "<a b", "<a b=", "<a b=c>", "<a b='", "</a>", "<a></b>",
                           "<a><b></a></b>", "x", "<>", "<a><!--</a>", "<a><![CDATA[x</a>"})
    EXPECT_TRUE(isWrong(text)) << text;
  EXPECT_FALSE(isWrong(kDocument));
  const std::string document = kDocument;
  const size_t begin = document.find("<a "), end = document.rfind("</a>") + 4;
  for (size_t n = begin + 1; n < end; ++n) EXPECT_TRUE(isWrong(document.substr(0, n))) << n;
}

TEST(XmlText, BytesChangedAtRandomDoNoHarm) {
  Rng rng(3);
  for (int i = 0; i < 3000; ++i) {
    std::string text = kDocument;
    for (int k = 0; k < 3; ++k) text[rng.below(text.size())] = static_cast<char>(rng.below(256));
    (void)isWrong(text);
    XmlReader xml(text);
    if (xml.next() == Token::Open) (void)plistValue(xml);
  }
}

TEST(XmlText, PropertyLists) {
  XmlReader xml(
      "<dict><key>n</key><integer>-3</integer><key>list</key><array><string>a &lt; b</string>"
      "<true/><dict/></array><key>e</key><string></string></dict>");
  xml.next();
  const llvm::json::Value value = plistValue(xml);
  const llvm::json::Value expected = llvm::json::Object{
      {"n", -3}, {"list", llvm::json::Array{"a < b", true, llvm::json::Object{}}}, {"e", ""}};
  EXPECT_EQ(value, expected);
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<array>";
  XmlReader nested(deep);
  nested.next();
  EXPECT_EQ(plistValue(nested), llvm::json::Value(nullptr));
}
