// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/FailingRegion.h"

#include "program/SourceNames.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace fathom::run {

namespace {

using statics::abstract::AbstractProgram;
using statics::abstract::AnalysisResult;
using statics::abstract::Bases;
using statics::abstract::Block;
using statics::abstract::CheckId;
using statics::abstract::CheckKind;
using statics::abstract::Condition;
using statics::abstract::FunctionId;
using statics::abstract::kAbsolute;
using statics::abstract::kNoId;
using statics::abstract::kNull;
using statics::abstract::Object;
using statics::abstract::ObjectId;
using statics::abstract::Operand;
using statics::abstract::Progression;
using statics::abstract::State;
using statics::abstract::Statement;
using statics::abstract::StatementKind;
using statics::abstract::Value;
using statics::abstract::VarId;
using statics::abstract::Wide;

/// What a condition is computed from.
class ConditionSources {
public:
  ConditionSources(const AbstractProgram &program, CheckId check) : program_(program) {
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

/// The read or write that is checked; null: it is no such check.
const Statement *accessOf(const AbstractProgram &program, CheckId check) {
  const FunctionId id = program.checks[check].function;
  if (program.checks[check].kind != CheckKind::Bounds || id == kNoId) return nullptr;
  for (const Block &block : program.functions[id].blocks)
    for (const Statement &s : block.statements)
      if (s.check == check) return &s;
  return nullptr;
}

bool isObject(ObjectId base) { return base != kNull && base != kAbsolute; }

/// How large the objects are that an address may be in; absent: nothing is known of one.
std::optional<std::vector<psp::Stretch>> sizesOf(const AbstractProgram &program, const State &state,
                                                 const Bases &bases) {
  std::vector<psp::Stretch> out;
  for (const ObjectId base : bases) {
    if (!isObject(base)) continue;
    const Object &object = program.objects[base];
    if (object.sizeBytes)
      out.push_back({int64_t(*object.sizeBytes), int64_t(*object.sizeBytes), 0});
    else if (object.sizeVar != kNoId && !state.number(object.sizeVar).isTop())
      addValues(state.number(object.sizeVar), out);
    else
      return std::nullopt;
  }
  return out;
}

/// offset - size <= bound, if all of the object's sizes and offsets are natural numbers.
std::optional<int64_t> boundBySize(const AbstractProgram &program, const State &state,
                                   const Operand &address, const Bases &objects) {
  if (objects.size() != 1 || address.isConstant()) return std::nullopt;
  const Object &object = program.objects[objects.front()];
  if (object.sizeBytes || object.sizeVar == kNoId || !isPlain(state.number(address)) ||
      !isPlain(state.number(object.sizeVar)))
    return std::nullopt;
  return state.relations().upperBound({address.var, object.sizeVar, 1, -1, 0});
}

/// The region of an access's offset, size and length (campaign/StateAccess.h); other variables are
/// not restricted.
psp::Region accessRegion(const AbstractProgram &program, const State &state, const Statement &s,
                         const std::vector<std::string> &names) {
  psp::Region out;
  auto find = [&](const char *name) {
    const auto at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::nullopt : std::optional(psp::VariableId(at - names.begin()));
  };
  const bool isBlock = s.kind == StatementKind::Fill || s.kind == StatementKind::Transfer;
  if (const auto length = find("length"); length && isBlock && !state.number(s.c).isTop())
    addValues(state.number(s.c), out.values[*length]);
  // Which of the two ranges of a copy is sampled is not known here.
  if (s.kind == StatementKind::Transfer) return out;
  const Value address = state.value(s.a, true);
  if (!address.bases) return out;
  const auto offset = find("offset"), size = find("size");
  Bases objects;
  std::copy_if(address.bases->begin(), address.bases->end(), std::back_inserter(objects), isObject);
  psp::Region inObjects;
  inObjects.isEmpty = objects.empty();
  if (offset && !address.number.isTop()) addValues(address.number, inObjects.values[*offset]);
  if (const auto sizes = sizesOf(program, state, objects); size && sizes && !objects.empty())
    inObjects.values[*size] = *sizes;
  if (const auto bound = boundBySize(program, state, s.a, objects); bound && offset && size)
    inObjects.pairs.push_back({1, *offset, -1, *size, *bound});
  // At null, and numbers near it, an object has no bytes.
  const bool mayBeNull = objects.size() < address.bases->size();
  out.predicate = [inObjects, size, mayBeNull](const psp::State &sample) {
    return inObjects.contains(sample) || (mayBeNull && size && sample.value(*size) == 0);
  };
  return out;
}

} // namespace

std::optional<uint64_t> bytesTouched(const AbstractProgram &program, CheckId check) {
  const Statement *s = accessOf(program, check);
  if (!s || (s->kind != StatementKind::Load && s->kind != StatementKind::Store))
    return std::nullopt;
  return s->sizeBytes;
}

psp::Region failingRegion(const AbstractProgram &program, const AnalysisResult &result,
                          CheckId check, const std::vector<std::string> &names) {
  psp::Region out;
  const std::optional<State> &state = result.checks[check].state;
  if (!state) return out;
  if (const Statement *access = accessOf(program, check); access && !state->isBottom())
    return accessRegion(program, *state, *access, names);
  out.isEmpty = state->isBottom();
  const ConditionSources sources(program, check);
  std::vector<std::vector<VarId>> variables;
  for (const std::string &name : names) variables.push_back(sources.named(name));
  // The one read from memory.
  const auto unmatched = [&](size_t i) {
    return variables[i].empty() && program::isPlaceName(names[i]);
  };
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

} // namespace fathom::run
