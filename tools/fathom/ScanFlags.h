// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `fathom scan` was asked for.
#ifndef FATHOM_TOOLS_SCANFLAGS_H
#define FATHOM_TOOLS_SCANFLAGS_H

#include "Command.h"

#include "run/scan/ScanOptions.h"

namespace fathom::tool {

struct ScanFlags {
  CommonOptions common;
  std::vector<std::string> programs;
  std::string title;               ///< what the program is called; empty: as in `programs`
  std::string compileCommands;     ///< --compile-commands: builds the programs
  std::string target;              ///< --target: which one of them; empty: all
  std::string entry;               ///< --entry FUNCTION; empty: the program's start-up code
  bool assertions = false;         ///< --assertions
  std::string domain = "zones";    ///< --domain
  std::vector<std::string> checks; ///< --checks
  unsigned callDepth = 4;          ///< --call-depth: calls analysed in their caller's state
  bool noCache = false;            ///< --no-cache
  std::vector<std::string> kinds;  ///< --kinds: of defects; empty: all
  std::string sarif, baseline;     ///< --sarif FILE, --baseline FILE
  bool all = false, allocationFailures = false;
  std::vector<std::string> only; ///< --only RULE|FILE|FILE:LINE
  size_t mostReports = 1000;     ///< --most-reports: of each kind
  std::string print;             ///< --print WHAT or WHAT:FUNCTION; empty: reports
};

/// Throws UsageError where an option has no such value.
run::ScanOptions scanOptions(const ScanFlags &flags);

} // namespace fathom::tool
#endif
