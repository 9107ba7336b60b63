// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom explore: flags in (ExploreFlags.cpp, ExploreRequest.cpp), text out. The driver is
// lib/run/explore/Explore.h.
#include "ExploreFlags.h"

#include "report/Summary.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

/// Prints the summary, and returns the exit status.
int tell(const run::Exploration &ended, const run::ExploreRequest &request,
         const ExploreFlags &flags, Log &log) {
  const CommonOptions &common = flags.common;
  const report::ResultsFolder &folder = *ended.folder;
  if (common.json) {
    fputs(report::summaryJson(ended.result.stats, folder.findings()).c_str(), stdout);
  } else if (!common.quiet) {
    // The program's own output keeps stdout for itself.
    fputs(report::humanSummary(ended.result, folder.findings(), request.options.arguments[0],
                               common.output, folder.hasLedger(),
                               {common.showsDismissed, common.ids})
              .c_str(),
          request.options.echoOutput ? stderr : stdout);
  }
  if (!ended.failure.empty()) {
    log.warn(fmt::format("{}; what was written before is complete", ended.failure));
    return kInternal;
  }
  return common.failOnFindings && report::countOpen(folder.findings()) ? kFindings : kDone;
}

void echo(int fd, const std::string &data) {
  FILE *to = fd == 2 ? stderr : stdout;
  fwrite(data.data(), 1, data.size(), to);
  fflush(to);
}

int runExplore(const ExploreFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  run::ExploreRequest request = exploreRequest(flags, context.invocation);
  request.output.echo = echo;
  orThrow(run::prepareExploration(request, /*needsFolder=*/flags.print.empty()));
  run::Session session = context.session();
  if (!flags.print.empty()) {
    fputs(orThrow(run::printCode(request, flags.print, session)).c_str(), stdout);
    return kDone;
  }
  return tell(orThrow(run::explore(request, session)), request, flags, context.log);
}

} // namespace

Run declareExplore(CLI::App &app) {
  auto flags = std::make_shared<ExploreFlags>();
  addExploreFlags(app, *flags);
  flags->common.addDismissals(app);
  return [flags](Context &context) { return runExplore(*flags, context); };
}

} // namespace fathom::tool
