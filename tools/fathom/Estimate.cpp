// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom estimate: how many elements a campaign can reach, by every estimator.
#include "Command.h"

#include "campaign/CampaignFlow.h"
#include "campaign/ReadCampaign.h"
#include "estimate/AnalysisJson.h"
#include "estimate/AnalysisText.h"
#include "estimate/Plot.h"
#include "estimate/ReadIncidence.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
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

campaign::StageSelection stagesOf(const EstimateFlags &flags) {
  return flags.stages == "all" ? campaign::StageSelection::All : campaign::StageSelection::Fuzzing;
}

campaign::ElementKind kindOf(const EstimateFlags &flags) {
  return campaign::kindNamed(flags.of).value_or(campaign::ElementKind::BranchSide);
}

bool isDatabase(const std::string &file) {
  return std::filesystem::path(file).extension() == ".db";
}

estimate::Incidence readIncidence(const EstimateFlags &flags, const std::string &file) {
  if (isDatabase(file))
    return orUsage(campaign::readCampaign(file, kindOf(flags), stagesOf(flags),
                                          static_cast<uint32_t>(flags.first)));
  if (!flags.stages.empty())
    throw UsageError(fmt::format("--stages {}: {} does not record stages; only a campaign.db does",
                                 flags.stages, file));
  if (!flags.of.empty())
    throw UsageError(fmt::format("--of {}: {} does not record kinds of elements; only "
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
  return campaign::kindNoun(kindOf(flags));
}

estimate::Incidence readInput(const EstimateFlags &flags) {
  std::string file = inputFile(flags.input);
  requireRegularFile("", file);
  estimate::Incidence data = readIncidence(flags, file);
  if (flags.executions > 0) {
    if (!data.matrix || isDatabase(file))
      throw UsageError(fmt::format(
          "--executions {}: {}; expected an incidence matrix (CSV)", flags.executions,
          data.matrix ? file + " records them itself" : file + " has only frequencies"));
    data.matrix->setExecutions(flags.executions);
  }
  if (flags.unit == 1 && !flags.first) return data;
  auto check = [&](const char *option, int64_t value, uint32_t units) {
    if (!data.matrix)
      throw UsageError(fmt::format("{} {}: {} has only frequencies, not units; expected an "
                                   "incidence matrix (CSV)",
                                   option, value, file));
    if (value > units)
      throw UsageError(fmt::format("{} {}: {} has {} units; expected at most as many", option,
                                   value, file, units));
  };
  if (flags.first) {
    check("--first", flags.first, data.matrix ? data.matrix->units() : 0);
    // Of a database nothing later was read. Elements of a file that only later units cover are
    // not known then.
    data.matrix = estimate::firstUnits(*data.matrix, static_cast<uint32_t>(flags.first));
    data.counts = estimate::tally(*data.matrix);
  }
  check("--unit", flags.unit, data.matrix ? data.matrix->units() : 0);
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

/// Which branch sides are next; only of a campaign.db, which has the control flow.
std::optional<campaign::CampaignTargets> targetsOf(const EstimateFlags &flags) {
  if (!flags.targets) return std::nullopt;
  std::string file = inputFile(flags.input);
  if (!isDatabase(file))
    throw UsageError(fmt::format("--targets {}: {} does not have the program's control flow; only "
                                 "a campaign.db does",
                                 flags.targets, file));
  return orUsage(campaign::nearestTargets(file,
                                          {.stages = stagesOf(flags),
                                           .first = static_cast<uint32_t>(flags.first),
                                           .joined = static_cast<uint32_t>(flags.unit)},
                                          static_cast<size_t>(flags.targets),
                                          static_cast<uint64_t>(flags.ahead)));
}

std::string targetsText(const campaign::CampaignTargets &targets, const std::string &ahead) {
  std::string out = fmt::format("\njudging by control flow, expect {:.1f} new branch sides in {}; "
                                "the nearest, with the chance that one more unit covers each:\n",
                                targets.expected, ahead);
  for (const campaign::Target &target : targets.nearest) {
    auto [place, id] = llvm::StringRef(target.name).rsplit('#');
    auto [at, side] = place.rsplit(':');
    auto [function, where] = at.split(':');
    out += fmt::format("  {:>6.2f} %  {} side {} in {}\n", 100 * target.chance, where.str(),
                       side.str(), function.str());
  }
  if (targets.nearest.empty())
    out += "  none: no uncovered branch side can be reached by control flow\n";
  return out;
}

/// Inserts the member "targets" into the object that `json` is.
std::string withTargets(const std::string &json, const campaign::CampaignTargets &targets) {
  nlohmann::ordered_json all = nlohmann::ordered_json::parse(json);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const campaign::Target &target : targets.nearest)
    list.push_back({{"element", target.name}, {"chance", target.chance}});
  all["targets"] = {{"expected_new", targets.expected}, {"nearest", std::move(list)}};
  return all.dump(2) + "\n";
}

int runEstimate(const EstimateFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  estimate::AnalysisOptions options = optionsOf(flags);
  estimate::Incidence data = readInput(flags);
  std::string wrong = options.validate(data.counts);
  if (!wrong.empty()) throw UsageError(wrong);
  estimate::Analysis analysis = estimate::analyse(data, options);
  if (!flags.plot.empty()) writePlot(flags.plot, estimate::analysisSvg(analysis, noun(flags)));
  std::string out = flags.common.json ? estimate::analysisJson(analysis)
                                      : estimate::analysisText(analysis, noun(flags));
  if (std::optional<campaign::CampaignTargets> targets = targetsOf(flags))
    out = flags.common.json
              ? withTargets(out, *targets)
              : out + targetsText(*targets, fmt::format("the next {} units", analysis.ahead));
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
