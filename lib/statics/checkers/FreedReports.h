// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which uses of freed memory are told, and which of the reports one change would mend: those are
// one report, which lists the other places.
//
// A function that uses a freed pointer often uses it again; what it does later follows. Another
// pointer that may be the same memory is another question: the answer for one says nothing of the
// other. The function's *chain* to a pointer tells them apart: the places that the pointer was read
// from, one through the other (`l->first->text`).
#ifndef FATHOM_STATICS_CHECKERS_FREEDREPORTS_H
#define FATHOM_STATICS_CHECKERS_FREEDREPORTS_H

#include "statics/checkers/Checkers.h"
#include "statics/checkers/FreedReport.h"
#include "statics/checkers/Overwrites.h"

#include <set>

namespace fathom::statics {

class FreedReports {
public:
  FreedReports(View &view, Overwrites &overwrites) : view_(view), overwrites_(overwrites) {}

  /// False when the event has a use through the same chain in the sink's function.
  /// \param event  after which the memory is freed.
  bool isNew(StatementId event, StatementId sink, uint32_t operand);
  void add(const FreedUse &use, Reports &counts);
  /// No place gets lost: what is not told by a report of its own is in the lists of one, or counted
  /// there.
  void giveTo(Reports &reports);

private:
  using Chain = std::vector<int64_t>;
  Chain chainOf(StatementId sink, uint32_t operand);
  /// Kind, function of the sink, source, line of the sink, chain. Reports with one in common are
  /// joined.
  using Key = std::tuple<evidence::BugKind, FunctionId, StatementId, uint32_t, Chain>;
  std::vector<Key> keysOf(const NearestReports::Taken &taken) const;

  View &view_;
  Overwrites &overwrites_;
  std::set<std::tuple<StatementId, FunctionId, Chain>> known_;
  std::map<std::pair<StatementId, uint32_t>, Chain> chains_; ///< by sink and its operand
  NearestReports nearest_;
};

} // namespace fathom::statics
#endif
