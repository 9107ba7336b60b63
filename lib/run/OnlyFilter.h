// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --only RULE|FILE|FILE:LINE, which may be given several times: reports that are asked for.
#ifndef FATHOM_RUN_ONLYFILTER_H
#define FATHOM_RUN_ONLYFILTER_H

#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace fathom::run {

class OnlyFilter {
public:
  struct FileLine {
    std::string file;
    uint32_t line = 0;
  };

  explicit OnlyFilter(std::vector<std::string> only)
      : only_(std::move(only)), isUsed_(only_.size()), places_(only_.size()) {}

  /// Is the report asked for? Without --only, each one is.
  ///
  /// \param places  the first is the place of the defect; the others are told with it. At least 1.
  bool fits(const std::string &rule, std::span<const FileLine> places);

  /// After all reports were seen. A misspelt rule would leave nothing, or less than is meant,
  /// without a word. With nothing left it is a UsageError; without any report there is nothing that
  /// could fit.
  llvm::Error checkUsed(Session &session) const;

private:
  const std::vector<std::string> only_;
  std::vector<bool> isUsed_;
  std::set<std::string> rules_;               ///< of all reports
  std::vector<std::set<std::string>> places_; ///< in the file of an `only_` that is FILE:LINE
};

} // namespace fathom::run
#endif
