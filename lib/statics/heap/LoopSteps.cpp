// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/LoopSteps.h"

#include <numeric>

namespace fathom::statics::heap {

namespace {

class Search {
public:
  Search(const Facts &facts, ValueId from) : facts_(facts), from_(from) {}

  /// A value behind which so much is added on the way to the next round. False: it does not come
  /// from the round before by constants alone.
  bool visit(ValueId value, int64_t added) {
    if (value == from_) return count(added);
    const auto [known, isNew] = seen_.try_emplace(value, added);
    if (!isNew) return count(added - known->second); // once around another loop
    constexpr size_t kMost = 32;
    const Value &v = facts_.values[value];
    if (seen_.size() > kMost || v.definition == kNone || std::abs(added) > kFar) return false;
    const Statement &s = facts_.statements[v.definition];
    const auto operands = facts_.operandsOf(s);
    switch (s.kind) {
    case StatementKind::Copy: {
      if (s.bytes == kPart) return false;
      const bool isChoice = isPhi(s) || facts_.selectedBy.contains(v.definition);
      if (!isChoice && operands.size() != 1) return false;
      return std::ranges::all_of(operands, [&](ValueId each) { return visit(each, added); });
    }
    case StatementKind::Gep: {
      const Move &move = facts_.moves[s.extra];
      for (const uint64_t stride : move.strides) {
        steps.stride = std::gcd(steps.stride, stride);
        steps.mayFall = steps.mayRise = true;
      }
      return std::abs(move.constant) <= kFar && visit(operands[0], added + move.constant);
    }
    case StatementKind::Arithmetic: {
      if (s.operation != Operation::Add && s.operation != Operation::Sub) return false;
      const auto by = facts_.numbers.find(operands[1]);
      if (by == facts_.numbers.end() || std::abs(by->second) > kFar) return false;
      return visit(operands[0],
                   s.operation == Operation::Add ? added + by->second : added - by->second);
    }
    default: return false;
    }
  }

  LoopSteps steps;

private:
  bool count(int64_t added) {
    steps.stride = std::gcd(steps.stride, static_cast<uint64_t>(std::abs(added)));
    steps.mayFall |= added < 0;
    steps.mayRise |= added > 0;
    return true;
  }

  static constexpr int64_t kFar = int64_t(1) << 30;
  const Facts &facts_;
  const ValueId from_;
  std::unordered_map<ValueId, int64_t> seen_; ///< what is added behind it
};

} // namespace

std::optional<LoopSteps> loopStepsOf(const Facts &facts, const FunctionShape &shape,
                                     StatementId phi) {
  const Statement &s = facts.statements[phi];
  const auto operands = facts.operandsOf(s);
  Search search(facts, s.result);
  for (uint32_t i = 0; i < operands.size(); i++)
    if (shape.isIn(s.block, facts.incoming[s.extra + i]) && !search.visit(operands[i], 0))
      return std::nullopt;
  return search.steps;
}

} // namespace fathom::statics::heap
