// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the table of library functions: what two parts of a row say of the same must agree.
#include "statics/front/LibraryFunctions.h"

#include <gtest/gtest.h>

namespace fathom::statics {
namespace {

bool has(ArgumentSet set, int8_t argument) { return set >> argument & 1; }

bool changesMemory(const Summary &s) {
  return s.allocates != Allocates::Nothing || s.written || s.freed || s.calls >= 0 || s.copies();
}

TEST(LibraryFunctions, AreFoundByTheirNames) {
  for (const LibraryFunction *row : libraryFunctions())
    EXPECT_EQ(findLibraryFunction(row->name), row) << row->name;
  EXPECT_EQ(findLibraryFunction("strcpyy"), nullptr);
  EXPECT_EQ(findLibraryFunction(""), nullptr);
}

TEST(LibraryFunctions, OneRowSaysAllThatIsKnown) {
  const LibraryFunction *copy = findLibraryFunction("strcpy");
  ASSERT_NE(copy, nullptr);
  ASSERT_TRUE(copy->summary);
  EXPECT_EQ(copy->summary->to, 0);
  EXPECT_EQ(copy->summary->from, 1);
  EXPECT_EQ(copy->dereferenced, 3);
  EXPECT_TRUE(copy->buffer.uses[0].writes);
  EXPECT_EQ(copy->buffer.uses[0].textAt, 1);
  EXPECT_EQ(copy->buffer.after, TextAfter::Copied);
  const LibraryFunction *read = findLibraryFunction("read");
  ASSERT_NE(read, nullptr);
  EXPECT_FALSE(read->summary);
  EXPECT_EQ(read->buffer.countOf, 2);
  EXPECT_TRUE(read->buffer.countFails);
  EXPECT_TRUE(read->readsInput);
  EXPECT_TRUE(read->puts.isTo(1));
  EXPECT_FALSE(read->puts.isTo(0));
}

TEST(LibraryFunctions, SummariesAgreeWithTheRestOfTheirRows) {
  for (const LibraryFunction *row : libraryFunctions()) {
    SCOPED_TRACE(row->name);
    if (!row->summary) continue;
    const Summary &s = *row->summary;
    EXPECT_EQ(s.name, row->name);
    EXPECT_FALSE(s.freed & row->dereferenced) << "free takes null";
    EXPECT_FALSE(row->closed) << "calls that close are no summaries";
    for (const BufferUse &use : row->buffer.uses)
      if (use.argument >= 0) {
        EXPECT_TRUE(has(use.writes ? s.written : s.read, use.argument)) << int(use.argument);
      }
    EXPECT_FALSE(row->isHarmless && changesMemory(s));
    EXPECT_FALSE(s.allocates == Allocates::Nothing && s.bytesAt >= 0);
    EXPECT_FALSE(s.bytesAt < 0 && s.timesAt >= 0);
    EXPECT_FALSE(s.returned && row->opens != Opens::Nothing);
  }
}

TEST(LibraryFunctions, RowsAgreeWithThemselves) {
  for (const LibraryFunction *row : libraryFunctions()) {
    SCOPED_TRACE(row->name);
    EXPECT_FALSE(row->isHarmless && row->endsProgram);
    EXPECT_FALSE(row->isHarmless && row->puts.first >= 0);
    EXPECT_FALSE(row->isRepeatable && row->summary && changesMemory(*row->summary));
    EXPECT_FALSE(row->opens == Opens::File && !row->mayReturnNull);
    EXPECT_FALSE(row->opens != Opens::Nothing && row->closed);
    const BufferCall &b = row->buffer;
    EXPECT_FALSE(b.countFails && b.countOf < 0);
    EXPECT_EQ(b.after != TextAfter::Nothing, b.text >= 0);
    EXPECT_EQ(b.after == TextAfter::Copied || b.after == TextAfter::Appended, b.textFrom >= 0);
    if (b.isReturnedOrNull) EXPECT_TRUE(row->mayReturnNull);
    for (const BufferUse &use : b.uses)
      EXPECT_LE((use.textAt >= 0) + (use.bytesAt >= 0), use.argument >= 0);
    EXPECT_FALSE(!row->format.isTaken() && row->format.into >= 0);
    // A list of arguments goes to functions whose names say so.
    EXPECT_TRUE(!row->format.takesList || row->name.starts_with('v'));
    if (row->danger) EXPECT_FALSE(row->danger->why.empty() || row->danger->instead.empty());
  }
}

} // namespace
} // namespace fathom::statics
