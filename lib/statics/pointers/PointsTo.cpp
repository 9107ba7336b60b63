// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/pointers/PointsTo.h"

#include "statics/pointers/ProgramConstraints.h"

#include <algorithm>

namespace fathom::statics {

SetId LocationSets::intern(SparseBits set) {
  const uint64_t hash = set.hash();
  auto [at, end] = known_.equal_range(hash);
  for (; at != end; ++at)
    if (sets_[at->second] == set) return at->second;
  set.shrink();
  sets_.push_back(std::move(set));
  const auto id = static_cast<SetId>(sets_.size() - 1);
  known_.emplace(hash, id);
  return id;
}

// MAIN LOOP: constraints, their least solution, and what is kept of it.
bool analysePointers(PointsTo &result, const std::atomic<bool> &stop) {
  const Facts &facts = result.facts;
  ProgramConstraints constraints(facts);
  Solver solver(constraints);
  const bool isComplete = solver.solve(stop);
  result.objects = constraints.objects();
  for (ObjectId o = 0; o < result.objects.size(); o++)
    result.locations.add(o, result.objects[o].layout);

  result.values_.resize(facts.values.size());
  for (ValueId v = 0; v < facts.values.size(); v++) {
    const Value &value = facts.values[v];
    if (!value.mayPoint) continue;
    if (value.address != kNone) {
      result.values_[v] =
          result.sets.intern(solver.pointsTo(constraints.constantNode(value.address)));
      continue;
    }
    if (value.function == kNone) continue;
    const ValueId offset = v - facts.functions[value.function].firstValue;
    const std::vector<NodeId> &instanceBases = constraints.instanceBases(value.function);
    if (instanceBases.size() == 1) {
      result.values_[v] = result.sets.intern(solver.pointsTo(instanceBases[0] + offset));
      continue;
    }
    SparseBits all;
    for (const NodeId base : instanceBases) all.unite(solver.pointsTo(base + offset));
    result.values_[v] = result.sets.intern(std::move(all));
  }
  result.contents_.resize(result.locations.count());
  for (LocationId l = 0; l < result.locations.count(); l++)
    result.contents_[l] = result.sets.intern(solver.pointsTo(constraints.contents(l)));

  result.callees_.resize(facts.calls.size());
  for (auto [site, callee] : constraints.bound()) result.callees_[site].push_back(callee);
  result.reached_.resize(facts.functions.size());
  for (FunctionId f = 0; f < facts.functions.size(); f++)
    result.reached_[f] = constraints.isReached(f);
  for (uint32_t c = 0; c < facts.calls.size(); c++) {
    const CallSite &site = facts.calls[c];
    const FunctionId caller = facts.functionOf(facts.statements[site.statement]);
    if (site.callee == kNone || !result.reached_[caller]) continue;
    std::vector<FunctionId> &callees = result.callees_[c];
    callees.insert(std::lower_bound(callees.begin(), callees.end(), site.callee), site.callee);
  }
  result.stats = solver.stats();
  return isComplete;
}

std::string PointsTo::text(LocationId location) const {
  const ObjectId object = locations.objectOf(location);
  std::string text = objects[object].name;
  if (locations.isAnywhere(location)) return text + "+?";
  if (const uint64_t offset = locations.offsetOf(location)) text += "+" + std::to_string(offset);
  return text;
}

} // namespace fathom::statics
