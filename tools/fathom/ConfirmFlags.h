// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fathom confirm` was asked for.
#ifndef FATHOM_TOOLS_CONFIRMFLAGS_H
#define FATHOM_TOOLS_CONFIRMFLAGS_H

#include "ConfirmSearch.h"
#include "ExploreFlags.h"

namespace fathom::tool {

struct ConfirmFlags {
  ExploreFlags explore;                ///< .programs: the operands
  std::string compileCommands, target; ///< as of fathom scan
  std::vector<std::string> reports;    ///< files, and folders of files
  std::vector<std::string> pathMap;    ///< OLD=NEW
  std::vector<std::string> only;       ///< rules, and parts of paths of files
  std::string sarif, reportTime;
  std::string failOn; ///< --fail-on-findings; "": not given
  ConfirmSearchFlags search;
  unsigned rounds = 0; ///< 0: as many as the time allows
  bool onlyNew = false, resume = false, noCache = false;
};

} // namespace fathom::tool
#endif
