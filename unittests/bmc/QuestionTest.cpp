// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bmc/Question.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

using namespace fathom;
using namespace fathom::bmc;
using program::Inst;
using program::Op;

namespace {

/// Nothing is known but what the test says.
struct Known final : Knowledge {
  std::set<std::pair<uint32_t, uint32_t>> sink;
  std::set<uint32_t> related;
  std::set<uint32_t> ends;      ///< they do not return
  std::set<uint32_t> byPointer; ///< related, by calls through pointers alone
  std::set<uint32_t> others;    ///< what goes wrong in them is no defect of the place
  bool returns(uint32_t f) const override { return !ends.contains(f); }
  bool isRelated(uint32_t f) const override { return related.contains(f); }
  bool mayFree(uint32_t) const override { return true; }
  Changes changesOf(uint32_t, uint32_t, uint32_t) const override { return Changes::all(); }
  Changes changesAt(uint32_t, const std::vector<uint32_t> &) const override {
    return Changes::all();
  }
  const std::vector<uint32_t> *calledByPointer(uint32_t) const override { return nullptr; }
  bool isSink(uint32_t f, uint32_t i) const override { return sink.contains({f, i}); }
  bool countsAtPlace(uint32_t f) const override { return !others.contains(f); }
  bool leadsToSink(uint32_t f) const override { return hasSink(f) || related.contains(f); }
  bool leadsDirectly(uint32_t f) const override { return leadsToSink(f) && !byPointer.contains(f); }
  bool hasSink(uint32_t f) const override {
    const auto first = sink.lower_bound({f, 0});
    return first != sink.end() && first->first == f;
  }
};

class QuestionTest : public testing::Test {
protected:
  program::Program program;
  Known known;
  Question question;

  QuestionTest() {
    program.locations.emplace_back();
    program::External external;
    external.name = "free";
    external.params = {program::ForeignType::Pointer};
    program.externals.push_back(external);
    external.name = "malloc";
    external.params = {program::ForeignType::Integer};
    external.retSlots = 1;
    external.retWidthBits = 64;
    program.externals.push_back(external);
  }
  /// A function of one pointer in slot 0, with eight slots; blocks begin at these instructions.
  uint32_t add(std::vector<Inst> code, std::vector<uint32_t> blocks) {
    program::FunctionCode f;
    f.name = "f" + std::to_string(program.functions.size());
    f.id = static_cast<uint32_t>(program.functions.size());
    f.slots = 8;
    f.argSlots = 1;
    program::Param parameter;
    parameter.pointer = true;
    f.params = {parameter};
    f.locs.resize(code.size());
    f.code = std::move(code);
    f.blockStarts = std::move(blocks);
    f.pool = {0, 1, 2, 3, 4, 5, 6, 7};
    program.functions.push_back(std::move(f));
    return program.functions.back().id;
  }
  static Inst make(Op op, uint8_t w, uint32_t dst, uint32_t a, uint32_t b = 0, uint64_t imm = 0) {
    Inst out{op};
    out.w = w;
    out.dst = dst;
    out.a = a;
    out.b = b;
    out.imm = imm;
    return out;
  }
  static Inst branch(uint32_t condition, uint32_t yes, uint32_t no) {
    Inst out{Op::CondJmp};
    out.a = condition;
    out.c = yes;
    out.d = no;
    return out;
  }
  static Inst jump(uint32_t to) {
    Inst out{Op::Jmp};
    out.c = to;
    return out;
  }
  /// Of external `callee`, with the argument in a slot.
  static Inst external(uint32_t callee, uint32_t argument, uint32_t dst = 7) {
    Inst out{Op::CallExternal};
    out.c = callee;
    out.imm = argument;
    out.b = 1;
    out.d = program::kNoIndex;
    out.dst = dst;
    return out;
  }
  static Inst load(uint32_t dst, uint32_t address) { return make(Op::Load32, 32, dst, address); }
  Answer ask(uint32_t entry) {
    question.entry = entry;
    return bmc::ask(program, known, question);
  }
};

TEST_F(QuestionTest, ACheckedPointerIsNotNull) {
  // if (p == 0) return; *p
  const uint32_t f =
      add({make(Op::EqI, 64, 1, 0), branch(1, 3, 2), load(2, 0), Inst{Op::RetVoid}}, {0, 2, 3});
  known.sink = {{f, 2}};
  question.kinds.null = true;
  EXPECT_EQ(ask(f).kind, Answer::Kind::Never);
}

TEST_F(QuestionTest, APointerOfCallersIsAssumedToBeValid) {
  const uint32_t f = add({load(2, 0), Inst{Op::RetVoid}}, {0});
  known.sink = {{f, 0}};
  question.kinds.null = true;
  const Answer answer = ask(f);
  EXPECT_EQ(answer.kind, Answer::Kind::Bounded);
  EXPECT_EQ(answer.assumed, std::vector{Assumption::ValidPointers});
}

TEST_F(QuestionTest, AFailedAllocationIsNull) {
  // q = malloc(4); *q
  const uint32_t f =
      add({make(Op::Const, 64, 1, 0, 0, 4), external(1, 1, 2), load(3, 2), Inst{Op::RetVoid}}, {0});
  known.sink = {{f, 2}};
  question.kinds.null = true;
  EXPECT_EQ(ask(f).kind, Answer::Kind::Maybe);
}

TEST_F(QuestionTest, WhatIsFreedOnOneWayIsUsedOnTheOther) {
  // q = malloc(4); if (p) free(q); if (!p) *q
  const auto code = [&](Op second) {
    return std::vector<Inst>{make(Op::Const, 64, 1, 0, 0, 4),
                             external(1, 1, 2),
                             make(Op::NeI, 64, 3, 0),
                             branch(3, 4, 5),
                             external(0, 2),
                             make(second, 64, 3, 0),
                             branch(3, 7, 8),
                             load(4, 2),
                             Inst{Op::RetVoid}};
  };
  question.kinds.afterFree = true;
  const uint32_t apart = add(code(Op::EqI), {0, 4, 5, 7, 8});
  known.sink = {{apart, 7}};
  EXPECT_EQ(ask(apart).kind, Answer::Kind::Never);
  const uint32_t same = add(code(Op::NeI), {0, 4, 5, 7, 8});
  known.sink = {{same, 7}};
  EXPECT_EQ(ask(same).kind, Answer::Kind::Maybe);
}

/// n = 0; while (n != p) n++; after it n is p: that is known of the rounds that are not followed.
TEST_F(QuestionTest, ALoopLeavesWithItsCondition) {
  const uint32_t f = add({make(Op::Const, 64, 1, 0), make(Op::Ne, 64, 2, 1, 0), branch(2, 3, 5),
                          make(Op::Add64I, 64, 1, 1, 0, 1), jump(1), make(Op::Ne, 64, 2, 1, 0),
                          branch(2, 7, 8), load(3, 4), Inst{Op::RetVoid}},
                         {0, 1, 3, 5, 7, 8});
  known.sink = {{f, 7}};
  question.kinds.null = true;
  EXPECT_EQ(ask(f).kind, Answer::Kind::Never);
}

/// p = &x; *p; then code from which no way leads back, or one with p = 0.
TEST_F(QuestionTest, CodeBehindTheLastWayToThePlaceIsNotFollowed) {
  question.kinds.null = true;
  const auto code = [&](Inst last) {
    return add({make(Op::Alloca, 64, 1, 0, 0, 4), load(2, 1), branch(2, 3, 7),
                make(Op::Const, 64, 1, 0), make(Op::Const, 64, 3, 0), make(Op::Const, 64, 4, 0),
                last, Inst{Op::RetVoid}},
               {0, 1, 3, 7});
  };
  const uint32_t ending = code(jump(7));
  known.sink = {{ending, 1}};
  const Answer answer = ask(ending);
  EXPECT_EQ(answer.kind, Answer::Kind::Never);
  EXPECT_EQ(answer.instructions, 3u);
  const uint32_t again = code(jump(1));
  known.sink = {{again, 1}};
  EXPECT_EQ(ask(again).kind, Answer::Kind::Maybe);
}

/// A loop in which nothing matters needs no round of its own.
TEST_F(QuestionTest, OtherLoopsMayHaveFewerRounds) {
  const uint32_t f = add({make(Op::Const, 64, 1, 0), make(Op::Ne, 64, 2, 1, 0), branch(2, 3, 5),
                          make(Op::Add64I, 64, 1, 1, 0, 1), jump(1), make(Op::Ne, 64, 2, 1, 0),
                          branch(2, 7, 8), load(3, 4), Inst{Op::RetVoid}},
                         {0, 1, 3, 5, 7, 8});
  known.sink = {{f, 7}};
  question.kinds.null = true;
  const Answer more = ask(f);
  question.bounds.otherRounds = 0;
  const Answer fewer = ask(f);
  EXPECT_EQ(more.kind, Answer::Kind::Never);
  EXPECT_EQ(fewer.kind, Answer::Kind::Never);
  EXPECT_LT(fewer.instructions, more.instructions);
}

/// die(), whose way to the place is what was registered for the program's end; and one that calls
/// the place's function by its name.
TEST_F(QuestionTest, TheEndOfTheProgramIsAssumedNotToLeadThere) {
  question.kinds.null = true;
  const uint32_t die = add({Inst{Op::Unreachable}}, {0});
  Inst calls{Op::Call};
  calls.c = die;
  calls.d = program::kNoIndex;
  const uint32_t f = add({make(Op::Alloca, 64, 1, 0, 0, 4), branch(0, 2, 4), calls, jump(4),
                          load(2, 1), Inst{Op::RetVoid}},
                         {0, 2, 4});
  known.sink = {{f, 4}};
  known.related = {die};
  known.ends = {die};
  known.byPointer = {die};
  const Answer answer = ask(f);
  EXPECT_EQ(answer.kind, Answer::Kind::Bounded);
  EXPECT_EQ(answer.assumed, std::vector{Assumption::OtherCalls});
  known.byPointer.clear();
  EXPECT_EQ(ask(f).kind, Answer::Kind::Never); // it is followed, and comes to nothing
}

/// A call at the place of a function that reads through null: of a report that names an access,
/// this is another defect.
TEST_F(QuestionTest, ACalleesDefectCountsOnlyWhereTheReportMayMeanIt) {
  question.kinds.null = true;
  const uint32_t reads = add({make(Op::Const, 64, 1, 0), load(2, 1), Inst{Op::RetVoid}}, {0});
  Inst calls{Op::Call};
  calls.c = reads;
  calls.d = program::kNoIndex;
  program.functions[reads].own = true;
  const uint32_t f =
      add({make(Op::Alloca, 64, 1, 0, 0, 4), load(2, 1), calls, Inst{Op::RetVoid}}, {0});
  known.sink = {{f, 1}, {f, 2}};
  EXPECT_EQ(ask(f).kind, Answer::Kind::Maybe);
  known.others = {reads};
  EXPECT_EQ(ask(f).kind, Answer::Kind::Never);
}

/// The loop frees in a round that is not followed: q = malloc; while (p) { if (n) free(q); n = 1; }
TEST_F(QuestionTest, WhatALaterRoundDoesIsNotForgotten) {
  const uint32_t f =
      add({make(Op::Const, 64, 1, 0, 0, 4), external(1, 1, 2), make(Op::Const, 64, 3, 0),
           load(4, 0), branch(4, 5, 9), branch(3, 6, 7), external(0, 2),
           make(Op::Const, 64, 3, 0, 0, 1), jump(3), load(5, 2), Inst{Op::RetVoid}},
          {0, 3, 5, 6, 7, 9});
  known.sink = {{f, 9}};
  question.kinds.afterFree = true;
  for (const uint32_t rounds : {0u, 1u, 2u, 3u}) {
    question.bounds.rounds = rounds;
    EXPECT_NE(ask(f).kind, Answer::Kind::Never) << rounds;
  }
}

TEST_F(QuestionTest, ACallThatIsNotFollowedMayFree) {
  const uint32_t inner = add({external(0, 0), Inst{Op::RetVoid}}, {0});
  Inst call{Op::Call};
  call.c = inner;
  call.imm = 2;
  call.b = 1;
  call.d = program::kNoIndex;
  const uint32_t f =
      add({make(Op::Const, 64, 1, 0, 0, 4), external(1, 1, 2), call, load(3, 2), Inst{Op::RetVoid}},
          {0});
  known.sink = {{f, 3}};
  question.kinds.afterFree = true;
  const Answer answer = ask(f);
  EXPECT_EQ(answer.kind, Answer::Kind::Bounded);
  EXPECT_EQ(answer.assumed, std::vector{Assumption::NothingFreed});
  known.related = {inner};
  EXPECT_EQ(ask(f).kind, Answer::Kind::Maybe);
}

TEST_F(QuestionTest, TwoPointersOfCallersAreAssumedToBeDifferent) {
  // free(*p); use(*(p + 1))
  const uint32_t f =
      add({make(Op::Load64, 64, 1, 0), external(0, 1), make(Op::GepI, 64, 2, 0, 0, 8),
           make(Op::Load64, 64, 3, 2), load(4, 3), Inst{Op::RetVoid}},
          {0});
  known.sink = {{f, 4}};
  question.kinds.afterFree = true;
  const Answer answer = ask(f);
  EXPECT_EQ(answer.kind, Answer::Kind::Bounded);
  EXPECT_EQ(answer.assumed,
            (std::vector{Assumption::DistinctPointers, Assumption::NotFreedBefore}));
}

TEST_F(QuestionTest, ACallFreesNoBlockThatItWasNotGiven) {
  const uint32_t other = add({Inst{Op::RetVoid}}, {0});
  Inst calls{Op::Call};
  calls.c = other;
  calls.d = program::kNoIndex;
  const auto askAbout = [&](Inst call) {
    const uint32_t f = add({external(1, 0, 3), call, load(2, 3), Inst{Op::RetVoid}}, {0});
    known.sink = {{f, 2}};
    question.kinds.afterFree = true;
    return ask(f);
  };
  EXPECT_EQ(askAbout(calls).kind, Answer::Kind::Never);
  calls.imm = 3; // the block is its argument
  calls.b = 1;
  EXPECT_EQ(askAbout(calls).assumed, std::vector{Assumption::NothingFreed});
}

/// free(p) in an earlier run.
TEST_F(QuestionTest, WhatCallersPassMayBeFreed) {
  const uint32_t f = add({load(2, 0), Inst{Op::RetVoid}}, {0});
  known.sink = {{f, 0}};
  question.kinds.afterFree = true;
  const Answer answer = ask(f);
  EXPECT_EQ(answer.kind, Answer::Kind::Bounded);
  EXPECT_EQ(answer.assumed, std::vector{Assumption::NotFreedBefore});
}

/// if (p == 3) *(p - 3), and *(null + 9000): null, with an offset.
TEST_F(QuestionTest, NullWithAnOffsetIsNull) {
  question.kinds.null = true;
  const uint32_t number =
      add({make(Op::SextN, 64, 1, 0), make(Op::Add64I, 64, 1, 1, 0, ~uint64_t(2)),
           make(Op::EqI, 64, 2, 0, 0, 3), branch(2, 4, 5), load(3, 1), Inst{Op::RetVoid}},
          {0, 4, 5});
  program.functions[number].code[0].c = 32;
  known.sink = {{number, 4}};
  EXPECT_NE(ask(number).kind, Answer::Kind::Never);
  const uint32_t far =
      add({make(Op::Const, 64, 1, 0, 0, 9000), load(3, 1), Inst{Op::RetVoid}}, {0});
  known.sink = {{far, 1}};
  EXPECT_EQ(ask(far).kind, Answer::Kind::Maybe);
}

/// p = malloc; q = malloc; if (p < q) *0: which one lies first is not known.
TEST_F(QuestionTest, WhereObjectsLieIsNotKnown) {
  question.kinds.null = true;
  for (const Op op : {Op::Ult, Op::Ule}) {
    const uint32_t f = add({make(Op::Const, 64, 1, 0, 0, 4), external(1, 1, 2), external(1, 1, 3),
                            make(op, 64, 4, 3, 2), branch(4, 5, 7), make(Op::Const, 64, 5, 0),
                            load(6, 5), Inst{Op::RetVoid}},
                           {0, 5, 7});
    known.sink = {{f, 6}};
    EXPECT_EQ(ask(f).kind, Answer::Kind::Maybe);
  }
}

TEST_F(QuestionTest, AnswersEndAtTheirLimit) {
  const uint32_t f = add({load(2, 0), Inst{Op::RetVoid}}, {0});
  known.sink = {{f, 0}};
  question.kinds.null = true;
  question.bounds.instructions = 1;
  const Answer answer = ask(f);
  EXPECT_EQ(answer.kind, Answer::Kind::Unknown);
  EXPECT_EQ(answer.why, "it has more than 1 instructions");
}

} // namespace
