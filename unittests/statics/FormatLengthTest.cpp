// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bound against what printf makes of extreme arguments.
#include "statics/front/FormatLength.h"

#include <climits>
#include <cstdio>
#include <gtest/gtest.h>

using fathom::statics::outputLength;

namespace {

template <class... Arguments> void expectWithin(const char *format, Arguments... arguments) {
  const auto length = outputLength(format);
  ASSERT_TRUE(length) << format;
  const auto made = static_cast<uint32_t>(snprintf(nullptr, 0, format, arguments...));
  EXPECT_LE(length->least, made) << format;
  EXPECT_GE(length->most, made) << format;
}

} // namespace

TEST(FormatLength, NoArgumentMakesMoreOrLess) {
  expectWithin("%d", INT_MIN);
  expectWithin("%+d", INT_MAX);
  expectWithin("%u", UINT_MAX);
  expectWithin("%ld|%lu", LONG_MIN, ULONG_MAX);
  expectWithin("%llu", ULLONG_MAX);
  expectWithin("%#lx %#o", ULONG_MAX, UINT_MAX);
  expectWithin("%#lo", ULONG_MAX);
  expectWithin("%hhx", 255);
  expectWithin("%zu%%", SIZE_MAX);
  expectWithin("%c%.3s", 'x', "abcdef");
  expectWithin("%40d", 1);
  expectWithin("%.30d", -1);
  expectWithin("%p", reinterpret_cast<void *>(UINTPTR_MAX));
  expectWithin("%d %u", 0, 0u);
  expectWithin("%.0d", 0);
  expectWithin("%.3s", "");
  expectWithin("%p", nullptr);
  expectWithin("abc%c", 'd');
}

TEST(FormatLength, AnyLengthIsNone) {
  for (const char *format : {"%s", "%*d", "%.*d", "%f", "%ls", "%lc", "%n", "%", "%99999999d"})
    EXPECT_FALSE(outputLength(format)) << format;
}
