// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/Wrappers.h"

#include "statics/front/WrapperLimits.h"

#include <algorithm>

namespace fathom::statics {

namespace {

class WrapperFinder {
public:
  explicit WrapperFinder(const Facts &facts)
      : facts_(facts), state_(facts.functions.size(), State::Unknown) {}

  bool isWrapper(FunctionId id) { return stateOf(id) >= State::Passes; }

private:
  enum class State : uint8_t {
    Unknown,
    No,
    Passes, ///< returns its parameters, like one that checks what malloc returned
    Allocates,
  };

  State stateOf(FunctionId id) {
    if (state_[id] != State::Unknown) return state_[id];
    state_[id] = State::No; // while it is looked at: what comes from a recursive call of it is none
    return state_[id] = look(id);
  }

  State look(FunctionId id) {
    const Function &f = facts_.functions[id];
    if (!f.hasBody || f.summary || f.variadic != kNone) return State::No;
    if (!facts_.values[f.returned].mayPoint || f.numBlocks == 0) return State::No;
    const auto [first, end] = facts_.statementsOf(f);
    if (end - first > kMaxInWrapper) return State::No;
    std::vector<ValueId> open;
    for (StatementId s = first; s < end; s++)
      if (const Statement &statement = facts_.statements[s];
          statement.kind == StatementKind::Return)
        for (const ValueId value : facts_.operandsOf(statement)) open.push_back(value);
    bool allocates = false, passes = false;
    std::vector<ValueId> seen;
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
      seen.push_back(value);
      passes |= facts_.values[value].function != kNone &&
                facts_.values[value].definition == kNone && facts_.values[value].mayPoint;
      if (!follow(value, open, allocates)) return State::No;
    }
    if (allocates) return State::Allocates;
    return passes && end - first <= kMaxInPassing ? State::Passes : State::No;
  }

  bool follow(ValueId value, std::vector<ValueId> &open, bool &allocates) {
    const Value &v = facts_.values[value];
    if (v.function == kNone) return v.address == kNone;
    if (v.definition == kNone) return true; // a parameter
    const Statement &s = facts_.statements[v.definition];
    if (s.kind == StatementKind::Copy) {
      for (const ValueId operand : facts_.operandsOf(s)) open.push_back(operand);
      return true;
    }
    if (s.kind == StatementKind::Gep) { // space for a header
      open.push_back(facts_.operands[s.firstOperand]);
      return true;
    }
    if (s.kind != StatementKind::Call) return !v.mayPoint;
    const CallSite &site = facts_.calls[s.extra];
    if (site.allocated != kNone) return allocates = true;
    if (site.callee == kNone || site.summary) return false;
    const State callee = stateOf(site.callee);
    if (callee == State::Passes)
      for (const ValueId argument : facts_.operandsOf(s))
        if (facts_.values[argument].mayPoint) open.push_back(argument);
    allocates |= callee == State::Allocates;
    return callee >= State::Passes;
  }

  const Facts &facts_;
  std::vector<State> state_;
};

} // namespace

std::vector<bool> allocationWrappers(const Facts &facts) {
  WrapperFinder finder(facts);
  std::vector<bool> wrappers(facts.functions.size());
  for (FunctionId f = 0; f < facts.functions.size(); f++) wrappers[f] = finder.isWrapper(f);
  return wrappers;
}

} // namespace fathom::statics
