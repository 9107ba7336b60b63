// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defects by local heaps: each function of the program is analysed once, callees first, on symbolic
// heaps of its own; its effects are applied at each of its calls. So each call has its own copy of
// what its callee allocates and frees, under the conditions under which it does.
//
// Complement of the checkers over the value-flow graph: those cover every execution and report much
// that no execution does; what is reported here has a path whose conditions were looked at.
// Source: [pulse22] (summaries as disjunctions of pre and post, latent issues), [pinpoint18] (local
// heaps, conditions only where something flows). Departs: paths behind loops with more rounds than
// are told apart exist, with unknown numbers; heaps that hold the same are joined.
#ifndef FATHOM_STATICS_HEAP_LOCALHEAP_H
#define FATHOM_STATICS_HEAP_LOCALHEAP_H

#include "statics/heap/FunctionRun.h"

#include <atomic>

namespace fathom::statics::heap {

struct HeapIssue {
  Issue issue;
  Certainty certainty = Certainty::May;
  std::vector<StatementId> alsoAt{}; ///< sinks of the same source in the same function
  std::vector<std::pair<StepRole, StatementId>> alsoFrom{}; ///< other sources of the same null
};

struct HeapResult {
  std::vector<HeapIssue> issues;   ///< one for each kind, source and sink; in the program's order
  uint32_t functions = 0, cut = 0; ///< analysed; of them, those that a bound ended
  bool isPartial = false;          ///< `stop` ended it
};

/// \param stop  looked at between functions.
/// Determinism: pure, and equal for any number of threads, unless `stop` ends it. Cost: bounded for
/// each function (RunLimits).
HeapResult analyseLocalHeaps(const View &view, const RunLimits &limits, unsigned threads,
                             const std::atomic<bool> &stop);

/// For people and for SARIF.
Report reportOf(const View &view, const HeapIssue &issue);

} // namespace fathom::statics::heap
#endif
