// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/ModRef.h"

#include "support/Components.h"

#include <algorithm>

namespace fathom::statics {

namespace {

void insertLeaves(const Locations &l, ObjectId object, SparseBits &into) {
  const LocationId first = l.first(object);
  for (uint32_t leaf = 0; leaf < l.leaves(object); leaf++) into.insert(first + leaf);
}

} // namespace

ModRef::ModRef(PointsTo &pts, const std::atomic<bool> *stop)
    : pts_(pts), functions_(pts.facts.functions.size()), statements_(pts.facts.statements.size()),
      recursive_(pts.facts.functions.size()) {
  const Facts &facts = pts.facts;
  findCycles();
  for (const std::vector<FunctionId> &component : components_) {
    if (stop && *stop) return;
    Bits all;
    for (const FunctionId f : component) {
      addOwn(f, all);
      forEachStatement(facts, f, [&](const Statement &s) {
        if (s.kind != StatementKind::Call) return;
        for (const FunctionId callee : pts.callees(s.extra)) {
          all.mod.unite(pts.sets[functions_[callee].mod]);
          all.ref.unite(pts.sets[functions_[callee].ref]);
        }
      });
    }
    if (component.size() == 1 && !recursive_[component[0]]) {
      // Its frame is gone when it has returned.
      SparseBits frame;
      forEachStatement(facts, component[0], [&](const Statement &s) {
        if (s.kind == StatementKind::Address) insertLeaves(pts.locations, s.extra, frame);
      });
      all.mod.subtract(frame);
      all.ref.subtract(frame);
    }
    const Sets sets{pts.sets.intern(std::move(all.mod)), pts.sets.intern(std::move(all.ref))};
    for (const FunctionId f : component) functions_[f] = sets;
  }
  for (FunctionId f = 0; f < facts.functions.size(); f++)
    if (pts.isReached(f) && !(stop && *stop))
      forEachStatement(facts, f, [&](const Statement &s) {
        if (s.kind == StatementKind::Call) finishCall(s);
      });
}

void ModRef::findCycles() {
  const Facts &facts = pts_.facts;
  const auto count = static_cast<FunctionId>(facts.functions.size());
  std::vector<std::vector<FunctionId>> calls(count);
  for (uint32_t c = 0; c < facts.calls.size(); c++) {
    const FunctionId caller = facts.functionOf(facts.statements[facts.calls[c].statement]);
    if (!pts_.isReached(caller)) continue;
    for (const FunctionId callee : pts_.callees(c)) {
      calls[caller].push_back(callee);
      if (callee == caller) recursive_[caller] = true;
    }
  }
  forEachComponent(
      count,
      [&](FunctionId f, size_t i) {
        return i < calls[f].size() ? std::optional(calls[f][i]) : std::nullopt;
      },
      [&](std::span<const FunctionId> component) {
        if (component.size() > 1)
          for (const FunctionId member : component) recursive_[member] = true;
        components_.emplace_back(component.rbegin(), component.rend());
      });
}

SetId ModRef::accessed(ValueId address, uint64_t bytes) {
  const SetId set = pts_.setOf(address);
  if (set == 0) return 0;
  auto [known, isNew] = accessed_.try_emplace(uint64_t(set) << 32 | bytes, 0);
  if (!isNew) return known->second;
  const Locations &l = pts_.locations;
  SparseBits reached;
  pts_.sets[set].forEach([&](LocationId location) {
    const ObjectId object = l.objectOf(location);
    if (pts_.objects[object].kind == ObjectKind::Function) return; // no memory of the program
    if (l.isAnywhere(location)) return insertLeaves(l, object, reached);
    reached.insert(location);
    const LocationId end = l.first(object) + l.leaves(object);
    const uint64_t begin = l.offsetOf(location);
    for (LocationId next = location + 1; next < end && l.offsetOf(next) < begin + bytes; next++)
      reached.insert(next);
  });
  return known->second = pts_.sets.intern(std::move(reached));
}

SetId ModRef::objectsBehind(ValueId address) {
  const SetId set = pts_.setOf(address);
  if (set == 0) return 0;
  auto [known, isNew] = objects_.try_emplace(set, 0);
  if (!isNew) return known->second;
  SparseBits reached;
  ObjectId last = kNone;
  pts_.sets[set].forEach([&](LocationId location) {
    const ObjectId object = pts_.locations.objectOf(location);
    if (object != last) insertLeaves(pts_.locations, object, reached);
    last = object;
  });
  return known->second = pts_.sets.intern(std::move(reached));
}

void ModRef::addOwn(FunctionId function, Bits &bits) {
  if (!pts_.isReached(function)) return;
  forEachStatement(pts_.facts, function, [&](const Statement &s) {
    Sets &sets = statements_[index(s)];
    const auto operands = pts_.facts.operandsOf(s);
    if (s.kind == StatementKind::Load) sets.ref = accessed(operands[0], s.bytes);
    if (s.kind == StatementKind::Store) sets.mod = accessed(operands[0], s.bytes);
    if (s.kind == StatementKind::Call) {
      Bits own;
      addSummary(pts_.facts.calls[s.extra], own);
      sets = {pts_.sets.intern(std::move(own.mod)), pts_.sets.intern(std::move(own.ref))};
    }
    bits.mod.unite(pts_.sets[sets.mod]);
    bits.ref.unite(pts_.sets[sets.ref]);
  });
}

void ModRef::addExternal(Bits &bits) {
  const LocationId unknown = pts_.locations.first(pts_.facts.unknown);
  SparseBits all;
  insertLeaves(pts_.locations, pts_.facts.unknown, all);
  pts_.contents(unknown).forEach([&](LocationId location) {
    insertLeaves(pts_.locations, pts_.locations.objectOf(location), all);
  });
  bits.mod.unite(all);
  bits.ref.unite(all);
}

void ModRef::addSummary(const CallSite &site, Bits &bits) {
  const Facts &facts = pts_.facts;
  const auto arguments = facts.operandsOf(facts.statements[site.statement]);
  auto apply = [&](const Summary &summary) {
    for (uint32_t i = 0; i < arguments.size() && i < 8; i++) {
      const bool reads = summary.read >> i & 1, writes = (summary.written | summary.freed) >> i & 1;
      if (!reads && !writes) continue;
      const SetId set = summary.copies() && site.copiedBytes
                            ? accessed(arguments[i], site.copiedBytes)
                            : objectsBehind(arguments[i]);
      if (reads) bits.ref.unite(pts_.sets[set]);
      if (writes) bits.mod.unite(pts_.sets[set]);
    }
    // What is new was written: zeros, a copy, or nothing.
    const Statement &s = facts.statements[site.statement];
    if (summary.allocates != Allocates::Nothing && s.result != kNone)
      bits.mod.unite(pts_.sets[objectsBehind(s.result)]);
  };
  if (site.summary) return apply(*site.summary);
  const uint32_t call = static_cast<uint32_t>(&site - facts.calls.data());
  bool external = site.callee == kNone && site.target == kNone;
  for (const FunctionId callee : pts_.callees(call)) {
    const Function &f = facts.functions[callee];
    if (f.summary)
      apply(*f.summary);
    else if (!f.hasBody)
      external = true;
  }
  if (external) addExternal(bits);
}

void ModRef::finishCall(const Statement &s) {
  Sets &sets = statements_[index(s)];
  SparseBits mod = pts_.sets[sets.mod], ref = pts_.sets[sets.ref];
  for (const FunctionId callee : pts_.callees(s.extra)) {
    mod.unite(pts_.sets[functions_[callee].mod]);
    ref.unite(pts_.sets[functions_[callee].ref]);
  }
  sets = {pts_.sets.intern(std::move(mod)), pts_.sets.intern(std::move(ref))};
}

} // namespace fathom::statics
