// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings in SARIF 2.1.0 (OASIS, 2020), as code hosts and editors read them.
#ifndef FATHOM_REPORT_SARIF_H
#define FATHOM_REPORT_SARIF_H

#include "explore/Results.h"
#include "report/Identity.h"

#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fathom::report {

/// Where a finding shows itself as well: what follows from the same unwritten bytes.
struct AlsoAt {
  evidence::BugKind kind{};
  evidence::StackFrame at;
};

/// A bug without its test, and where its folder is.
struct Finding {
  evidence::BugKind kind{};
  std::string message;
  std::vector<evidence::StackFrame> stack, related; ///< innermost first
  std::string dir;                                  ///< "bugs/000001"
  std::vector<uint64_t> sources{};                  ///< Bug::sources
  std::vector<AlsoAt> alsoAt{};                     ///< each place once
  Identity identity{};                              ///< empty: not known
  DismissalMark mark{};
};

/// What a finding is said to be in: the first frame of the program's own code that is no thin
/// wrapper (program/ThinWrapper.h); without one innermostOwn.
const evidence::StackFrame *locationOf(const std::vector<evidence::StackFrame> &stack);
/// The first frame of the program's own code; the innermost one when none is; null for an empty
/// stack.
const evidence::StackFrame *innermostOwn(const std::vector<evidence::StackFrame> &stack);
/// Equal for the same bug in two runs, and mostly still after unrelated lines moved: kind, and
/// functions of the own frames, each call once. `ordinal`: of findings that agree in these.
std::string fingerprint(const Finding &finding, unsigned ordinal = 0);

/// Members "id", "place_hash" and "code_hash", those that are known.
void writeIdentity(llvm::json::OStream &json, const Identity &identity);
Identity readIdentity(const llvm::json::Object &from);

class Dismissals;
/// How a list of bugs is shown to people.
struct BugListing {
  bool showsDismissed = false;
  bool showsIds = false;
};
/// What a list says of a bug beside its place and message: lines, each with an indent; "": nothing.
std::string bugNotes(const Finding &finding, const BugListing &listing);
/// Marks those that are dismissed; returns how many.
size_t markDismissed(std::vector<Finding> &findings, const Dismissals &dismissals);
/// Those that are not.
size_t countOpen(const std::vector<Finding> &findings);

/// The whole document. Each finding's stack, outermost call first, is its code flow.
std::string sarifText(const std::vector<Finding> &findings);

} // namespace fathom::report
#endif
