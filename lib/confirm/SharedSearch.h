// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One exploration from main for all reports. A search of its own for each report costs more than
// most bugs that lie a few steps behind the program's start. What the exploration finds are inputs;
// each report that one of them may show is asked about along the input's path first (Confirmer),
// under the same conditions as in any other search.
//
// Inputs come first that go wrong where a program takes too much for granted, then a short one,
// whose paths are few, and then the one that the options describe.
#ifndef FATHOM_CONFIRM_SHAREDSEARCH_H
#define FATHOM_CONFIRM_SHAREDSEARCH_H

#include "confirm/Search.h"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fathom::confirm {

/// Inputs with which the program goes wrong.
class KnownInputs {
public:
  /// The program goes wrong in that way. Is another input of that kind and place wanted?
  bool wants(const explore::Bug &bug);
  void add(KnownInput input) { all_.push_back(std::move(input)); }
  /// Those that may show the defect, in the order in which they were found; at most kMaxInputs.
  std::vector<const KnownInput *> of(const Defect &defect) const;

  static constexpr size_t kMaxInputs = 4;

private:
  std::vector<KnownInput> all_;
  /// By kind and innermost own calls: a loop that runs out of an object goes wrong in every round.
  std::map<std::pair<evidence::BugKind, std::string>, size_t> numbers_;
};

/// Explores from main for the kinds of bugs that the defects mean. Must be called while the process
/// has one thread. `time` counts steps: the same question has the same answer. Nothing is found in
/// a library, and nothing that needs a failing allocation.
KnownInputs findInputs(const program::Program &program, const ConfirmOptions &options,
                       std::span<const Defect> defects, std::chrono::milliseconds time);

} // namespace fathom::confirm
#endif
