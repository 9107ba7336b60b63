// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/View.h"

#include <algorithm>

namespace fathom::statics {

View::View(const ValueFlow &flow)
    : flow(flow), facts(flow.facts), pts(flow.pts), callers_(flow.facts.functions.size()),
      returns_(findReturning(flow.pts)), freeWrappers_(findFreeWrappers(flow.facts)) {
  const auto forEachUse = [&](auto &&visit) {
    for (StatementId s = 0; s < facts.statements.size(); s++) {
      const FunctionId f = functionOf(s);
      if (!isOwn(f) || !pts.isReached(f)) continue;
      for (const ValueId operand : facts.operandsOf(facts.statements[s])) visit(s, operand);
    }
  };
  firstUser_.assign(facts.values.size() + 1, 0);
  forEachUse([&](StatementId, ValueId value) { firstUser_[value + 1]++; });
  for (size_t i = 1; i < firstUser_.size(); i++) firstUser_[i] += firstUser_[i - 1];
  users_.resize(firstUser_.back());
  std::vector<uint32_t> next(firstUser_.begin(), firstUser_.end() - 1);
  forEachUse([&](StatementId s, ValueId value) { users_[next[value]++] = s; });
  for (uint32_t c = 0; c < facts.calls.size(); c++) {
    const FunctionId caller = functionOf(facts.calls[c].statement);
    if (!isOwn(caller) || !pts.isReached(caller)) continue;
    for (const FunctionId callee : pts.callees(c)) callers_[callee].push_back(c);
  }
}

std::span<const StatementId> View::users(ValueId value) const {
  return {users_.data() + firstUser_[value], firstUser_[value + 1] - firstUser_[value]};
}

bool View::ends(StatementId call) const {
  return facts.calls[facts.statements[call].extra].callee != kNone &&
         neverReturns(pts, returns_, call);
}

bool View::callsOwn(uint32_t call) const {
  const std::vector<FunctionId> &callees = pts.callees(call);
  return std::any_of(callees.begin(), callees.end(), [&](FunctionId f) { return isOwn(f); });
}

const Summary *View::summaryOf(const CallSite &site) const {
  if (site.summary) return site.summary;
  const auto call = static_cast<uint32_t>(&site - facts.calls.data());
  for (const FunctionId f : pts.callees(call))
    if (facts.functions[f].summary) return facts.functions[f].summary;
  return nullptr;
}

const LibraryFunction *View::knownOf(const CallSite &site) const {
  if (site.known || site.callee != kNone) return site.known;
  for (const FunctionId f : pts.callees(static_cast<uint32_t>(&site - facts.calls.data())))
    if (facts.functions[f].known) return facts.functions[f].known;
  return nullptr;
}

const LibraryFunction *View::onlyKnownOf(const CallSite &site) const {
  const auto call = static_cast<uint32_t>(&site - facts.calls.data());
  const bool isOne = site.known || site.callee != kNone || pts.callees(call).size() == 1;
  return isOne ? knownOf(site) : nullptr;
}

std::string View::calleeName(const CallSite &site) const {
  if (site.callee != kNone) return facts.functions[site.callee].shownName;
  if (site.summary) return std::string(site.summary->name);
  const std::vector<FunctionId> &callees =
      pts.callees(static_cast<uint32_t>(&site - facts.calls.data()));
  if (callees.size() > 1) return "the function behind a pointer";
  return callees.empty() ? "a function" : facts.functions[callees.front()].shownName;
}

const FreeWrapper *View::freeWrapperOf(const CallSite &site, uint32_t operand) const {
  if (site.summary) return nullptr;
  for (const FunctionId f : pts.callees(static_cast<uint32_t>(&site - facts.calls.data()))) {
    const FreeWrapper &wrapper = freeWrappers_[f];
    if (wrapper.release != kNone && (operand == kNone || wrapper.parameter == operand))
      return &wrapper;
  }
  return nullptr;
}

UseKind View::useOf(StatementId statement, uint32_t operand) const {
  const Statement &s = facts.statements[statement];
  if (s.kind == StatementKind::Load) return operand == 0 ? UseKind::Read : UseKind::None;
  if (s.kind == StatementKind::Store) return operand == 0 ? UseKind::Written : UseKind::None;
  if (s.kind != StatementKind::Call || operand >= 8) return UseKind::None;
  const CallSite &site = facts.calls[s.extra];
  if (const Summary *summary = summaryOf(site)) {
    if (summary->freed >> operand & 1) return UseKind::Freed;
    if (summary->written >> operand & 1) return UseKind::Written;
    if (summary->read >> operand & 1) return UseKind::Read;
    return UseKind::None;
  }
  const LibraryFunction *known = knownOf(site);
  if (known && known->closed >> operand & 1) return UseKind::Closed;
  return callsOwn(s.extra) ? UseKind::None : UseKind::Passed;
}

UseKind View::useOutsideOfWrappers(StatementId statement, uint32_t operand) const {
  const Statement &s = facts.statements[statement];
  if (s.kind == StatementKind::Call) {
    if (freeWrappers_[functionOf(statement)].release == statement) return UseKind::None;
    if (freeWrapperOf(facts.calls[s.extra], operand)) return UseKind::Freed;
  }
  return useOf(statement, operand);
}

bool View::dereferences(StatementId statement, uint32_t operand) const {
  const Statement &s = facts.statements[statement];
  if (s.kind == StatementKind::Load || s.kind == StatementKind::Store) return operand == 0;
  if (s.kind != StatementKind::Call || operand >= 8) return false;
  const LibraryFunction *known = knownOf(facts.calls[s.extra]);
  return known && known->dereferenced >> operand & 1;
}

bool View::isUsedUnlessNull(StatementId statement, uint32_t operand) const {
  const Statement &s = facts.statements[statement];
  if (s.kind != StatementKind::Call || operand >= 8) return false;
  const LibraryFunction *known = knownOf(facts.calls[s.extra]);
  return known && known->usedUnlessNull >> operand & 1;
}

bool View::mayReturnNull(const CallSite &site) const {
  const LibraryFunction *known = knownOf(site);
  return known && known->mayReturnNull;
}

ObjectId View::objectOf(ValueId value) const {
  const Value &v = facts.values[value];
  if (v.function == kNone && v.address != kNone) return facts.addresses[v.address].object;
  if (v.definition != kNone && facts.statements[v.definition].kind == StatementKind::Address)
    return facts.statements[v.definition].extra;
  return kNone;
}

bool View::isVariable(ValueId value) const {
  const ObjectId object = objectOf(value);
  if (object == kNone) return false;
  const ObjectKind kind = facts.objects[object].kind;
  return kind == ObjectKind::Global || kind == ObjectKind::Stack;
}

Ways &View::ways(FunctionId function) {
  std::unique_ptr<Ways> &known = ways_[function];
  if (!known) known = std::make_unique<Ways>(flow, function, returns_);
  return *known;
}

bool View::mayComeTo(uint32_t call, StatementId inside) {
  const FunctionId f = functionOf(inside);
  ValueNumbers &numbers = ways(f).numbers;
  std::optional<Known> known = ways(f).knownAt(facts.statements[inside].block);
  const auto operands = facts.operandsOf(facts.statements[facts.calls[call].statement]);
  const std::vector<ValueId> &parameters = facts.functions[f].parameters;
  for (size_t i = 0; known && i < std::min(operands.size(), parameters.size()); i++)
    if (const auto number = numberOf(facts, operands[i]);
        number && !known->assumeNumber(numbers.leader(parameters[i]), *number, true))
      return false;
  return known.has_value();
}

ReportStep View::step(StatementId statement, StepRole role, std::string text, PlaceId place) const {
  ReportStep out;
  out.role = role;
  out.statement = statement;
  out.text = std::move(text);
  out.function = facts.functions[functionOf(statement)].shownName;
  out.isThinWrapper = facts.functions[functionOf(statement)].isThinWrapper;
  // Instructions without a place of their own have that of one before them.
  const Block &block = facts.blocks[facts.statements[statement].block];
  for (StatementId s = statement; place == 0; s--) {
    place = facts.statements[s].place;
    if (s == block.firstStatement) break;
  }
  if (place == 0) place = facts.functions[functionOf(statement)].place;
  out.file = facts.files[facts.places[place].file];
  out.line = facts.places[place].line;
  out.column = facts.places[place].column;
  return out;
}

} // namespace fathom::statics
