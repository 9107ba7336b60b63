// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/GlobalWrites.h"

#include "support/Components.h"

#include <algorithm>

namespace fathom::statics::heap {

GlobalWrites::GlobalWrites(const View &view)
    : view_(view), functions_(view.facts.functions.size()) {
  const Facts &facts = view.facts;
  std::vector<std::vector<FunctionId>> callees(functions_.size());
  for (FunctionId f = 0; f < functions_.size(); f++) {
    if (!view.isOwn(f) || !view.pts.isReached(f)) continue;
    forEachStatement(facts, f, [&](const Statement &s) {
      const auto id = static_cast<StatementId>(&s - facts.statements.data());
      if (s.kind != StatementKind::Call) return addStatement(id, functions_[f]);
      Call &call = calls_[id];
      addStatement(id, call.own);
      call.callees = calleesOf(s);
      functions_[f].unite(call.own);
      callees[f].insert(callees[f].end(), call.callees.begin(), call.callees.end());
    });
  }
  const auto next = [&](uint32_t f, size_t i) -> std::optional<uint32_t> {
    return i < callees[f].size() ? std::optional(callees[f][i]) : std::nullopt;
  };
  forEachComponent(static_cast<uint32_t>(functions_.size()), next,
                   [&](std::span<const uint32_t> component) {
                     SparseBits all;
                     for (const FunctionId f : component) {
                       all.unite(functions_[f]);
                       for (const FunctionId callee : callees[f]) all.unite(functions_[callee]);
                     }
                     for (const FunctionId f : component) functions_[f] = all;
                   });
}

/// Of the program. Those that a library calls back are passed to it.
std::vector<FunctionId> GlobalWrites::calleesOf(const Statement &call) const {
  std::vector<FunctionId> out;
  const auto add = [&](FunctionId callee) {
    if (view_.isOwn(callee)) out.push_back(callee);
  };
  std::ranges::for_each(view_.pts.callees(call.extra), add);
  if (!out.empty()) return out;
  for (const ValueId operand : view_.facts.operandsOf(call)) {
    if (!view_.facts.values[operand].mayPoint) continue;
    view_.pts.of(operand).forEach([&](LocationId location) {
      const ObjectId object = view_.pts.locations.objectOf(location);
      if (object < view_.facts.objects.size() &&
          view_.facts.objects[object].kind == ObjectKind::Function)
        add(view_.facts.objects[object].function);
    });
  }
  return out;
}

void GlobalWrites::addPointees(ValueId pointer, SparseBits &into) const {
  view_.pts.of(pointer).forEach([&](LocationId location) {
    const ObjectId object = view_.pts.locations.objectOf(location);
    const bool isGlobal = object < view_.facts.objects.size() &&
                          view_.facts.objects[object].kind == ObjectKind::Global;
    if (isGlobal) into.insert(object);
  });
}

/// What the statement itself writes, and what a library function does with its arguments.
void GlobalWrites::addStatement(StatementId id, SparseBits &into) const {
  const Statement &s = view_.facts.statements[id];
  if (s.kind == StatementKind::Store) addPointees(view_.facts.operandsOf(s)[0], into);
  if (s.kind != StatementKind::Call) return;
  const auto isLibrary = [&](FunctionId callee) { return !view_.isOwn(callee); };
  const std::vector<FunctionId> &callees = view_.pts.callees(s.extra);
  if (!callees.empty() && std::ranges::none_of(callees, isLibrary)) return;
  for (const ValueId operand : view_.facts.operandsOf(s))
    if (view_.facts.values[operand].mayPoint) addPointees(operand, into);
  // getopt sets variables that the program reads.
  for (const FunctionId callee : callees)
    if (view_.facts.functions[callee].parsesOptions)
      view_.pts.sets[view_.flow.modRef.mod(callee)].forEach(
          [&](LocationId location) { into.insert(view_.pts.locations.objectOf(location)); });
}

bool GlobalWrites::callMayWrite(StatementId call, ObjectId global) const {
  const auto known = calls_.find(call);
  if (known == calls_.end() || known->second.own.contains(global)) return true;
  return std::ranges::any_of(known->second.callees,
                             [&](FunctionId callee) { return mayWrite(callee, global); });
}

} // namespace fathom::statics::heap
