// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom estimate: how many elements a campaign can reach, by every estimator.
#include "Command.h"

#include "campaign/SqliteStore.h"
#include "estimate/AnalysisJson.h"
#include "estimate/AnalysisText.h"
#include "estimate/Plot.h"
#include "estimate/ReadIncidence.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace fathom::tool {

namespace {

struct EstimateFlags {
  CommonOptions common;
  std::string input, plot, elements, of, stages;
  std::vector<double> levels;
  int64_t unit = 1, ahead = 0, replicates = 200, seed = 1, stopWindow = 3;
  double atMost = 0;
};

/// The file that is read: of a folder, the one of the known names that is in it.
std::string inputFile(const std::string &path) {
  if (!std::filesystem::is_directory(path)) return path;
  for (const char *name : {"campaign.db", "incidence.csv", "frequencies.json"}) {
    std::string file = path + "/" + name;
    if (std::filesystem::exists(file)) return file;
  }
  throw UsageError(path +
                   ": expected campaign.db, incidence.csv or frequencies.json in this folder");
}

bool isDatabase(const std::string &file) {
  return std::filesystem::path(file).extension() == ".db";
}

estimate::Incidence readIncidence(const EstimateFlags &flags, const std::string &file) {
  if (isDatabase(file))
    return orUsage(campaign::readCampaign(
        file,
        flags.of == "blocks" ? campaign::ElementKind::Block : campaign::ElementKind::BranchSide,
        flags.stages == "all" ? campaign::StageSelection::All : campaign::StageSelection::Fuzzing));
  if (!flags.stages.empty())
    throw UsageError(fmt::format(
        "--stages {}: {} says nothing about stages; only a campaign.db does", flags.stages, file));
  if (!flags.of.empty())
    throw UsageError(fmt::format("--of {}: {} says nothing about kinds of elements; only "
                                 "a campaign.db does",
                                 flags.of, file));
  estimate::Result<estimate::Incidence> data = estimate::readIncidenceFile(file);
  if (!data) throw UsageError(data.error());
  return std::move(*data);
}

/// What elements are called, unless the user says it.
std::string noun(const EstimateFlags &flags) {
  if (!flags.elements.empty()) return flags.elements;
  if (!isDatabase(inputFile(flags.input))) return "elements";
  return flags.of == "blocks" ? "basic blocks" : "branch sides";
}

estimate::Incidence readInput(const EstimateFlags &flags) {
  std::string file = inputFile(flags.input);
  requireRegularFile("", file);
  estimate::Incidence data = readIncidence(flags, file);
  if (flags.unit == 1) return data;
  if (!data.matrix)
    throw UsageError(fmt::format("--unit {}: {} has frequencies only, which cannot be regrouped; "
                                 "expected an incidence matrix (CSV)",
                                 flags.unit, file));
  uint32_t units = data.matrix->units();
  if (flags.unit > units)
    throw UsageError(fmt::format("--unit {}: {} has {} units; expected at most as many", flags.unit,
                                 file, units));
  data.matrix = estimate::regroup(*data.matrix, static_cast<uint32_t>(flags.unit));
  const uint64_t before = data.counts.observed();
  data.counts = estimate::tally(*data.matrix);
  // What only the units covered that are left over.
  if (data.listing) data.listing->coveredApart += before - data.counts.observed();
  return data;
}

estimate::AnalysisOptions optionsOf(const EstimateFlags &flags) {
  estimate::AnalysisOptions options;
  if (!flags.levels.empty()) options.levels = flags.levels;
  options.ahead = static_cast<uint64_t>(flags.ahead);
  options.stopWindow = static_cast<uint64_t>(flags.stopWindow);
  options.estimators.replicates = static_cast<unsigned>(flags.replicates);
  options.estimators.seed = static_cast<uint64_t>(flags.seed);
  if (flags.atMost > 0) options.estimators.atMost = flags.atMost;
  return options;
}

void writePlot(const std::string &file, const std::string &svg) {
  std::ofstream out(file, std::ios::binary);
  out << svg;
  out.close();
  if (!out)
    throw UsageError(fmt::format("--plot {}: cannot be written: {}", file, strerror(errno)));
}

int runEstimate(const EstimateFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  estimate::AnalysisOptions options = optionsOf(flags);
  estimate::Incidence data = readInput(flags);
  std::string wrong = options.validate(data.counts);
  if (!wrong.empty()) throw UsageError(wrong);
  estimate::Analysis analysis = estimate::analyse(data, options);
  if (!flags.plot.empty()) writePlot(flags.plot, estimate::analysisSvg(analysis, noun(flags)));
  fputs((flags.common.json ? estimate::analysisJson(analysis)
                           : estimate::analysisText(analysis, noun(flags)))
            .c_str(),
        stdout);
  return kDone;
}

} // namespace

Run declareEstimate(CLI::App &app) {
  auto flags = std::make_shared<EstimateFlags>();
  app.footer(
      "INPUT is a matrix (CSV: element,unit1,unit2,... with 0 and 1), counts (JSON: "
      "{\"units\": 121, "
      "\"frequencies\": {\"1\": 23, \"2\": 9}}),\na campaign.db of fathom fuzz, or a folder with "
      "campaign.db, incidence.csv or frequencies.json.\n\nexample:\n  fathom estimate "
      "campaign --unit 4 --plot campaign.svg");
  app.add_option("INPUT", flags->input,
                 "campaign.db, incidence matrix, frequency counts, or a folder with one")
      ->required();
  app.add_option("--unit", flags->unit,
                 "join so many consecutive units into one; a shorter rest is dropped")
      ->check(CLI::Range(int64_t(1), int64_t(UINT32_MAX)))
      ->type_name("N");
  app.add_option(
         "--level", flags->levels,
         "confidence levels, the first for the table (default 0.9; JSON always has 0.90 and 0.95)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("P[,P...]");
  app.add_option("--ahead", flags->ahead, "units to look ahead (default: as many as there were)")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 52))
      ->type_name("N");
  app.add_option("--at-most", flags->atMost,
                 "there are at most N elements (what static analysis leaves): intervals end there")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--replicates", flags->replicates,
                 "resamples for the intervals of UNPMLE and PNPMLE; 0: none")
      ->check(CLI::Range(int64_t(0), int64_t(100000)))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--stop-window", flags->stopWindow,
                 "units in a row for which the stop rule has to hold")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 52))
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--seed", flags->seed, "of the resamples")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--of", flags->of,
                 "of a campaign.db: branch-sides (default) or blocks, of the program's own code")
      ->check(CLI::IsMember({"branch-sides", "blocks"}))
      ->type_name("KIND");
  app.add_option("--stages", flags->stages,
                 "of a campaign.db: executions of the fuzzing stages (default), or all, with "
                 "calibration, trimming and comparison log")
      ->check(CLI::IsMember({"fuzzing", "all"}))
      ->type_name("WHICH");
  app.add_option("--elements", flags->elements, "what elements are called, in the plural")
      ->type_name("WORD");
  app.add_option("--plot", flags->plot, "write the accumulation curve and the estimates as SVG")
      ->type_name("FILE");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) { return runEstimate(*flags, context); };
}

} // namespace fathom::tool
