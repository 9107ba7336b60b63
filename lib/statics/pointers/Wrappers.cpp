// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/Wrappers.h"

#include <algorithm>

namespace fathom::statics {

namespace {

constexpr uint32_t kMaxStatements = 120;

class Finder {
public:
  explicit Finder(const Facts &facts)
      : facts_(facts), state_(facts.functions.size(), State::Unknown) {}

  bool isWrapper(FunctionId id) {
    if (state_[id] != State::Unknown) return state_[id] == State::Yes;
    state_[id] = State::No; // while it is looked at: a recursive function is none
    const bool yes = look(id);
    if (yes) state_[id] = State::Yes;
    return yes;
  }

private:
  enum class State : uint8_t { Unknown, No, Yes };

  bool look(FunctionId id) {
    const Function &f = facts_.functions[id];
    if (!f.hasBody || f.summary || f.variadic != kNone) return false;
    if (!facts_.values[f.returned].mayPoint || f.numBlocks == 0) return false;
    const Block &last = facts_.blocks[f.firstBlock + f.numBlocks - 1];
    const StatementId first = facts_.blocks[f.firstBlock].firstStatement;
    const StatementId end = last.firstStatement + last.numStatements;
    if (end - first > kMaxStatements) return false;
    std::vector<ValueId> open;
    for (StatementId s = first; s < end; s++)
      if (const Statement &statement = facts_.statements[s];
          statement.kind == StatementKind::Return)
        for (const ValueId value : facts_.operandsOf(statement)) open.push_back(value);
    bool allocates = false;
    std::vector<ValueId> seen;
    while (!open.empty()) {
      const ValueId value = open.back();
      open.pop_back();
      if (std::find(seen.begin(), seen.end(), value) != seen.end()) continue;
      seen.push_back(value);
      if (!follow(value, open, allocates)) return false;
    }
    return allocates;
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
    if (site.allocated != kNone ||
        (site.callee != kNone && !site.summary && isWrapper(site.callee)))
      return allocates = true;
    return false;
  }

  const Facts &facts_;
  std::vector<State> state_;
};

} // namespace

std::vector<bool> allocationWrappers(const Facts &facts) {
  Finder finder(facts);
  std::vector<bool> wrappers(facts.functions.size());
  for (FunctionId f = 0; f < facts.functions.size(); f++) wrappers[f] = finder.isWrapper(f);
  return wrappers;
}

} // namespace fathom::statics
