// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of one program that ask the same question, and which question comes first.
#ifndef FATHOM_CONFIRM_GROUPS_H
#define FATHOM_CONFIRM_GROUPS_H

#include "confirm/Defect.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace fathom::confirm {

/// The code that a report's places lie in.
struct Extent {
  uint32_t functions = 0;
  uint32_t branches = 0; ///< of these functions, together
};

/// How promising a report looks before anything is explored; smaller is better.
///
/// The time of a search grows with what lies between source and sink, and each of these is known
/// without a look at the code: kinds whose sink is a fault on the spot before those that are an
/// absence (a leak ends where the program does) or need the contents of memory; all places in one
/// function before many; functions with few branches, for a search loses its way in large ones; few
/// guesses of the analyser; few steps; a short way in the text.
struct Promise {
  uint32_t kindClass = 0, functions = 0, branches = 0, doubts = 0, steps = 0, lines = 0;
  auto operator<=>(const Promise &) const = default;
};
Promise promiseOf(const Defect &defect, const Extent &extent);

/// Reports with the same kinds, source line and sink line: their verdicts would be the same.
/// Memory: about 100 bytes for each group, 4 for each report.
class Groups {
public:
  /// Paths in `defect` are the program's. \returns the group's number, from 0.
  uint32_t add(uint64_t report, const Defect &defect, const Extent &extent);

  struct Group {
    uint64_t leader = 0; ///< the report that is explored for all: the most promising one
    Promise promise;
  };
  const std::vector<Group> &all() const { return groups_; }
  /// Numbers of groups, the most promising first; among equals, the one that was reported first.
  std::vector<uint32_t> order() const;

private:
  std::unordered_map<std::string, uint32_t> known_; ///< by a hash of 16 bytes
  std::vector<Group> groups_;
};

} // namespace fathom::confirm
#endif
