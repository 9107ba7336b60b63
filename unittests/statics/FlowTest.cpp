// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From LLVM assembly to value flow: small programs whose answers are known.
#include "Analysed.h"

#include "statics/valueflow/Distances.h"
#include "statics/valueflow/Reachability.h"

#include <gtest/gtest.h>

namespace fathom::statics {
namespace {

TEST(Flow, ValuesThatPassThroughOneFunctionStayApart) {
  Analysed a(R"(
@box = global i32 0
define i32 @same(i32 %x) {
  store i32 %x, ptr @box
  %y = load i32, ptr @box
  ret i32 %y
}
define i32 @main(i32 %argc, ptr %argv) {
  %one = add i32 %argc, 1
  %two = mul i32 %argc, 2
  %a = call i32 @same(i32 %one)
  %b = call i32 @same(i32 %two)
  %c = sub i32 %b, 1
  ret i32 %a
})");
  const ValueId one = a.statement("main", StatementKind::Arithmetic, 0).result;
  const ValueId two = a.statement("main", StatementKind::Arithmetic, 1).result;
  const ValueId resultA = a.statement("main", StatementKind::Call, 0).result;
  const ValueId resultB = a.statement("main", StatementKind::Call, 1).result;
  Reachability forward(a.flow->graph(), FlowDirection::Forward);
  Reachability backward(a.flow->graph(), FlowDirection::Backward);
  const std::vector<FlowNode> fromOne = forward.from(one), toB = backward.from(resultB);
  auto has = [](const std::vector<FlowNode> &nodes, FlowNode n) {
    return std::binary_search(nodes.begin(), nodes.end(), n);
  };
  EXPECT_TRUE(has(fromOne, resultA));
  EXPECT_FALSE(has(fromOne, resultB));
  EXPECT_TRUE(has(toB, two));
  EXPECT_FALSE(has(toB, one));
  // The summary of the call stands for the way through the variable.
  const std::vector<FlowStep> path = forward.path(one, resultA);
  ASSERT_EQ(path.size(), 2u);
  EXPECT_EQ(path[1].kind, FlowStep::Summary);
}

TEST(Flow, MemoryThatPassesThroughAFunctionStaysItself) {
  Analysed a(R"(
@a = global i32 0
@b = global i32 0
@where = global ptr null
define void @either(i32 %v) {
  %p = load ptr, ptr @where
  store i32 %v, ptr %p
  ret void
}
define i32 @main(i32 %argc, ptr %argv) {
  %c = icmp eq i32 %argc, 3
  %p = select i1 %c, ptr @a, ptr @b
  store ptr %p, ptr @where
  %x = add i32 %argc, 1
  store i32 %x, ptr @a
  call void @either(i32 %argc)
  %va = load i32, ptr @a
  %vb = load i32, ptr @b
  ret i32 %va
})");
  const ValueId x = a.statement("main", StatementKind::Arithmetic).result;
  const ValueId va = a.statement("main", StatementKind::Load, 0).result;
  const ValueId vb = a.statement("main", StatementKind::Load, 1).result;
  const ValueId passed = a.facts.functions[a.facts.findFunction("either")].parameters[0];
  // The function knows one region for both.
  EXPECT_EQ(a.pts->of(a.facts.operandsOf(a.statement("either", StatementKind::Store))[0]).count(),
            2u);
  Reachability forward(a.flow->graph(), FlowDirection::Forward);
  Reachability backward(a.flow->graph(), FlowDirection::Backward);
  EXPECT_FALSE(forward.path(x, va).empty());
  EXPECT_TRUE(forward.path(x, vb).empty());
  EXPECT_FALSE(forward.path(passed, va).empty());
  EXPECT_FALSE(forward.path(passed, vb).empty());
  EXPECT_FALSE(backward.path(va, x).empty());
  EXPECT_TRUE(backward.path(vb, x).empty());
}

TEST(Flow, WhatIsComputedFromAValueIsToldApart) {
  Analysed a(R"(
define i32 @main(i32 %argc, ptr %argv) {
  %p = getelementptr ptr, ptr %argv, i32 %argc
  %n = ptrtoint ptr %p to i64
  %d = mul i64 %n, 3
  %c = icmp eq i64 %d, 4
  ret i32 0
})");
  const Function &main = a.facts.functions[a.facts.findFunction("main")];
  const ValueId moved = a.statement("main", StatementKind::Gep).result;
  const ValueId number = a.statement("main", StatementKind::Copy).result;
  const ValueId product = a.statement("main", StatementKind::Arithmetic).result;
  Reachability values(a.flow->graph(), FlowDirection::Forward, /*derived=*/false);
  Reachability all(a.flow->graph(), FlowDirection::Forward);
  EXPECT_EQ(values.from(main.parameters[1]),
            (std::vector<FlowNode>{main.parameters[1], moved, number}));
  EXPECT_EQ(values.from(main.parameters[0]), (std::vector<FlowNode>{main.parameters[0]}));
  EXPECT_FALSE(all.path(main.parameters[0], product).empty());
  EXPECT_TRUE(values.path(main.parameters[0], product).empty());
}

TEST(Flow, AStoreToTheOnlyObjectKillsWhatWasThere) {
  Analysed a(R"(
define i32 @main(i32 %argc, ptr %argv) {
  %x = alloca i32
  %many = alloca [4 x i32]
  %p = getelementptr [4 x i32], ptr %many, i64 0, i64 1
  %q = getelementptr [4 x i32], ptr %many, i64 0, i64 2
  store i32 %argc, ptr %x
  store i32 %argc, ptr %p
  store volatile i32 7, ptr %x
  store volatile i32 7, ptr %q
  %v = load volatile i32, ptr %x
  %w = load volatile i32, ptr %p
  ret i32 %v
})");
  Reachability backward(a.flow->graph(), FlowDirection::Backward);
  const ValueId argc = a.facts.functions[a.facts.findFunction("main")].parameters[0];
  auto comesFromArgc = [&](unsigned load) {
    const std::vector<FlowNode> nodes =
        backward.from(a.statement("main", StatementKind::Load, load).result);
    return std::binary_search(nodes.begin(), nodes.end(), argc);
  };
  EXPECT_FALSE(comesFromArgc(0));
  EXPECT_TRUE(comesFromArgc(1));
}

TEST(Flow, ExternalCodeMayDoAnythingWithWhatItReaches) {
  Analysed a(R"(
@kept = global ptr null
@hidden = global ptr null
declare ptr @unknown(ptr)
define void @callback(ptr %p) {
  store ptr %p, ptr @kept
  ret void
}
define i32 @main(i32 %argc, ptr %argv) {
  %x = alloca ptr
  store ptr @callback, ptr %x
  %r = call ptr @unknown(ptr %x)
  %l = load ptr, ptr %r
  %h = load ptr, ptr @hidden
  ret i32 0
})");
  ASSERT_EQ(a.facts.assumed.size(), 1u);
  EXPECT_EQ(a.facts.assumed[0].what, Assumption::ExternalCall);
  EXPECT_EQ(a.facts.assumed[0].name, "unknown");
  EXPECT_TRUE(a.pts->isReached(a.facts.findFunction("callback")));
  const Statement &call = a.statement("main", StatementKind::Call);
  const Statement &local = a.statement("main", StatementKind::Address);
  EXPECT_TRUE(a.pts->of(call.result).includes(a.pts->of(local.result)));
  EXPECT_FALSE(a.pts->of(a.statement("main", StatementKind::Load, 0).result).empty());
  EXPECT_TRUE(a.pts->of(a.statement("main", StatementKind::Load, 1).result).empty());
}

TEST(Flow, DistancesCountBlocksAcrossCalls) {
  Analysed a(R"(
define void @f(i32 %x) {
  %c = icmp eq i32 %x, 0
  br i1 %c, label %yes, label %no
yes:
  br label %end
no:
  br label %end
end:
  ret void
}
define i32 @main(i32 %argc, ptr %argv) {
  %c = icmp eq i32 %argc, 3
  br i1 %c, label %left, label %right
left:
  call void @f(i32 %argc)
  ret i32 0
right:
  ret i32 1
})");
  const Function &f = a.facts.functions[a.facts.findFunction("f")];
  const Function &main = a.facts.functions[a.facts.findFunction("main")];
  const std::vector<uint32_t> distance = Distances(*a.pts).to(f.firstBlock + 3);
  EXPECT_EQ(distance[f.firstBlock], 2u);
  EXPECT_EQ(distance[main.firstBlock + 1], 3u);
  EXPECT_EQ(distance[main.firstBlock], 4u);
  EXPECT_EQ(distance[main.firstBlock + 2], kNone);
}

} // namespace
} // namespace fathom::statics
