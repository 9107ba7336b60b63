// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checkers over the value-flow graph. Each is one function in a file of its own, and has its
// line in the table of Checkers.cpp.
#ifndef FATHOM_STATICS_CHECKERS_CHECKERS_H
#define FATHOM_STATICS_CHECKERS_CHECKERS_H

#include "statics/checkers/Hops.h"

#include <atomic>

namespace fathom::statics {

/// Collects reports: one for each kind, source and sink.
class Reports {
public:
  explicit Reports(size_t most) : most_(most) {}
  void add(Report report);
  /// By kind, and those first that rest on the fewest guesses, then by place.
  std::vector<Report> take();
  uint64_t left = 0; ///< how many were left out beyond the bound, of all kinds

private:
  const size_t most_; ///< of each kind
  size_t count_[kDefectKinds] = {};
  std::map<std::tuple<DefectKind, std::string, uint32_t, uint32_t, std::string, uint32_t, uint32_t>,
           size_t>
      known_;
  std::vector<Report> reports_;
};

struct CheckContext {
  View &view;
  Reports &reports;
  const std::atomic<bool> &stop;
  uint64_t cut = 0; ///< searches that a bound ended
};

void checkFreed(CheckContext &context);         ///< use after free, double free
void checkNull(CheckContext &context);          ///< null dereference
void checkLeaks(CheckContext &context);         ///< memory and files
void checkUninitialized(CheckContext &context); ///< reads of what nobody wrote
void checkInvalidFrees(CheckContext &context);  ///< free of what no allocator made

/// What to look for: bit i is DefectKind i.
using DefectKinds = uint16_t;

/// Runs the checkers for these kinds. False when `stop` ended it: then kinds are missing.
///
/// Guarantee: neither. Reports are bounded searches over an over-approximation: they contain what
///            no execution does, and miss what lies beyond their bounds (docs/limits.md).
bool runCheckers(CheckContext &context, DefectKinds kinds);

} // namespace fathom::statics
#endif
