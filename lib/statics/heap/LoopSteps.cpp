// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/LoopSteps.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace fathom::statics::heap {

namespace {

class Search {
public:
  Search(const Facts &facts, const std::function<bool(ValueId)> &isFrom)
      : facts_(facts), isFrom_(isFrom) {}

  /// A value behind which so much is added on the way to the next round. False: it does not come
  /// from the round before by constants alone.
  bool visit(ValueId value, int64_t added) {
    if (isFrom_(value)) {
      steps.least = hasWay_ ? std::min(steps.least, added) : added;
      steps.most = hasWay_ ? std::max(steps.most, added) : added;
      hasWay_ = true;
      return count(added);
    }
    const auto [known, isNew] = seen_.try_emplace(value, added);
    if (!isNew) { // once around another loop
      steps.isOften |= added != known->second;
      return count(added - known->second);
    }
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
        steps.mayFall = steps.mayRise = steps.isOften = true;
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
  const std::function<bool(ValueId)> &isFrom_;
  bool hasWay_ = false;                       ///< to it
  std::unordered_map<ValueId, int64_t> seen_; ///< what is added behind it
};

} // namespace

std::optional<LoopSteps> loopStepsOf(const Facts &facts, const FunctionShape &shape,
                                     StatementId phi) {
  const Statement &s = facts.statements[phi];
  const auto operands = facts.operandsOf(s);
  const std::function<bool(ValueId)> isFrom = [&](ValueId value) { return value == s.result; };
  Search search(facts, isFrom);
  for (uint32_t i = 0; i < operands.size(); i++)
    if (shape.isIn(s.block, facts.incoming[s.extra + i]) && !search.visit(operands[i], 0))
      return std::nullopt;
  return search.steps;
}

std::optional<LoopSteps> loopStepsOf(const Facts &facts, const FunctionShape &shape, BlockId header,
                                     ObjectId global, int64_t offset, uint32_t bytes) {
  const auto placeOf = [&](ValueId pointer) -> const ConstantAddress * {
    const uint32_t address = facts.values[pointer].address;
    return address != kNone && facts.addresses[address].object == global ? &facts.addresses[address]
                                                                         : nullptr;
  };
  const std::function<bool(ValueId)> isFrom = [&](ValueId value) {
    const StatementId at = facts.values[value].definition;
    if (at == kNone || facts.statements[at].kind != StatementKind::Load) return false;
    const Statement &load = facts.statements[at];
    const ConstantAddress *place = placeOf(facts.operandsOf(load)[0]);
    return place && place->offset == offset && load.bytes == bytes;
  };
  std::optional<LoopSteps> out;
  for (const BlockId block : shape.byOrder()) {
    if (!shape.isIn(header, block)) continue;
    for (StatementId id = facts.blocks[block].firstStatement; id < facts.blocks[block].end();
         id++) {
      const Statement &s = facts.statements[id];
      if (s.kind != StatementKind::Store) continue;
      const auto operands = facts.operandsOf(s);
      const ConstantAddress *place = placeOf(operands[0]);
      if (!place || place->offset >= offset + bytes || offset >= place->offset + s.bytes) continue;
      Search search(facts, isFrom);
      if (place->offset != offset || s.bytes != bytes || !search.visit(operands[1], 0))
        return std::nullopt;
      LoopSteps steps = search.steps;
      const bool isInner = std::ranges::any_of(shape.byOrder(), [&](BlockId inner) {
        return inner != header && shape.isHeader(inner) && shape.isIn(header, inner) &&
               shape.isIn(inner, block);
      });
      if (out) {
        steps.stride = std::gcd(steps.stride, out->stride);
        steps.mayFall |= out->mayFall;
        steps.mayRise |= out->mayRise;
      }
      steps.isOften |= isInner || out;
      steps.least = std::min<int64_t>(steps.least, 0); // not every round stores
      steps.most = std::max<int64_t>(steps.most, 0);
      out = steps;
    }
  }
  return out;
}

} // namespace fathom::statics::heap
