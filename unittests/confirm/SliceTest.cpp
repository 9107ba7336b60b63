// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which regions can be left out, in functions made by hand.
#include "confirm/Slice.h"

#include <gtest/gtest.h>

namespace fathom::confirm {
namespace {

using program::Inst;
using program::Op;

/// Function 0 with this code, which gives slot 1; slot 0 is a parameter of one bit. Function 1
/// never comes back, and of function 2 nothing is known.
program::Program withCode(std::vector<Inst> code) {
  program::Program program;
  program.shapes = {{}, {1}};
  const auto add = [&](std::vector<Inst> body, bool isMade) {
    program::FunctionCode f;
    f.id = static_cast<uint32_t>(program.functions.size());
    f.name = "f" + std::to_string(f.id);
    f.slots = f.localBase = 3;
    f.argShape = isMade ? 1 : 0;
    f.code = std::move(body);
    f.locs.assign(f.code.size(), 0);
    for (uint32_t i = 0; i < f.code.size(); ++i) {
      program.locations.push_back({.file = 0, .line = 10 * f.id + i + 1});
      f.locs[i] = static_cast<uint32_t>(program.locations.size() - 1);
    }
    program.functionIndex[f.name] = f.id;
    program.functions.push_back(std::move(f));
  };
  program.files = {"a.c"};
  add(std::move(code), true);
  add({{.op = Op::Unreachable}}, false);
  add({{.op = Op::RetVoid}}, false);
  return program;
}

std::vector<Region> regionsOf(const program::Program &program) {
  return regionsToLeaveOut(program, CallEffects(), Returns(program));
}

using Registers = std::vector<std::pair<uint32_t, unsigned>>;

/// if (slot 0) <body>; return slot 1
std::vector<Inst> branchAround(Inst body) {
  return {{.op = Op::CondJmp, .a = 0, .c = 1, .d = 3},
          body,
          {.op = Op::Jmp, .c = 3},
          {.op = Op::Ret, .a = 1, .b = 1}};
}

TEST(Regions, ThatGiveANumberCoverEveryRun) {
  const program::Program program =
      withCode(branchAround({.op = Op::Mov, .w = 32, .dst = 1, .a = 2}));
  const std::vector<Region> found = regionsOf(program);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].branch, 0u);
  EXPECT_EQ(found[0].after, 3u);
  EXPECT_EQ(found[0].registers, (Registers{{1, 32}}));
  EXPECT_TRUE(found[0].isExact);
}

TEST(Regions, ARegisterOfAPointersWidthMayBeOne) {
  // On the way around the region slot 1 has its width from before.
  std::vector<Inst> code = {{.op = Op::Mov, .w = 64, .dst = 1, .a = 2},
                            {.op = Op::CondJmp, .a = 0, .c = 2, .d = 4},
                            {.op = Op::Mov, .w = 64, .dst = 1, .a = 2},
                            {.op = Op::Jmp, .c = 4},
                            {.op = Op::Ret, .a = 1, .b = 1}};
  const std::vector<Region> found = regionsOf(withCode(code));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].isExact);
  EXPECT_EQ(found[0].registers, (Registers{{1, 64}}));
  // No code reads it.
  code.back() = {.op = Op::RetVoid};
  const std::vector<Region> unread = regionsOf(withCode(code));
  ASSERT_EQ(unread.size(), 1u);
  EXPECT_TRUE(unread[0].isExact && unread[0].registers.empty());
}

TEST(Regions, ThatWriteNeedToBeKnown) {
  EXPECT_TRUE(regionsOf(withCode(branchAround({.op = Op::Store32, .a = 2, .b = 2}))).empty());
  EXPECT_TRUE(regionsOf(withCode(branchAround({.op = Op::Call, .c = 2}))).empty())
      << "nothing is known of the callee";
}

TEST(Regions, EndWhereWaysMeetThatComeBack) {
  const program::Program program = withCode(branchAround({.op = Op::Call, .c = 1}));
  const std::vector<Region> found = regionsOf(program);
  ASSERT_EQ(found.size(), 1u) << "an error that ends the program";
  EXPECT_TRUE(found[0].isExact && found[0].registers.empty());
  EXPECT_EQ(found[0].callees, (std::vector<uint32_t>{1}));
  EXPECT_TRUE(found[0].returning.empty());
}

TEST(Regions, HoldThePlacesOfTheirLines) {
  const program::Program program = withCode(branchAround({.op = Op::Call, .c = 1}));
  const std::vector<Region> found = regionsOf(program);
  ASSERT_EQ(found.size(), 1u);
  const auto isIn = [&](uint32_t line) {
    return holds(program, found[0], {Place{"a.c", line, 0, ""}});
  };
  EXPECT_TRUE(isIn(1) && isIn(2) && isIn(3));
  EXPECT_FALSE(isIn(4)) << "behind it";
  EXPECT_FALSE(holds(program, found[0], {Place{"b.c", 2, 0, ""}}));
}

} // namespace
} // namespace fathom::confirm
