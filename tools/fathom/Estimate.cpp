// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom estimate: flags in, text out. The driver is lib/run/estimate/Estimate.h.
#include "Command.h"

#include "campaign/ElementKinds.h"
#include "estimate/Plot.h"
#include "run/estimate/Estimate.h"
#include "support/WriteFile.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

struct EstimateFlags {
  CommonOptions common;
  std::string input, plot, elements, of, stages;
  std::vector<double> levels;
  int64_t unit = 1, first = 0, targets = 0, ahead = 0, replicates = 200, seed = 1, stopWindow = 3;
  double atMost = 0, executions = 0;
};

run::EstimateRequest requestOf(const EstimateFlags &flags) {
  run::EstimateRequest out;
  out.input = flags.input;
  out.of = flags.of, out.stages = flags.stages, out.elements = flags.elements;
  out.joined = static_cast<uint32_t>(flags.unit);
  out.first = static_cast<uint32_t>(flags.first);
  out.targets = static_cast<uint64_t>(flags.targets);
  out.executions = flags.executions;
  if (!flags.levels.empty()) out.options.levels = flags.levels;
  out.options.ahead = static_cast<uint64_t>(flags.ahead);
  out.options.stopWindow = static_cast<uint64_t>(flags.stopWindow);
  out.options.estimators.replicates = static_cast<unsigned>(flags.replicates);
  out.options.estimators.seed = static_cast<uint64_t>(flags.seed);
  if (flags.atMost > 0) out.options.estimators.atMost = flags.atMost;
  return out;
}

int runEstimate(const EstimateFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  const run::CampaignEstimate done = orThrow(run::estimateCampaign(requestOf(flags)));
  if (!flags.plot.empty())
    if (std::error_code e = writeFile(flags.plot, estimate::analysisSvg(done.analysis, done.noun)))
      throw UsageError(fmt::format("--plot {}: cannot be written: {}", flags.plot, e.message()));
  const std::string out = flags.common.json ? run::estimateJson(done) : run::estimateText(done);
  fputs(out.c_str(), stdout);
  return kDone;
}

} // namespace

Run declareEstimate(CLI::App &app) {
  auto flags = std::make_shared<EstimateFlags>();
  app.footer(
      "INPUT is an incidence matrix (CSV: element,unit1,unit2,... with 0 and 1), counts (JSON: "
      "{\"units\": 121, "
      "\"frequencies\": {\"1\": 23, \"2\": 9}}),\na campaign.db of fathom fuzz, or a folder with "
      "campaign.db, incidence.csv or frequencies.json.\n\nexample:\n  fathom estimate "
      "campaign --unit 4 --plot campaign.svg");
  app.add_option(
         "INPUT", flags->input,
         "a campaign.db, incidence matrix, file of frequency counts, or a folder with one of these")
      ->required();
  app.add_option("--unit", flags->unit,
                 "join every N consecutive units into one; drop an incomplete rest")
      ->check(CLI::Range(int64_t(1), int64_t(UINT32_MAX)))
      ->type_name("N");
  app.add_option("--level", flags->levels,
                 "confidence levels; the table shows the first (default 0.9; JSON always has 0.90 "
                 "and 0.95)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("P[,P...]");
  app.add_option("--first", flags->first, "use only the first N units")
      ->check(CLI::Range(int64_t(1), int64_t(UINT32_MAX)))
      ->type_name("N");
  app.add_option("--targets", flags->targets,
                 "for a campaign.db: list the N uncovered branch sides that are nearest by control "
                 "flow")
      ->check(CLI::Range(int64_t(1), int64_t(UINT32_MAX)))
      ->type_name("N");
  app.add_option("--ahead", flags->ahead,
                 "predict discoveries for the next N units (default: as many as were recorded)")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 52))
      ->type_name("N");
  app.add_option("--at-most", flags->atMost,
                 "an upper bound on the number of elements, such as from static analysis; no "
                 "interval exceeds it")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--executions", flags->executions,
                 "for a matrix: the number of executions in all its units; the calibrated "
                 "estimator refuses campaigns much longer than those it was fitted to")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--replicates", flags->replicates,
                 "bootstrap resamples for the intervals of UNPMLE and PNPMLE; 0: none")
      ->check(CLI::Range(int64_t(0), int64_t(100000)))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--stop-window", flags->stopWindow, "the stop rule must hold for N units in a row")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 52))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--seed", flags->seed, "seed of the resampling")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--of", flags->of,
                 "for a campaign.db: what to count, branch-sides (default), blocks or statements "
                 "(lines with code), in the program's own code")
      ->check(CLI::IsMember(std::set<std::string>(std::begin(campaign::kElementKinds),
                                                  std::end(campaign::kElementKinds))))
      ->type_name("KIND");
  app.add_option(
         "--stages", flags->stages,
         "for a campaign.db: use executions of the fuzzing stages (default), or of all stages, "
         "including calibration, trimming and comparison log")
      ->check(CLI::IsMember({"fuzzing", "all"}))
      ->type_name("WHICH");
  app.add_option("--elements", flags->elements, "what to call elements in the output (plural)")
      ->type_name("WORD");
  app.add_option("--plot", flags->plot, "write the accumulation curve and the estimates as SVG")
      ->type_name("FILE");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runEstimate(*flags, context); };
}

} // namespace fathom::tool
