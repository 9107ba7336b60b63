// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From which object an address was computed, and what follows where that is not known.
#include "Support.h"

#include <gtest/gtest.h>
#include <set>

namespace fathom::explore::test {
namespace {

/// Runs a program in which two objects are told apart by their values, and expects both to be read.
/// before, between: other objects, which decide in which bits the two addresses differ.
void expectBothAreRead(const char *address, const std::string &before, const char *between) {
  program::Program program = compile(std::string(R"(
int main(void) {
  unsigned char in[2];
  )") + before + R"(
  volatile char one = 1; )" + between +
                                     R"(
  volatile char other = 2;
  unsigned long table[2] = {(unsigned long)&one, (unsigned long)&other};
  __fathom_make_symbolic(in, sizeof in, "in");
  return *(char *)()" + address + R"();
}
)");
  for (const char *when : {"eager", "lazy"}) {
    ExploreOptions options;
    options.branchChecks = kBranchChecksNames.find(when).value();
    Rig rig(program, {}, options);
    rig.runAll();
    for (const Bug &bug : rig.kept.bugs) ADD_FAILURE() << when << ": " << bug.message;
    std::set<int> statuses;
    for (const TestCase &test : rig.kept.tests) statuses.insert(test.status);
    EXPECT_EQ(statuses, (std::set<int>{1, 2})) << when;
  }
}
void expectBothAreRead(const char *address) {
  std::string before;
  for (const char *name : {"a", "b", "c", "d"}) {
    for (const char *between : {"", "volatile char x = 1;", "volatile char x = 1, y = 2, z = 3;"})
      expectBothAreRead(address, before, between);
    before += std::string("static char ") + name + "[1] = {1}; " + name + "[0]++; ";
  }
}

TEST(Addresses, OfATableOfNumbersMeanAllItsObjects) { expectBothAreRead("table[in[0] & 1]"); }

TEST(Addresses, OfTheSmallerOfTwoMeanBothObjects) {
  expectBothAreRead("__builtin_elementwise_min(table[in[0] & 1], table[in[1] & 1])");
}

/// Whose copies for other addresses are made before anything is written: they run it from its
/// beginning.
TEST(Addresses, OfABlockThatOverlapsItselfAreSplitBeforeItIsMoved) {
  program::Program program = compile(R"(
void *memmove(void *, const void *, unsigned long);
int main(void) {
  unsigned char in[1];
  static unsigned char table[70000];
  __fathom_make_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 8; i++) table[300 + i] = table[20300 + i] = i;
  unsigned char *at = table + 300 + (in[0] & 1) * 20000;
  __builtin_memmove(at + 1, at, 4);
  return at[1] == 0 && at[2] == 1 && at[3] == 2 && at[4] == 3 ? 1 : 2;
}
)");
  for (const char *when : {"eager", "lazy"}) {
    ExploreOptions options;
    options.branchChecks = kBranchChecksNames.find(when).value();
    options.maxTableBytes = 20304;
    Rig rig(program, {}, options);
    rig.runAll();
    std::set<int> statuses;
    for (const TestCase &test : rig.kept.tests) statuses.insert(test.status);
    EXPECT_EQ(statuses, (std::set<int>{1})) << when;
  }
}

} // namespace
} // namespace fathom::explore::test
