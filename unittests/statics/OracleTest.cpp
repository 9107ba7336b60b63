// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract interpreter against brute force: random programs with a few small inputs, executed
// on all of them. What is proved never fails, what is definite always does, what is unreachable is
// never reached, and every value that a block sees is in its abstract state.
#include "Concrete.h"

#include "statics/abstract/Analysis.h"
#include "statics/abstract/Liveness.h"
#include "statics/abstract/Relations.h"
#include "support/Rng.h"

#include <gtest/gtest.h>

#include <cfenv>

namespace fathom::statics::abstract {
namespace {

constexpr unsigned kInputs = 2, kInputBits = 4;

/// A random program: arithmetic of 8 bits, arrays, pointers, loops, branches, calls.
class Generator {
public:
  explicit Generator(uint64_t seed) : rng_(seed) {}

  AbstractProgram make() {
    const unsigned helpers = rng_.below(3);
    addObject("global", Object::Kind::Global, kNoId, 1 + rng_.below(4));
    for (unsigned f = 0; f <= helpers; ++f) program_.functions.emplace_back();
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      Object object;
      object.kind = Object::Kind::Function;
      object.name = "f" + std::to_string(f);
      object.function = f;
      program_.objects.push_back(object);
      functionObjects_.push_back(ObjectId(program_.objects.size() - 1));
    }
    for (FunctionId f = 0; f < program_.functions.size(); ++f) makeFunction(f);
    program_.entries = {0};
    collectThresholds(program_);
    findDead(program_);
    return std::move(program_);
  }

private:
  VarId variable(const char *name, unsigned width, bool isAddress = false) {
    const VarId var = program_.newVariable(name, width, isAddress);
    function().variables.push_back(var);
    return var;
  }
  Function &function() { return program_.functions[current_]; }

  ObjectId addObject(const char *name, Object::Kind kind, FunctionId owner, uint64_t size,
                     uint32_t element = 1) {
    Object object;
    object.name = name;
    object.kind = kind;
    object.function = owner;
    object.sizeBytes = size;
    object.escapes = true;
    object.elementBytes = element;
    for (uint64_t i = 0; i < size && kind == Object::Kind::Global; ++i)
      object.initial.push_back({i, 1, rng_.below(4), kNoId, kNoId, 0});
    for (uint64_t i = 0; i < std::min<uint64_t>(size, 64); ++i) object.leaves.emplace_back(i, 1);
    program_.objects.push_back(object);
    return ObjectId(program_.objects.size() - 1);
  }

  void makeFunction(FunctionId id) {
    current_ = id;
    function().name = "f" + std::to_string(id);
    numbers_.clear();
    addresses_.clear();
    objects_ = {0};
    if (id > 0) {
      for (int i = 0; i < 2; ++i) function().parameters.push_back(variable("n", 8));
      function().parameters.push_back(variable("p", 64, true));
    }
    for (int i = 0; i < 4; ++i) numbers_.push_back(variable("v", 8));
    for (int i = 0; i < 2; ++i) addresses_.push_back(variable("q", 64, true));
    function().result = program_.newVariable("result", 8, false);
    const BlockId first = newBlock();
    std::vector<Statement> &start = function().blocks[first].statements;
    // One small array, one that is too large to expand, and a place for an address.
    const ObjectId array = addObject("array", Object::Kind::Stack, id, 2 + rng_.below(5));
    const ObjectId large = addObject("large", Object::Kind::Stack, id, 300);
    slot_ = addObject("slot", Object::Kind::Stack, id, 8, 0);
    for (const ObjectId object : {array, large, slot_}) {
      Statement s;
      s.kind = StatementKind::Enter;
      s.object = object;
      start.push_back(s);
      if (object != slot_) objects_.push_back(object);
    }
    for (size_t i = 0; i < numbers_.size(); ++i)
      if (id == 0 && i < kInputs) {
        const VarId input = variable("input", kInputBits);
        Statement s;
        s.kind = StatementKind::Forget;
        s.dst = input;
        s.width = kInputBits;
        s.sizeBytes = uint32_t(i);
        function().blocks[first].statements.push_back(s);
        Statement c = make(StatementKind::Convert, numbers_[i], 8);
        c.cast = rng_.flip() ? Cast::ZExt : Cast::SExt;
        c.a = Operand::of(input, kInputBits);
        function().blocks[first].statements.push_back(c);
      } else {
        Statement s = make(StatementKind::Assign, numbers_[i], 8);
        s.a = id > 0 && i < 2 ? Operand::of(function().parameters[i], 8)
                              : Operand::number(8, rng_.below(6));
        function().blocks[first].statements.push_back(s);
      }
    for (size_t i = 0; i < addresses_.size(); ++i) {
      Statement s = make(StatementKind::AddressOf, addresses_[i], 64);
      s.object = someObject();
      if (id > 0 && i == 0) {
        s.kind = StatementKind::Assign;
        s.isAddress = true;
        s.a = Operand::of(function().parameters[2], 64);
      }
      function().blocks[first].statements.push_back(s);
    }
    const BlockId last = sequence(first, 5, 2);
    function().blocks[last].returns = true;
    function().blocks[last].returned = number();
  }

  BlockId newBlock() {
    function().blocks.emplace_back();
    return BlockId(function().blocks.size() - 1);
  }
  static Statement make(StatementKind kind, VarId dst, unsigned width) {
    Statement s;
    s.kind = kind;
    s.dst = dst;
    s.width = uint8_t(width);
    return s;
  }
  void add(BlockId block, Statement s) {
    function().blocks[block].statements.push_back(std::move(s));
  }
  void connect(BlockId from, BlockId to, Condition condition = {}) {
    Edge edge;
    edge.target = to;
    edge.condition = std::move(condition);
    // Sometimes a swap, or a parallel move.
    if (rng_.below(6) == 0) {
      const VarId a = numbers_[rng_.below(4)], b = numbers_[rng_.below(4)];
      edge.assignments.push_back({a, Operand::of(b, 8), false, false});
      if (a != b) edge.assignments.push_back({b, Operand::of(a, 8), false, false});
    }
    function().blocks[from].successors.push_back(std::move(edge));
  }
  CheckId newCheck(CheckKind kind) {
    Check check;
    check.kind = kind;
    check.function = current_;
    program_.checks.push_back(check);
    return CheckId(program_.checks.size() - 1);
  }

  ObjectId someObject() {
    // Most often the large one, where accesses stay inside.
    return rng_.below(3) ? objects_.back() : objects_[rng_.below(uint32_t(objects_.size()))];
  }
  VarId someNumber() { return numbers_[rng_.below(uint32_t(numbers_.size()))]; }
  VarId someAddress() { return addresses_[rng_.below(uint32_t(addresses_.size()))]; }
  Operand number() {
    if (rng_.below(3) == 0)
      return Operand::number(8, rng_.below(4) ? rng_.below(10) : 256 - 1 - rng_.below(5));
    return Operand::of(someNumber(), 8);
  }
  Condition condition(int depth = 1) {
    const uint32_t kind = rng_.below(8);
    if (depth && kind == 0) return Condition::both(condition(0), condition(0));
    if (depth && kind == 1) return Condition::either(condition(0), condition(0));
    if (kind == 2)
      return Condition::compare(
          rng_.flip() ? Predicate::Eq : Predicate::Ne, Operand::of(someAddress(), 64),
          rng_.flip() ? Operand::number(64, 0) : Operand::of(someAddress(), 64), true);
    return Condition::compare(Predicate(rng_.below(10)), Operand::of(someNumber(), 8), number());
  }

  /// Appends to the block; returns the one where control goes on.
  BlockId sequence(BlockId at, int length, int depth) {
    for (int i = 0; i < length; ++i) at = one(at, depth);
    return at;
  }

  BlockId one(BlockId at, int depth) {
    switch (depth ? rng_.below(16) : 2 + rng_.below(14)) {
    case 0: {
      const Condition c = condition();
      const BlockId yes = newBlock(), no = newBlock(), after = newBlock();
      connect(at, yes, c);
      connect(at, no, c.negation());
      connect(sequence(yes, 2, depth - 1), after);
      connect(sequence(no, 2, depth - 1), after);
      return after;
    }
    case 1: {
      const Condition c = condition();
      const BlockId head = newBlock(), body = newBlock(), after = newBlock();
      connect(at, head);
      connect(head, body, c);
      connect(head, after, c.negation());
      const VarId counter = someNumber();
      Statement step = make(StatementKind::Operate, counter, 8);
      step.a = Operand::of(counter, 8);
      step.b = Operand::number(8, 1 + rng_.below(2));
      step.binary = rng_.below(4) ? Binary::Add : Binary::Sub;
      add(body, step);
      connect(sequence(body, 2, depth - 1), head);
      return after;
    }
    case 2:
    case 3: {
      Statement s;
      s.kind = StatementKind::Verify;
      s.check = newCheck(CheckKind::Assertion);
      s.condition = condition();
      add(at, s);
      if (rng_.below(4)) return at;
      Statement assume;
      assume.kind = StatementKind::Assume;
      assume.condition = s.condition;
      add(at, assume);
      return at;
    }
    case 4:
    case 5: return access(at);
    case 6: return address(at);
    case 7: return call(at);
    case 8: {
      Statement s = make(StatementKind::Select, someNumber(), 8);
      s.condition = condition();
      s.a = number();
      s.b = number();
      add(at, s);
      return at;
    }
    default: return operation(at);
    }
  }

  BlockId operation(BlockId at) {
    Statement s = make(StatementKind::Operate, someNumber(), 8);
    constexpr Binary kKinds[] = {Binary::Add,  Binary::Sub,  Binary::Add,  Binary::Sub,
                                 Binary::Mul,  Binary::UDiv, Binary::SDiv, Binary::URem,
                                 Binary::SRem, Binary::Shl,  Binary::LShr, Binary::AShr,
                                 Binary::And,  Binary::Or,   Binary::Xor};
    s.binary = kKinds[rng_.below(15)];
    s.a = Operand::of(someNumber(), 8);
    s.b = number();
    const bool divides = s.binary >= Binary::UDiv && s.binary <= Binary::SRem;
    const bool shifts = s.binary >= Binary::Shl && s.binary <= Binary::AShr;
    if (divides || shifts) {
      Statement check;
      check.kind = StatementKind::Verify;
      check.check = newCheck(divides ? CheckKind::Division : CheckKind::Shift);
      check.condition = divides ? Condition::compare(Predicate::Ne, s.b, Operand::number(8, 0))
                                : Condition::compare(Predicate::Ult, s.b, Operand::number(8, 8));
      add(at, check);
    }
    add(at, s);
    return at;
  }

  BlockId access(BlockId at) {
    Statement s;
    s.check = newCheck(CheckKind::Bounds);
    s.a = Operand::of(someAddress(), 64);
    s.sizeBytes = 1;
    switch (rng_.below(5)) {
    case 0:
    case 1:
      s.kind = StatementKind::Load;
      s.dst = someNumber();
      s.width = 8;
      break;
    case 2:
      s.kind = StatementKind::Fill;
      s.b = Operand::number(8, rng_.below(3));
      s.c = Operand::number(64, rng_.below(3) ? 1 + rng_.below(4) : 300);
      break;
    default:
      s.kind = StatementKind::Store;
      s.b = number();
      break;
    }
    add(at, s);
    return at;
  }

  BlockId address(BlockId at) {
    const VarId dst = someAddress();
    switch (rng_.below(5)) {
    case 0: { // through memory
      const VarId place = variable("place", 64, true);
      Statement where = make(StatementKind::AddressOf, place, 64);
      where.object = slot_;
      add(at, where);
      Statement s = make(rng_.flip() ? StatementKind::Load : StatementKind::Store, dst, 64);
      s.isAddress = true;
      s.a = Operand::of(place, 64);
      s.sizeBytes = 8;
      s.check = newCheck(CheckKind::Bounds);
      if (s.kind == StatementKind::Store) {
        s.dst = kNoId;
        s.b = rng_.below(4) ? Operand::of(someAddress(), 64) : Operand::number(64, 0);
      }
      add(at, s);
      return at;
    }
    case 1: {
      Statement s = make(StatementKind::Select, dst, 64);
      s.isAddress = true;
      s.condition = condition();
      s.a = Operand::of(someAddress(), 64);
      s.b = rng_.below(3) ? Operand::of(someAddress(), 64) : Operand::number(64, 0);
      add(at, s);
      return at;
    }
    case 2: {
      Statement s = make(StatementKind::AddressOf, dst, 64);
      s.object = someObject();
      add(at, s);
      return at;
    }
    default: {
      const VarId index = variable("index", 64);
      Statement wide = make(StatementKind::Convert, index, 64);
      wide.cast = rng_.flip() ? Cast::SExt : Cast::ZExt;
      wide.a = Operand::of(someNumber(), 8);
      add(at, wide);
      Statement s = make(StatementKind::Shift, dst, 64);
      s.a = Operand::of(someAddress(), 64);
      s.b = rng_.flip() ? Operand::of(index, 64) : Operand::number(64, rng_.below(4));
      add(at, s);
      return at;
    }
    }
  }

  BlockId call(BlockId at) {
    if (program_.functions.size() == 1) return operation(at);
    Statement s = make(StatementKind::Call, someNumber(), 8);
    s.arguments = {number(), number(), Operand::of(someAddress(), 64)};
    s.argumentIsAddress = {0, 0, 1};
    auto some = [&] { return 1 + rng_.below(uint32_t(program_.functions.size() - 1)); };
    s.callee = some();
    if (rng_.below(3) == 0) {
      const VarId target = variable("target", 64, true);
      Statement a = make(StatementKind::AddressOf, target, 64);
      a.object = functionObjects_[some()];
      add(at, a);
      s.isIndirect = true;
      s.callee = kNoId;
      s.a = Operand::of(target, 64);
    }
    add(at, s);
    return at;
  }

  Rng rng_;
  AbstractProgram program_;
  FunctionId current_ = 0;
  ObjectId slot_ = 0;
  std::vector<VarId> numbers_, addresses_;
  std::vector<ObjectId> objects_, functionObjects_;
};

struct Tally {
  uint64_t checks[4] = {}, alarmsThatFail = 0, values = 0;
};

/// Everything wrong that brute force shows; empty: nothing.
std::string contradiction(const AbstractProgram &program, const AnalysisResult &result,
                          Tally &tally) {
  std::string wrong;
  std::vector<bool> failed(program.checks.size());
  auto complain = [&](const std::string &text) {
    if (wrong.size() < 2000) wrong += text + "\n";
  };
  for (uint64_t a = 0; a < 1u << kInputBits; ++a)
    for (uint64_t b = 0; b < 1u << kInputBits; ++b) {
      ConcreteRun run(program, {a, b});
      run.atCheck = [&](CheckId id, bool holds) {
        const Verdict verdict = result.checks[id].verdict;
        if (!holds) failed[id] = true;
        if (verdict == Verdict::Unreachable ||
            verdict == (holds ? Verdict::Definite : Verdict::Proved))
          complain("check " + std::to_string(id) + " is " + textOf(verdict) +
                   (holds ? " but holds" : " but fails"));
      };
      run.atBlock = [&](FunctionId f, BlockId block, const ConcreteRun::Frame &frame,
                        const ConcreteRun::Memory &memory) {
        const State &state = result.states[f][block];
        const std::string place = " at f" + std::to_string(f) + ":" + std::to_string(block);
        if (state.isBottom()) return complain("reached" + place);
        for (const auto &[var, value] : frame) {
          ++tally.values;
          const bool isOk = state.number(var).contains(value.number) || !value.isAddress;
          const Bases *bases = state.bases(var);
          const bool baseOk =
              !value.isAddress || !bases ||
              std::count(bases->begin(), bases->end(), value.object ? *value.object : kNull) > 0;
          const bool numberOk =
              value.isAddress && !value.object ? true : state.number(var).contains(value.number);
          if (!baseOk || !numberOk || !(isOk || !value.object))
            complain(program.variables[var].name + "." + std::to_string(var) + " = " +
                     std::to_string(value.number) + " not in " + state.number(var).text() + place);
          for (const auto &[other, second] : frame) {
            if (other == var || value.isAddress || second.isAddress) continue;
            auto sign = [&](VarId v, uint64_t n) {
              const unsigned width = program.variables[v].width;
              return int64_t(n << (64 - width)) >> (64 - width);
            };
            const auto up = state.relations().upperBound({var, other, 1, -1, 0});
            if (up && sign(var, value.number) - sign(other, second.number) > *up)
              complain("difference of " + std::to_string(var) + " and " + std::to_string(other) +
                       " above " + std::to_string(*up) + place);
            const auto sum = state.relations().upperBound({var, other, 1, 1, 0});
            if (sum && sign(var, value.number) + sign(other, second.number) > *sum)
              complain("sum of " + std::to_string(var) + " and " + std::to_string(other) + place);
          }
        }
        for (const auto &[byte, value] : memory) {
          if (value.isAddress) continue;
          const uint64_t period = result.cells->period(byte.first);
          const VarId cell =
              result.cells->at(byte.first, period ? byte.second % period : byte.second, 1);
          if (!state.isUnborn(cell) && !state.number(cell).contains(value.number))
            complain(result.cells->nameOf(cell) + " = " + std::to_string(value.number) +
                     " not in " + state.number(cell).text() + place);
          if (state.isUnborn(cell)) complain(result.cells->nameOf(cell) + " was written" + place);
        }
      };
      run.run();
    }
  for (CheckId id = 0; id < program.checks.size(); ++id) {
    ++tally.checks[size_t(result.checks[id].verdict)];
    tally.alarmsThatFail += result.checks[id].verdict == Verdict::Alarm && failed[id];
  }
  return wrong;
}

std::string programText(const AbstractProgram &program) {
  std::string out;
  for (const Function &function : program.functions) out += textOf(program, function);
  return out;
}

class Oracle : public ::testing::TestWithParam<DomainKind> {};

TEST_P(Oracle, AgreesWithBruteForce) {
  Tally tally;
  const uint64_t programs = GetParam() == DomainKind::Octagons  ? 30
                            : GetParam() == DomainKind::Product ? 8
                                                                : 300;
  // FATHOM_SEEDS=N: that many programs of each kind, for a long run.
  const char *more = std::getenv("FATHOM_SEEDS");
  const uint64_t last = more ? std::strtoull(more, nullptr, 10) : programs;
  for (uint64_t seed = 1; seed <= last; ++seed) {
    const AbstractProgram program = Generator(seed).make();
    AnalysisOptions options;
    options.domain = GetParam();
    options.keepStates = true;
    options.mostCalls = seed % 4;
    const AnalysisResult result = analyse(program, options);
    const std::string wrong = contradiction(program, result, tally);
    ASSERT_EQ(wrong, "") << "seed " << seed << "\n" << programText(program);
  }
  printf("%llu values; checks: %llu unreachable, %llu proved, %llu alarms (%llu can fail), %llu "
         "definite\n",
         (unsigned long long)tally.values, (unsigned long long)tally.checks[0],
         (unsigned long long)tally.checks[1], (unsigned long long)tally.checks[2],
         (unsigned long long)tally.alarmsThatFail, (unsigned long long)tally.checks[3]);
  EXPECT_GT(tally.checks[size_t(Verdict::Proved)], 0u);
  EXPECT_GT(tally.checks[size_t(Verdict::Definite)], 0u);
}

INSTANTIATE_TEST_SUITE_P(Domains, Oracle,
                         ::testing::Values(DomainKind::Octagons, DomainKind::Product));
INSTANTIATE_TEST_SUITE_P(SlowDomains, Oracle,
                         ::testing::Values(DomainKind::Intervals, DomainKind::Zones));

/// The oracle notices a wrong result: a verdict turned round, and a state without a value.
TEST(OracleItself, NoticesWrongResults) {
  unsigned noticed = 0, tried = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const AbstractProgram program = Generator(seed).make();
    AnalysisOptions options;
    options.keepStates = true;
    AnalysisResult result = analyse(program, options);
    for (CheckResult &check : result.checks)
      if (check.verdict == Verdict::Alarm) check.verdict = Verdict::Proved;
    ++tried;
    Tally tally;
    noticed += !contradiction(program, result, tally).empty();
    result = analyse(program, options);
    result.states[0][0].setBottom();
    EXPECT_NE(contradiction(program, result, tally), "");
  }
  EXPECT_GT(noticed, tried / 3);
}

} // namespace
// The octagon library changes the rounding mode unless we restore it.
TEST(Octagons, LeaveTheRoundingAsItIs) {
  EXPECT_EQ(std::fegetround(), FE_TONEAREST); // before the first one, too
  const auto octagons = makeOctagons();
  EXPECT_TRUE(octagons->constrain({.x = 0, .y = 1, .bound = 3}, [](VarId) { return Range{0, 9}; }));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

} // namespace fathom::statics::abstract
