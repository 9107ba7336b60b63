// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/KTest.h"

#include <gtest/gtest.h>

using namespace fathom::report;

static std::string error(llvm::StringRef data) {
  llvm::Expected<KTest> test = decodeKTest(data);
  return test ? "" : llvm::toString(test.takeError());
}

TEST(KTest, RoundTrip) {
  KTest test;
  test.arguments = {"prog", "", std::string("a\xff\n", 3)};
  test.symArgvs = 1;
  test.symArgvLen = 2;
  test.objects = {{"x", std::string("\0\1\2", 3)}, {"empty", ""}, {"x_1", std::string(1000, 'z')}};
  llvm::Expected<KTest> back = decodeKTest(encodeKTest(test));
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(back->version, 3u);
  EXPECT_EQ(back->arguments, test.arguments);
  EXPECT_EQ(back->symArgvs, 1u);
  EXPECT_EQ(back->symArgvLen, 2u);
  ASSERT_EQ(back->objects.size(), 3u);
  EXPECT_EQ(back->objects[0].bytes, test.objects[0].bytes);
  EXPECT_EQ(back->objects[2].name, "x_1");
}

// What klee 3.1 writes for int x with value 5, byte for byte.
TEST(KTest, AsKleeWritesIt) {
  const char raw[] =
      "KTEST\0\0\0\3\0\0\0\1\0\0\0\4a.bc\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1x\0\0\0\4\5\0\0\0";
  std::string bytes(raw, sizeof raw - 1);
  KTest test;
  test.arguments = {"a.bc"};
  test.objects = {{"x", std::string("\5\0\0\0", 4)}};
  EXPECT_EQ(encodeKTest(test), bytes);
  EXPECT_EQ(error(bytes), "");
}

TEST(KTest, OlderVersions) {
  const char raw[] = "KTEST\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\2x\0\0\0\0\1q";
  llvm::Expected<KTest> test = decodeKTest(llvm::StringRef(raw, sizeof raw - 1));
  ASSERT_TRUE(bool(test)) << llvm::toString(test.takeError());
  EXPECT_EQ(test->objects[0].name, "x") << "a name stored with its NUL";
  EXPECT_EQ(test->objects[0].bytes, "q");
}

TEST(KTest, Damaged) {
  EXPECT_EQ(error("ELF"), "not a .ktest file: it does not start with KTEST");
  EXPECT_EQ(error(llvm::StringRef("KTEST\0\0\0\11", 9)), ".ktest version is 9, expected 1 to 3");
  KTest test;
  test.arguments = {"program"};
  test.objects = {{"x", "1234"}};
  std::string whole = encodeKTest(test);
  for (size_t size = 5; size < whole.size(); ++size)
    EXPECT_NE(error(llvm::StringRef(whole).take_front(size)), "") << size;
  // A count of four thousand million objects must not take that much memory.
  EXPECT_NE(error(llvm::StringRef("KTEST\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff", 25)),
            "");
}
