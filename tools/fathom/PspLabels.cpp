// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PspLabels.h"

#include "psp/Model.h"
#include "psp/Reliability.h"
#include "support/NumberText.h"
#include "support/WriteFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace fathom::tool {

namespace {

/// Adds so many alarms to a block, half of them real: a block of few does not claim 0 or 1.
constexpr double kPrior = 2;
constexpr const char *kHeader = "program,line,kind,raw,seen,real";

struct Row {
  std::string program;
  std::optional<double> raw; ///< Eq. 6; absent: no estimate
  bool isSeen = false, isReal = false;
};

std::vector<Row> readRows(const std::string &path) {
  std::ifstream in(path);
  std::string line;
  auto refuse = [&](size_t number, const std::string &why) {
    throw UsageError(fmt::format("{}:{}: {}", path, number, why));
  };
  if (!in) throw UsageError(fmt::format("{}: cannot be read", path));
  if (!std::getline(in, line) || line != kHeader)
    refuse(1, fmt::format("expected the header {}", kHeader));
  std::vector<Row> out;
  for (size_t number = 2; std::getline(in, line); ++number) {
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == ',')
        fields.emplace_back();
      else
        fields.back() += c;
    if (fields.size() != 6) refuse(number, "expected six fields");
    Row row;
    row.program = fields[0];
    if (!fields[3].empty()) {
      std::istringstream text(fields[3]);
      double raw = -1;
      if (!(text >> raw) || !text.eof() || raw < 0 || raw > 1)
        refuse(number, fmt::format("'{}' is no probability", fields[3]));
      row.raw = raw;
    }
    for (const size_t i : {4, 5})
      if (fields[i] != "0" && fields[i] != "1") refuse(number, "seen and real are 0 or 1");
    row.isSeen = fields[4] == "1", row.isReal = fields[5] == "1";
    out.push_back(std::move(row));
  }
  if (out.empty()) throw UsageError(fmt::format("{}: no alarm in it", path));
  return out;
}

/// What was seen is certain and says nothing about estimates.
std::vector<psp::Labelled> estimatesOf(const std::vector<Row> &rows,
                                       const std::string &without = "") {
  std::vector<psp::Labelled> out;
  for (const Row &row : rows)
    if (row.raw && !row.isSeen && (without.empty() || row.program != without))
      out.push_back({*row.raw, row.isReal});
  return out;
}

psp::Isotonic fitTo(const std::vector<Row> &rows, const std::string &path,
                    const std::string &without = "") {
  const std::vector<psp::Labelled> alarms = estimatesOf(rows, without);
  if (alarms.empty())
    throw UsageError(fmt::format("{}: no alarm with an estimate that was not seen to fail", path));
  return psp::Isotonic::fit(alarms, kPrior);
}

/// Alarms with an estimate, and their probabilities.
std::vector<psp::Labelled> predictions(const std::vector<Row> &rows,
                                       const AssessLabelsFlags &flags) {
  psp::Isotonic calibration = psp::Isotonic::shipped();
  if (!flags.fit.empty()) calibration = fitTo(readRows(flags.fit), flags.fit);
  std::map<std::string, psp::Isotonic> ofOthers;
  std::vector<psp::Labelled> out;
  for (const Row &row : rows) {
    if (!row.raw) continue;
    if (flags.leaveOut && !ofOthers.contains(row.program))
      ofOthers.emplace(row.program, fitTo(rows, flags.labels, row.program));
    const psp::Isotonic &now = flags.leaveOut ? ofOthers.at(row.program) : calibration;
    const double estimate =
        psp::clampEstimate(flags.raw ? *row.raw : now(*row.raw), psp::ModelOptions().epsilon);
    out.push_back({row.isSeen ? 1 : estimate, row.isReal});
  }
  return out;
}

void printBins(const std::vector<psp::Labelled> &alarms) {
  fmt::print("bin         alarms  real  predicted  observed  90 % interval\n");
  unsigned used = 0, held = 0;
  for (const psp::ReliabilityBin &bin : psp::reliability(alarms)) {
    if (!bin.alarms) continue;
    ++used, held += bin.holds();
    fmt::print("{:.1f} to {:.1f}  {:6}  {:4}     {:.4f}    {:.4f}  {:.4f} to {:.4f}{}\n", bin.lo,
               bin.hi, bin.alarms, bin.real, bin.predicted, double(bin.real) / double(bin.alarms),
               bin.least, bin.most, bin.holds() ? "" : "  missed");
  }
  fmt::print("{} of {} bins with alarms hold their prediction\n\n", held, used);
}

void printRow(const std::string &name, const psp::Confusion &c) {
  fmt::print("{:<24} {:4} {:4}     {:.3f}   {:.3f}  {:.3f}  {:6.3f}\n", name, c.truePositives,
             c.falsePositives, c.precision(), c.truePositiveRate(), c.f1(), c.mcc());
}

/// `unscored`: of alarms without an estimate, which are not reported.
void printDecisions(const std::vector<psp::Labelled> &alarms, psp::Confusion unscored,
                    const char *which) {
  fmt::print("{:<24} true false precision recall     F1     MCC\n", which);
  auto with = [&](psp::Confusion c) {
    c.trueNegatives += unscored.trueNegatives;
    c.falseNegatives += unscored.falseNegatives;
    return c;
  };
  psp::Confusion all = psp::confusion(alarms, 0);
  all.truePositives += unscored.falseNegatives;
  all.falsePositives += unscored.trueNegatives;
  printRow("abstract interpreter", all);
  printRow("campaign (seen)", with(psp::confusion(alarms, 1)));
  for (const double theta : {0.1, 0.5, 0.7})
    printRow(fmt::format("theta {}", theta), with(psp::confusion(alarms, theta)));
}

} // namespace

int runCalibrate(const CalibrateFlags &flags) {
  const psp::Isotonic fit = fitTo(readRows(flags.labels), flags.labels);
  if (std::error_code e = writeFile(flags.output, psp::calibrationDefinition(fit)))
    throw UsageError(fmt::format("--output {}: {}", flags.output, e.message()));
  return kDone;
}

int runAssessLabels(const AssessLabelsFlags &flags) {
  if (flags.raw + flags.leaveOut + !flags.fit.empty() > 1)
    throw UsageError("--raw, --leave-out and --fit exclude each other");
  const std::vector<Row> rows = readRows(flags.labels);
  std::set<std::string> programs;
  uint64_t real = 0, seen = 0;
  psp::Confusion unscored;
  for (const Row &row : rows) {
    programs.insert(row.program);
    real += row.isReal, seen += row.isSeen;
    if (!row.raw) ++(row.isReal ? unscored.falseNegatives : unscored.trueNegatives);
  }
  const std::vector<psp::Labelled> alarms = predictions(rows, flags);
  if (alarms.empty()) throw UsageError(fmt::format("{}: no alarm has an estimate", flags.labels));
  fmt::print("{} of {}, {} real; {} with an estimate, {} seen to fail\n",
             counted(rows.size(), "alarm"), counted(programs.size(), "program"), real,
             alarms.size(), seen);
  std::vector<psp::Labelled> unseen;
  for (const psp::Labelled &a : alarms)
    if (a.score < 1) unseen.push_back(a);
  fmt::print("Brier score {:.4f}", psp::brierScore(alarms));
  if (!unseen.empty())
    fmt::print("; of the {} that were not seen to fail {:.4f}", unseen.size(),
               psp::brierScore(unseen));
  fmt::print("\n\n");
  printBins(alarms);
  printDecisions(alarms, unscored, "all alarms");
  fmt::print("\n");
  printDecisions(alarms, {}, "alarms with an estimate");
  if (!flags.plot.empty()) {
    const std::vector<psp::SweepPoint> points =
        psp::sweep(alarms, unscored.falseNegatives, unscored.trueNegatives);
    const std::string title =
        fmt::format("{} of {}", counted(rows.size(), "alarm"), counted(programs.size(), "program"));
    if (std::error_code e = writeFile(flags.plot, psp::sweepPlot(points, title)))
      throw UsageError(fmt::format("--plot {}: {}", flags.plot, e.message()));
  }
  return kDone;
}

} // namespace fathom::tool
