// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom psp: program state probability.
#include "Output.h"
#include "ScanFlags.h"

#include "psp/ReliabilityText.h"
#include "psp/TrainForest.h"
#include "run/psp/Labels.h"
#include "run/psp/Query.h"
#include "run/psp/TriageText.h"
#include "support/NumberText.h"
#include "support/WriteFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace fathom::tool {

namespace {

const char *const kPspFooter =
    R"(A campaign of fathom fuzz --state-samples records states that a program has at certain points. From them, Fathom
estimates how probable it is that some input reaches other states: by a random forest where samples are dense, and by
heat diffusion elsewhere.

example:
  fathom fuzz parser --state-samples --max-time 10m -o campaign
  fathom psp triage parser --campaign campaign --theta 0.8 -o pictures
  fathom psp query --campaign campaign --at parser.c:40 --condition 'i > n'
  fathom psp train -o Forest.def)";

struct TriageFlags {
  ScanFlags scan; ///< how alarms are found: as by fathom scan --assertions
  std::string campaign, reports;
  double theta = 0.8;
};

struct QueryFlags {
  CommonOptions common;
  std::string campaign, at, condition;
};

struct LabelsFlags {
  run::LabelsRequest request;
  std::string output, plot;
};

struct PspFlags {
  TriageFlags triage;
  QueryFlags query;
  std::string trained;
  LabelsFlags calibrate, assess;
  CLI::App *triageCommand = nullptr, *queryCommand = nullptr, *trainCommand = nullptr;
  CLI::App *calibrateCommand = nullptr, *assessCommand = nullptr;
};

int runTriage(const TriageFlags &flags, Context &context) {
  const CommonOptions &common = flags.scan.common;
  configureLog(common, context.log);
  run::Session session = context.session();
  const run::Triage triage = orThrow(run::triage(
      {scanOptions(flags.scan), flags.campaign, flags.reports, common.output, flags.theta},
      session));

  if (common.json)
    run::writeTriageJson(triage, flags.theta, put);
  else if (!common.quiet)
    run::writeTriageText(triage, flags.theta, common.output, put);
  const bool hasReported =
      std::any_of(triage.alarms.begin(), triage.alarms.end(),
                  [&](const run::Alarm &a) { return a.isReported(flags.theta); });
  return common.failOnFindings && hasReported ? kFindings : kDone;
}

int runTrain(const PspFlags &flags) {
  const std::string text = psp::forestDefinition(psp::trainForest());
  if (std::error_code e = writeFile(flags.trained, text))
    throw UsageError(fmt::format("--output {}: {}", flags.trained, e.message()));
  return kDone;
}

int runQuery(const QueryFlags &flags, Context &context) {
  configureLog(flags.common, context.log);
  const run::PointAnswer best =
      orThrow(run::askCampaign({flags.campaign, flags.at, flags.condition}));
  if (flags.common.json)
    put(run::answerJson(best));
  else if (!flags.common.quiet)
    put(run::answerText(best));
  return kDone;
}

int runCalibrate(const LabelsFlags &flags) {
  const psp::Isotonic fit = orThrow(run::calibrate(flags.request.labels));
  if (std::error_code e = writeFile(flags.output, psp::calibrationDefinition(fit)))
    throw UsageError(fmt::format("--output {}: {}", flags.output, e.message()));
  return kDone;
}

int runAssessLabels(const LabelsFlags &flags) {
  const run::AssessedLabels done = orThrow(run::assessLabels(flags.request));
  const std::string title =
      fmt::format("{} of {}", counted(done.alarms, "alarm"), counted(done.programs, "program"));
  fmt::print("{}, {} real; {} with an estimate, {} seen to fail\n", title, done.real,
             done.predictions.size(), done.seen);
  fmt::print("Brier score {:.4f}", psp::brierScore(done.predictions));
  if (const std::vector<psp::Labelled> unseen = done.unseen(); !unseen.empty())
    fmt::print("; of the {} that were not seen to fail {:.4f}", unseen.size(),
               psp::brierScore(unseen));
  fmt::print("\n\n{}{}\n{}", psp::binsText(done.predictions),
             psp::decisionsText(done.predictions, done.unscored, "all alarms"),
             psp::decisionsText(done.predictions, {}, "alarms with an estimate"));
  if (flags.plot.empty()) return kDone;
  const std::vector<psp::SweepPoint> points =
      psp::sweep(done.predictions, done.unscored.falseNegatives, done.unscored.trueNegatives);
  if (std::error_code e = writeFile(flags.plot, psp::sweepPlot(points, title)))
    throw UsageError(fmt::format("--plot {}: {}", flags.plot, e.message()));
  return kDone;
}

void declareLabels(CLI::App &app, PspFlags &flags) {
  CLI::App &calibrate = *app.add_subcommand(
      "calibrate", "fit the built-in calibration (lib/psp/Calibration.def) to labelled alarms");
  flags.calibrateCommand = &calibrate;
  calibrate.footer(kPspFooter);
  calibrate.add_option("LABELS", flags.calibrate.request.labels, "what ./dev bench alarms wrote")
      ->required();
  calibrate.add_option("-o,--output", flags.calibrate.output, "the file to write")
      ->required()
      ->type_name("FILE");

  CLI::App &assess = *app.add_subcommand(
      "assess", "how good the probabilities of labelled alarms are: Brier score, reliability, F1");
  flags.assessCommand = &assess;
  assess.footer(kPspFooter);
  assess.add_option("LABELS", flags.assess.request.labels, "what ./dev bench alarms wrote")
      ->required();
  assess.add_option("--fit", flags.assess.request.fit, "calibrate on these labelled alarms")
      ->type_name("LABELS");
  assess.add_flag("--leave-out", flags.assess.request.leaveOut,
                  "judge each program by a calibration on all others");
  assess.add_flag("--raw", flags.assess.request.raw, "do not calibrate");
  assess.add_option("--plot", flags.assess.plot, "write ROC, F1 and MCC over theta as SVG")
      ->type_name("FILE");
}

} // namespace

Run declarePsp(CLI::App &app) {
  auto flags = std::make_shared<PspFlags>();
  app.footer(kPspFooter);
  app.require_subcommand(1);

  CLI::App &triage = *app.add_subcommand(
      "triage", "the probability that an alarm of fathom scan --assertions is real");
  flags->triageCommand = &triage;
  triage.footer(kPspFooter);
  triage.add_option("PROGRAM", flags->triage.scan.programs, "the program that the campaign fuzzed")
      ->required()
      ->expected(1);
  triage
      .add_option("--campaign", flags->triage.campaign,
                  "results folder of fathom fuzz --state-samples")
      ->required()
      ->type_name("DIR");
  triage
      .add_option("--reports", flags->triage.reports,
                  "judge the reports of this SARIF file instead")
      ->type_name("FILE");
  triage
      .add_option("--theta", flags->triage.theta,
                  "report alarms with at least this probability; 0: all alarms; 1: those that the "
                  "campaign saw fail")
      ->capture_default_str()
      ->type_name("P");
  flags->triage.scan.common.output = "fathom-psp";
  flags->triage.scan.common.add(triage, /*withOutput=*/true);

  CLI::App &query = *app.add_subcommand(
      "query", "the probability that some input satisfies a condition at a line");
  flags->queryCommand = &query;
  query.footer(kPspFooter);
  query
      .add_option("--campaign", flags->query.campaign,
                  "results folder of fathom fuzz --state-samples")
      ->required()
      ->type_name("DIR");
  query.add_option("--at", flags->query.at, "the line of the condition")
      ->required()
      ->type_name("FILE:LINE");
  query
      .add_option("--condition", flags->query.condition,
                  "a condition in C, over the variables that were sampled there")
      ->required()
      ->type_name("C");
  flags->query.common.add(query, /*withOutput=*/false);

  CLI::App &train = *app.add_subcommand(
      "train", "train the built-in forest (lib/psp/Forest.def) on generated patterns again");
  flags->trainCommand = &train;
  train.footer(kPspFooter);
  train.add_option("-o,--output", flags->trained, "the file to write")
      ->required()
      ->type_name("FILE");

  declareLabels(app, *flags);

  return [flags](Context &context) {
    if (flags->calibrateCommand->parsed()) return runCalibrate(flags->calibrate);
    if (flags->assessCommand->parsed()) return runAssessLabels(flags->assess);
    if (flags->trainCommand->parsed()) return runTrain(*flags);
    if (flags->queryCommand->parsed()) return runQuery(flags->query, context);
    return runTriage(flags->triage, context);
  };
}

} // namespace fathom::tool
