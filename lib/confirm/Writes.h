// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that code which a search leaves out may write, in the engine's terms.
#ifndef FATHOM_CONFIRM_WRITES_H
#define FATHOM_CONFIRM_WRITES_H

#include "program/Code.h"
#include "statics/pointers/PointsTo.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace fathom::confirm {

/// Ascending, each once.
template <class T> void makeSet(std::vector<T> &all) {
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

/// A set of memory. Guarantee: over-approximates what may be written.
struct Writes {
  std::vector<uint32_t> variables; ///< Program::globals, ascending
  std::vector<uint32_t> frames;    ///< functions, ascending: local variables of theirs
  bool blocks = false;             ///< of the heap, and what callers made

  bool empty() const { return variables.empty() && frames.empty() && !blocks; }
  void add(const Writes &other);
};

/// Sets of the pointer analysis as Writes. Constants are left out because no code writes them, and
/// so are variables of libc that the program's own code does not name.
class WriteSets {
public:
  /// Both outlive it.
  WriteSets(const program::Program &program, const statics::PointsTo &pts);
  /// Linear in the set when it is asked for first.
  const Writes &of(statics::SetId locations);

private:
  void add(statics::ObjectId object, Writes &writes) const;

  const program::Program &program_;
  const statics::PointsTo &pts_;
  std::vector<bool> isNamed_; ///< by object: own code names it
  std::unordered_map<statics::SetId, Writes> known_;
};

} // namespace fathom::confirm
#endif
