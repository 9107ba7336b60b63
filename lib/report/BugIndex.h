// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which findings are the same bug: those of one kind whose stacks have the same calls of
// the program's own code, on objects that were allocated by the same calls. Calls that repeat on a
// stack (recursion) count once.
#ifndef FATHOM_REPORT_BUGINDEX_H
#define FATHOM_REPORT_BUGINDEX_H

#include "report/Sarif.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fathom::report {

/// Kind and innermost own call.
std::string placeKey(const Finding &finding);
/// The program's own calls, each once, innermost first; then those in `related`. If the stack has
/// no own calls: all calls.
std::vector<const evidence::StackFrame *> distinctCalls(const Finding &finding);

/// The existing reports. A helper with very many callers can go wrong under thousands of stacks: of
/// one place only kMaxStacks have a report, and the others belong to the first.
class BugIndex {
public:
  static constexpr size_t kMaxStacks = 16;
  /// The folder of the report that this bug belongs to. "": there was none, and the bug is
  /// registered with the folder `dir`. beyondBound: the bug is not counted in notToldApart().
  std::string findOrAdd(const Finding &finding, const std::string &dir, bool beyondBound = false);
  /// By kind: how many bugs were counted for a report of another stack. Bugs that the engine calls
  /// `beyondBound` are in its ledger, and not here.
  const std::map<evidence::BugKind, uint64_t> &notToldApart() const { return notToldApart_; }

private:
  struct Place {
    std::string first;                       ///< folder
    std::map<std::string, std::string> dirs; ///< of the stacks
  };
  std::map<std::string, Place> places_;
  std::map<evidence::BugKind, uint64_t> notToldApart_;
};

/// For users: the calls by which a finding differs from others of its kind and place, innermost
/// first; none if it is the only one.
std::vector<std::vector<const evidence::StackFrame *>>
tellApart(const std::vector<Finding> &findings);

} // namespace fathom::report
#endif
