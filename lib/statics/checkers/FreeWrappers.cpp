// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/FreeWrappers.h"

#include <algorithm>

namespace fathom::statics {

namespace {

constexpr uint32_t kMaxStatements = 40;

class Finder {
public:
  explicit Finder(const Facts &facts)
      : facts_(facts), wrappers_(facts.functions.size()), isLooked_(facts.functions.size()) {}

  std::vector<FreeWrapper> run() {
    for (FunctionId f = 0; f < facts_.functions.size(); f++) wrapperOf(f);
    return std::move(wrappers_);
  }

private:
  const FreeWrapper &wrapperOf(FunctionId id) {
    if (!isLooked_[id]) {
      isLooked_[id] = true; // while it is looked at: a recursive function is none
      wrappers_[id] = look(id);
    }
    return wrappers_[id];
  }

  FreeWrapper look(FunctionId id) {
    const Function &f = facts_.functions[id];
    if (!f.isOwn || !f.hasBody || f.summary || f.variadic != kNone || f.numBlocks == 0) return {};
    const auto [first, end] = facts_.statementsOf(f);
    if (end - first > kMaxStatements) return {};
    FreeWrapper found;
    for (StatementId s = first; s < end; s++) {
      if (facts_.statements[s].kind != StatementKind::Call) continue;
      const uint32_t operand = released(s);
      if (operand == kNone) {
        if (mayRunOwn(s)) return {};
        continue;
      }
      if (found.release != kNone) return {};
      found = {parameterOf(f, facts_.operandsOf(facts_.statements[s])[operand]), s};
      if (found.parameter == kNone) return {};
    }
    if (found.release == kNone) return {};
    const ValueId freed = f.parameters[found.parameter];
    for (StatementId s = first; s < end; s++)
      if (s != found.release && !leavesAlone(s, freed)) return {};
    return found;
  }

  /// Which operand the call frees, and does nothing else; kNone: it is no such call.
  uint32_t released(StatementId call) {
    const Statement &s = facts_.statements[call];
    const CallSite &site = facts_.calls[s.extra];
    if (site.summary) {
      if (site.summary->allocates != Allocates::Nothing) return kNone; // realloc
      for (uint32_t i = 0; i < s.numOperands && i < 8; i++)
        if (site.summary->freed >> i & 1) return i;
      return kNone;
    }
    if (site.callee == kNone) return kNone;
    const uint32_t parameter = wrapperOf(site.callee).parameter;
    return parameter < s.numOperands ? parameter : kNone;
  }

  bool mayRunOwn(StatementId call) const {
    const CallSite &site = facts_.calls[facts_.statements[call].extra];
    if (site.summary) return site.summary->calls >= 0;
    return site.callee == kNone || facts_.functions[site.callee].isOwn;
  }

  /// Casts are copies.
  ValueId original(ValueId value) const {
    for (unsigned i = 0; i < kMaxStatements; i++) {
      const StatementId at = facts_.values[value].definition;
      if (at == kNone || facts_.values[value].function == kNone) return value;
      const Statement &s = facts_.statements[at];
      if (s.kind != StatementKind::Copy || s.numOperands != 1) return value;
      value = facts_.operandsOf(s)[0];
    }
    return value;
  }

  uint32_t parameterOf(const Function &f, ValueId value) const {
    const auto at = std::find(f.parameters.begin(), f.parameters.end(), original(value));
    return at == f.parameters.end() ? kNone : static_cast<uint32_t>(at - f.parameters.begin());
  }

  /// Does the statement nothing with the pointer but ask whether it is null, and does control
  /// depend on nothing else?
  bool leavesAlone(StatementId id, ValueId pointer) const {
    const Statement &s = facts_.statements[id];
    const auto operands = facts_.operandsOf(s);
    if (s.kind == StatementKind::Branch)
      return operands.empty() || isNullCheck(facts_.values[operands[0]].definition, pointer);
    if (std::ranges::none_of(operands, [&](ValueId v) { return original(v) == pointer; }))
      return true;
    return isNullCheck(id, pointer) || (s.kind == StatementKind::Copy && s.numOperands == 1);
  }

  bool isNullCheck(StatementId id, ValueId pointer) const {
    if (id == kNone || facts_.statements[id].kind != StatementKind::Compare) return false;
    const auto sides = facts_.operandsOf(facts_.statements[id]);
    return (original(sides[0]) == pointer && sides[1] == kNullValue) ||
           (original(sides[1]) == pointer && sides[0] == kNullValue);
  }

  const Facts &facts_;
  std::vector<FreeWrapper> wrappers_;
  std::vector<bool> isLooked_;
};

} // namespace

std::vector<FreeWrapper> findFreeWrappers(const Facts &facts) { return Finder(facts).run(); }

} // namespace fathom::statics
