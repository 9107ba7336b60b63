// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an earlier session of a run has confirmed, while this session confirms again: aside, so that
// it is lost only to more. Of a session that was killed, it is put back by the next one.
#ifndef FATHOM_RUN_ALL_EARLIERVERDICTS_H
#define FATHOM_RUN_ALL_EARLIERVERDICTS_H

#include "confirm/Defect.h"

#include <string>

namespace fathom::run {

class EarlierVerdicts {
public:
  /// Sets `confirm` in the folder of the run aside, as `.confirm`; there may be none.
  explicit EarlierVerdicts(std::string folder);
  EarlierVerdicts(const EarlierVerdicts &) = delete;
  EarlierVerdicts &operator=(const EarlierVerdicts &) = delete;
  /// Puts it back, unless it was replaced.
  ~EarlierVerdicts();

  /// Those of confirmed.sarif, which are not dismissed.
  const confirm::VerdictCounts &verdicts() const { return verdicts_; }
  /// Does a session that was ended early, with so many settled reports, have less?
  bool hasMoreThan(uint64_t settled) const;
  /// This session's stay.
  void replace();

private:
  std::string folder_, aside_;
  bool isThere_ = false;
  confirm::VerdictCounts verdicts_;
};

} // namespace fathom::run
#endif
