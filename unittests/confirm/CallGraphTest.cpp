// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where paths to the places of a report begin, on call graphs made by hand.
#include "confirm/CallGraph.h"

#include <gtest/gtest.h>

namespace fathom::confirm {
namespace {

using program::FunctionCode;
using program::Inst;
using program::Op;

/// Functions 0, 1, ... with these calls, in this order. Function 0 is main.
program::Program withCalls(const std::vector<std::vector<uint32_t>> &calls) {
  program::Program program;
  for (uint32_t id = 0; id < calls.size(); ++id) {
    FunctionCode f;
    f.id = id;
    f.name = id ? "f" + std::to_string(id) : "main";
    for (uint32_t callee : calls[id]) f.code.push_back(Inst{.op = Op::Call, .c = callee});
    f.code.push_back(Inst{.op = Op::RetVoid});
    f.locs.assign(f.code.size(), 0);
    program.functionIndex[f.name] = id;
    program.functions.push_back(std::move(f));
  }
  program.locations.resize(1);
  program.files.emplace_back();
  return program;
}

TEST(CallGraph, TheInnermostFunctionThatReachesAll) {
  // main -> 1 -> 2 -> {3, 4}; 1 -> 3 as well.
  const program::Program program = withCalls({{1}, {2, 3}, {3, 4}, {}, {}});
  const CallGraph calls(program);
  EXPECT_EQ(calls.commonCaller({3}), 3u);
  EXPECT_EQ(calls.commonCaller({3, 3}), 3u);
  EXPECT_EQ(calls.commonCaller({3, 4}), 2u) << "1 is as near, and further out";
  EXPECT_EQ(calls.commonCaller({4, 3}), 2u);
  EXPECT_EQ(calls.commonCaller({3, 2}), 2u);
  EXPECT_EQ(calls.commonCaller({1, 4}), 1u);
  EXPECT_EQ(calls.commonCaller({}), std::nullopt);
}

TEST(CallGraph, FunctionsThatNobodyCallsTogether) {
  const program::Program program = withCalls({{}, {}, {}});
  EXPECT_EQ(CallGraph(program).commonCaller({1, 2}), std::nullopt);
}

TEST(CallGraph, OfACycleTheNearestOne) {
  // 1 and 2 call each other, and 2 calls 3.
  const program::Program program = withCalls({{1}, {2}, {1, 3}, {}});
  EXPECT_EQ(CallGraph(program).commonCaller({3, 1}), 2u);
}

TEST(CallGraph, OthersThanTheProgramsOwnAreNoBeginning) {
  program::Program program = withCalls({{1}, {2, 3}, {}, {}});
  program.functions[1].own = false;
  EXPECT_EQ(CallGraph(program).commonCaller({2, 3}), 0u);
}

TEST(CallGraph, TheHarnessHasAMainOnlyWithTheFunctionThatItCalls) {
  program::Program program = withCalls({{1}, {}});
  EXPECT_TRUE(CallGraph(program).isMain(0));
  EXPECT_FALSE(CallGraph(program).isMain(1));
  program.functions[0].own = false;
  EXPECT_FALSE(CallGraph(program).isMain(0));
  EXPECT_FALSE(CallGraph(program).main());
  program.functionIndex["LLVMFuzzerTestOneInput"] = 1;
  EXPECT_TRUE(CallGraph(program).isMain(0));
}

TEST(CallGraph, WhatIsCalledOnce) {
  // 1 is called once, and calls 2 twice; 3 is recursive; 4 comes of 3.
  program::Program program = withCalls({{1, 3}, {2, 2}, {}, {3, 4}, {}});
  const CallGraph calls(program);
  EXPECT_TRUE(calls.runsOnce(0));
  EXPECT_TRUE(calls.runsOnce(1));
  EXPECT_FALSE(calls.runsOnce(2));
  EXPECT_FALSE(calls.runsOnce(3));
  EXPECT_FALSE(calls.runsOnce(4));
  // In a loop.
  program.functions[0].code.pop_back();
  program.functions[0].code.push_back(Inst{.op = Op::Jmp, .c = 0});
  EXPECT_FALSE(CallGraph(program).runsOnce(1));
}

} // namespace
} // namespace fathom::confirm
