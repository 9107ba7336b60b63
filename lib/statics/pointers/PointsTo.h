// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole program's points-to relation and call graph.
#ifndef FATHOM_STATICS_POINTERS_POINTSTO_H
#define FATHOM_STATICS_POINTERS_POINTSTO_H

#include "statics/pointers/Locations.h"
#include "statics/pointers/Solver.h"
#include "statics/pointers/SparseBits.h"

#include <atomic>
#include <unordered_map>

namespace fathom::statics {

using SetId = uint32_t; ///< of a set of locations; 0 is the empty set

/// Each set once.
class LocationSets {
public:
  LocationSets() { intern({}); }
  SetId intern(SparseBits set);
  const SparseBits &operator[](SetId id) const { return sets_[id]; }
  size_t size() const { return sets_.size(); }

private:
  std::vector<SparseBits> sets_;
  std::unordered_multimap<uint64_t, SetId> known_;
};

/// Guarantee: over-approximates what values and memory point to and what calls reach, in every
///            execution from the entries, under Facts::assumed and what docs/scan.md lists.
/// Source:    [andersen]; field-sensitive as Layout.h describes, insensitive to flow and context
/// but
///            for wrappers of allocators.
class PointsTo {
public:
  explicit PointsTo(const Facts &facts) : facts(facts), locations(facts.layouts) {}

  SetId setOf(ValueId value) const { return values_[value]; }
  const SparseBits &of(ValueId value) const { return sets[values_[value]]; }
  /// What memory holds there. For the location *anywhere*: what was written to unknown offsets.
  const SparseBits &contents(LocationId location) const { return sets[contents_[location]]; }
  SetId contentSetOf(LocationId location) const { return contents_[location]; }
  /// Ascending. `call` is an index into Facts::calls.
  const std::vector<FunctionId> &callees(uint32_t call) const { return callees_[call]; }
  /// Can the function be called at all? Of others, all sets are empty.
  bool isReached(FunctionId function) const { return reached_[function]; }
  /// "main.buffer", "malloc@cut.c:12+8"; "+?" is anywhere.
  std::string text(LocationId location) const;

  const Facts &facts;
  std::vector<Object> objects; ///< those of the facts, and what copies of wrappers allocate
  Locations locations;
  LocationSets sets;
  SolverStats stats;

private:
  friend bool analysePointers(PointsTo &result, const std::atomic<bool> &stop);
  std::vector<SetId> values_, contents_;
  std::vector<std::vector<FunctionId>> callees_;
  std::vector<bool> reached_;
};

/// Fills `result`. False when `stop` ended it: then sets are too small, and calls are missing.
/// Determinism: pure. Cost: cubic in the worst case; docs/scan.md has figures.
bool analysePointers(PointsTo &result, const std::atomic<bool> &stop);

} // namespace fathom::statics
#endif
