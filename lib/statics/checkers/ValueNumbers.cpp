// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/ValueNumbers.h"

#include <algorithm>

namespace fathom::statics {

static constexpr unsigned kMaxDepth = 48;

ValueId ValueNumbers::leader(ValueId value) { return leader(value, 0); }

ValueId ValueNumbers::leader(ValueId value, unsigned depth) {
  if (flow_.facts.values[value].function != function_) return value;
  if (auto known = leaders_.find(value); known != leaders_.end()) return known->second;
  if (depth > kMaxDepth) return value;
  leaders_[value] = value; // what depends on itself is its own leader
  const ValueId found = find(value, depth);
  return leaders_[value] = found;
}

/// What a load reads, where the version it reads was written by a store to the same address.
ValueId ValueNumbers::stored(StatementId load, unsigned depth) {
  const Facts &facts = flow_.facts;
  const Statement &s = facts.statements[load];
  const MemorySsa &ssa = flow_.memory(function_);
  const auto mus = ssa.musOf(load);
  if (mus.size() != 1) return kNone;
  const Version &v = ssa.versions[mus[0].version];
  if (v.kind != VersionKind::Chi) return kNone;
  const Statement &store = facts.statements[v.at];
  if (store.kind != StatementKind::Store || store.bytes != s.bytes) return kNone;
  const auto operands = facts.operandsOf(store);
  if (leader(operands[0], depth + 1) != leader(facts.operandsOf(s)[0], depth + 1)) return kNone;
  return leader(operands[1], depth + 1);
}

ValueId ValueNumbers::find(ValueId value, unsigned depth) {
  const Facts &facts = flow_.facts;
  const StatementId at = facts.values[value].definition;
  if (at == kNone) return value;
  const Statement &s = facts.statements[at];
  const auto operands = facts.operandsOf(s);
  Key key{static_cast<uint64_t>(s.kind)};
  switch (s.kind) {
  case StatementKind::Copy: {
    if (operands.empty() || s.bytes == kPart) return value;
    const ValueId first = leader(operands[0], depth + 1);
    for (const ValueId operand : operands)
      if (operand == kUndefinedValue || leader(operand, depth + 1) != first) return value;
    return first;
  }
  case StatementKind::Address: key.push_back(s.extra); break;
  case StatementKind::Load:
    if (const ValueId found = stored(at, depth); found != kNone) return found;
    if (flow_.memory(function_).musOf(at).empty()) return value;
    key.push_back(s.bytes);
    for (const MemorySsa::Use &mu : flow_.memory(function_).musOf(at)) key.push_back(mu.version);
    break;
  case StatementKind::Gep: {
    const Move &move = facts.moves[s.extra];
    if (move.constant == 0 && move.strides.empty()) return leader(operands[0], depth + 1);
    key.push_back(static_cast<uint64_t>(move.constant));
    key.insert(key.end(), move.strides.begin(), move.strides.end());
    break;
  }
  case StatementKind::Arithmetic:
    if (s.bytes == 0) return value; // not known what it does
    key.push_back(s.bytes);
    break;
  case StatementKind::Compare:
    key.push_back(s.extra * 2 + s.bytes);
    if (s.extra == static_cast<uint32_t>(Predicate::Other)) return value;
    break;
  default: return value;
  }
  key.push_back(~uint64_t(0));
  for (const ValueId operand : operands) key.push_back(leader(operand, depth + 1));
  return known_.try_emplace(std::move(key), value).first->second;
}

ValueId ValueNumbers::base(ValueId value) {
  for (unsigned i = 0; i < kMaxDepth; i++) {
    value = leader(value);
    if (flow_.facts.values[value].function != function_) return value;
    const StatementId at = flow_.facts.values[value].definition;
    if (at == kNone || flow_.facts.statements[at].kind != StatementKind::Gep) return value;
    value = flow_.facts.operandsOf(flow_.facts.statements[at])[0];
  }
  return value;
}

/// Does its content follow from that of its operands alone?
static bool isPure(const Statement &s) {
  switch (s.kind) {
  case StatementKind::Gep: return true;
  case StatementKind::Arithmetic: return s.bytes != 0;
  case StatementKind::Compare: return s.extra != static_cast<uint32_t>(Predicate::Other);
  default: return false;
  }
}

const std::vector<BlockId> &ValueNumbers::changedIn(ValueId leader, Reading reading) {
  std::unordered_map<ValueId, std::vector<BlockId>> &changed =
      reading == Reading::Anew ? changed_ : changedByWrites_;
  auto [known, isNew] = changed.try_emplace(leader);
  if (!isNew) return known->second;
  std::vector<BlockId> blocks;
  const Facts &facts = flow_.facts;
  const StatementId at = facts.values[leader].definition;
  if (facts.values[leader].function == function_ && at != kNone) {
    const Statement &s = facts.statements[at];
    const auto mus = flow_.memory(function_).musOf(at);
    const bool isLoad = s.kind == StatementKind::Load;
    const bool isRepeated = isLoad && reading == Reading::ByWrites && !mus.empty();
    if (!isPure(s) && !isRepeated) blocks.push_back(s.block);
    if (isLoad)
      for (const MemorySsa::Use &mu : mus) {
        const Version &v = flow_.memory(function_).versions[mu.version];
        if (v.kind == VersionKind::Phi)
          blocks.push_back(facts.functions[function_].firstBlock + v.at);
        if (v.kind == VersionKind::Chi) blocks.push_back(facts.statements[v.at].block);
      }
    const bool isPhi = s.kind == StatementKind::Copy;
    if (!isPhi && s.kind != StatementKind::Call)
      for (const ValueId operand : facts.operandsOf(s)) {
        const std::vector<BlockId> inner = changedIn(this->leader(operand), reading);
        blocks.insert(blocks.end(), inner.begin(), inner.end());
      }
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  return changed[leader] = std::move(blocks);
}

} // namespace fathom::statics
