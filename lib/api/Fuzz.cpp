// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fathom/Fuzz.h>

#include "api/Convert.h"
#include "api/SessionAdapter.h"
#include "run/fuzz/Fuzz.h"

#include <fmt/format.h>

namespace fathom::api {

/// Checks requests that the driver need not check, because the command line cannot express them.
/// Returns "" or what is wrong.
static std::string whatIsWrong(const Program &program, const FuzzOptions &options,
                               const Session &session) {
  if (program.files.size() != 1)
    return fmt::format("{} programs given; expected one executable, .bc or C file",
                       program.files.size());
  if (options.folder.empty()) return "-o: expected the name of a folder";
  if (options.maxTime.count() <= 0 && !options.maxExecutions && !options.maxUnits && !session.stop)
    return "a campaign without --max-time, --max-executions, --max-units and a way to stop it "
           "would "
           "not end";
  if (!options.unitExecutions && options.unitTime < std::chrono::milliseconds(100))
    return fmt::format("--unit {}ms: expected a time of 100ms or more", options.unitTime.count());
  return "";
}

static run::FuzzRequest requestOf(const Program &program, const FuzzOptions &options) {
  run::FuzzRequest out;
  out.program = program.files[0];
  out.arguments = options.arguments;
  out.folder = options.folder;
  out.force = options.replace;
  out.resume = options.resume;
  out.commandLine = {"libfathom"};
  out.corpus = options.corpus;
  out.seed = options.seed;
  out.jobs = options.jobs;
  if (options.unitExecutions)
    out.unit = {std::chrono::milliseconds(0), options.unitExecutions};
  else
    out.unit = {options.unitTime, 0};
  out.maxTime = options.maxTime;
  out.maxExecutions = options.maxExecutions;
  out.maxUnits = options.maxUnits;
  out.testTime = options.testTime;
  out.testTimeText = fmt::format("{}ms", options.testTime.count());
  out.testMemoryBytes = options.testMemoryBytes;
  return out;
}

Result<FuzzResult> fuzz(const Program &program, const FuzzOptions &options,
                        const Session &session) {
  if (std::string wrong = whatIsWrong(program, options, session); !wrong.empty())
    return usageError(std::move(wrong));
  if (std::optional<Error> wrong = SessionAdapter::checkThreads()) return std::move(*wrong);
  run::FuzzRequest request = requestOf(program, options);
  request.showsProgress = static_cast<bool>(session.progress);
  SessionAdapter adapter(session);
  llvm::Expected<run::FuzzedCampaign> done = run::fuzz(request, adapter.session());
  if (!done) return toApiError(done.takeError());
  if (!done->whyNotBegun.empty()) return usageError(done->whyNotBegun);
  const campaign::CampaignStatus &status = done->status;
  FuzzResult out;
  out.howEnded = done->howEnded;
  out.failure = done->failure;
  out.bugs = toApiBugs(done->findings);
  out.seconds = status.seconds;
  out.executions = status.executions;
  out.units = status.coverage.units;
  out.branchesFound = status.coverage.sidesFound;
  out.branchesTotal = status.coverage.sidesTotal;
  out.blocksFound = status.coverage.blocksFound;
  out.blocksTotal = status.coverage.blocksTotal;
  out.crashingInputs = status.triage.crashing;
  out.hangingInputs = status.triage.hanging;
  return out;
}

} // namespace fathom::api
