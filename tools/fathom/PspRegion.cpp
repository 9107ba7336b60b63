// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PspRegion.h"

#include <algorithm>
#include <set>

namespace fathom::tool {

namespace {

using namespace statics::abstract;

/// What a condition is computed from.
class Sources {
public:
  Sources(const AbstractProgram &program, CheckId check) : program_(program) {
    const FunctionId id = program.checks[check].function;
    if (id == kNoId) return;
    for (const Block &block : program.functions[id].blocks)
      for (const Statement &s : block.statements) {
        if (s.dst != kNoId) definitions_[s.dst].push_back(&s);
        if (s.check == check && s.kind == StatementKind::Verify) conditions_.push_back(&s);
        if (s.check == check && s.kind == StatementKind::Operate) add(s.b); // a division
      }
    for (const Statement *s : conditions_) add(s->condition);
  }
  std::vector<VarId> named(const std::string &name) const {
    std::vector<VarId> out;
    for (const VarId var : seen_)
      if (program_.variables[var].name == name && !program_.variables[var].isAddress)
        out.push_back(var);
    return out;
  }
  const std::set<VarId> &loads() const { return loads_; }

private:
  void add(const Condition &condition) {
    if (!condition.ofAddresses) add(condition.a), add(condition.b);
    for (const Condition &part : condition.parts) add(part);
  }
  void add(const Operand &operand) {
    if (operand.isConstant() || !seen_.insert(operand.var).second) return;
    const auto at = definitions_.find(operand.var);
    if (at == definitions_.end()) return;
    for (const Statement *s : at->second) {
      if (s->kind == StatementKind::Load) loads_.insert(operand.var);
      if (s->kind != StatementKind::Assign && s->kind != StatementKind::Operate &&
          s->kind != StatementKind::Convert && s->kind != StatementKind::Test &&
          s->kind != StatementKind::Select)
        continue;
      if (s->kind != StatementKind::Test) add(s->a), add(s->b);
      add(s->condition);
    }
  }

  const AbstractProgram &program_;
  std::map<VarId, std::vector<const Statement *>> definitions_;
  std::vector<const Statement *> conditions_;
  std::set<VarId> seen_, loads_;
};

/// The numbers as signed ones and as unsigned ones, since a sample may be either.
void addValues(const Progression &number, std::vector<psp::Stretch> &out) {
  for (const bool isSigned : {true, false})
    for (const statics::abstract::Stretch &s : number.stretches(isSigned))
      out.push_back({static_cast<int64_t>(s.lo),
                     static_cast<int64_t>(std::min<Wide>(s.hi, INT64_MAX)),
                     static_cast<uint64_t>(s.stride)});
}

/// Where signed and unsigned reading agree for all numbers.
bool isPlain(const Progression &number) {
  return !number.isNone() && number.min(true) >= 0 && number.max(true) == number.max(false);
}

bool isMemory(const std::string &name) { return name.find_first_of("[.>*(") != std::string::npos; }

} // namespace

psp::Region failingRegion(const AbstractProgram &program, const AnalysisResult &result,
                          CheckId check, const std::vector<std::string> &names) {
  psp::Region out;
  const std::optional<State> &state = result.checks[check].state;
  if (!state) return out;
  out.isEmpty = state->isBottom();
  const Sources sources(program, check);
  std::vector<std::vector<VarId>> variables;
  for (const std::string &name : names) variables.push_back(sources.named(name));
  // The one read from memory.
  const auto unmatched = [&](size_t i) { return variables[i].empty() && isMemory(names[i]); };
  std::vector<size_t> open;
  for (size_t i = 0; i < names.size(); ++i)
    if (unmatched(i)) open.push_back(i);
  if (open.size() == 1 && sources.loads().size() == 1)
    variables[open[0]].push_back(*sources.loads().begin());

  for (psp::VariableId v = 0; v < names.size(); ++v)
    for (const VarId var : variables[v]) {
      const Progression number = state->number(var);
      if (!number.isTop() || number.width() < 64) addValues(number, out.values[v]);
      if (number.isTop() && number.width() == 64) out.values[v].push_back({});
    }
  for (psp::VariableId x = 0; x < names.size(); ++x)
    for (psp::VariableId y = 0; y < names.size(); ++y) {
      if (x == y || variables[x].size() != 1 || variables[y].size() != 1) continue;
      const VarId a = variables[x][0], b = variables[y][0];
      if (a == b || !isPlain(state->number(a)) || !isPlain(state->number(b))) continue;
      for (const auto &[signX, signY] : {std::pair(1, -1), std::pair(1, 1), std::pair(-1, -1)}) {
        if (signX == signY && x > y) continue;
        statics::abstract::PairBound pair;
        pair.x = a, pair.y = b, pair.signX = signX, pair.signY = signY;
        if (const std::optional<int64_t> bound = state->relations().upperBound(pair))
          out.pairs.push_back({signX, x, signY, y, *bound});
      }
    }
  return out;
}

} // namespace fathom::tool
