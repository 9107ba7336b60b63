// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/Labels.h"

#include "psp/Model.h"
#include "run/Failure.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

namespace fathom::run {

namespace {

/// Adds so many alarms to a block, half of them real: a block of few does not claim 0 or 1.
constexpr double kPrior = 2;
constexpr const char *kHeader = "program,line,kind,raw,seen,real";

struct Row {
  std::string program;
  std::optional<double> raw; ///< Eq. 6; absent: no estimate
  bool isSeen = false, isReal = false;
};

llvm::Expected<std::vector<Row>> readRows(const std::string &path) {
  std::ifstream in(path);
  std::string line;
  auto refuse = [&](size_t number, const std::string &why) {
    return usageError(fmt::format("{}:{}: {}", path, number, why));
  };
  if (!in) return usageError(fmt::format("{}: cannot be read", path));
  if (!std::getline(in, line) || line != kHeader)
    return refuse(1, fmt::format("expected the header {}", kHeader));
  std::vector<Row> out;
  for (size_t number = 2; std::getline(in, line); ++number) {
    std::vector<std::string> fields(1);
    for (const char c : line)
      if (c == ',')
        fields.emplace_back();
      else
        fields.back() += c;
    if (fields.size() != 6) return refuse(number, "expected six fields");
    Row row;
    row.program = fields[0];
    if (!fields[3].empty()) {
      std::istringstream text(fields[3]);
      double raw = -1;
      if (!(text >> raw) || !text.eof() || raw < 0 || raw > 1)
        return refuse(number, fmt::format("'{}' is no probability", fields[3]));
      row.raw = raw;
    }
    for (const size_t i : {4, 5})
      if (fields[i] != "0" && fields[i] != "1") return refuse(number, "seen and real are 0 or 1");
    row.isSeen = fields[4] == "1", row.isReal = fields[5] == "1";
    out.push_back(std::move(row));
  }
  if (out.empty()) return usageError(fmt::format("{}: no alarm in it", path));
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

llvm::Expected<psp::Isotonic> fitTo(const std::vector<Row> &rows, const std::string &path,
                                    const std::string &without = "") {
  const std::vector<psp::Labelled> alarms = estimatesOf(rows, without);
  if (alarms.empty())
    return usageError(fmt::format("{}: no alarm with an estimate that was not seen to fail", path));
  return psp::Isotonic::fit(alarms, kPrior);
}

/// Alarms with an estimate, and their probabilities.
llvm::Expected<std::vector<psp::Labelled>> predictions(const std::vector<Row> &rows,
                                                       const LabelsRequest &request) {
  psp::Isotonic calibration = psp::Isotonic::shipped();
  if (!request.fit.empty()) {
    llvm::Expected<psp::Isotonic> fit = calibrate(request.fit);
    if (!fit) return fit.takeError();
    calibration = std::move(*fit);
  }
  std::map<std::string, psp::Isotonic> ofOthers;
  std::vector<psp::Labelled> out;
  for (const Row &row : rows) {
    if (!row.raw) continue;
    if (request.leaveOut && !ofOthers.contains(row.program)) {
      llvm::Expected<psp::Isotonic> fit = fitTo(rows, request.labels, row.program);
      if (!fit) return fit.takeError();
      ofOthers.emplace(row.program, std::move(*fit));
    }
    const psp::Isotonic &now = request.leaveOut ? ofOthers.at(row.program) : calibration;
    const double estimate =
        psp::clampEstimate(request.raw ? *row.raw : now(*row.raw), psp::ModelOptions().epsilon);
    out.push_back({row.isSeen ? 1 : estimate, row.isReal});
  }
  return out;
}

} // namespace

std::vector<psp::Labelled> AssessedLabels::unseen() const {
  std::vector<psp::Labelled> out;
  for (const psp::Labelled &a : predictions)
    if (a.score < 1) out.push_back(a);
  return out;
}

llvm::Expected<psp::Isotonic> calibrate(const std::string &labels) {
  llvm::Expected<std::vector<Row>> rows = readRows(labels);
  if (!rows) return rows.takeError();
  return fitTo(*rows, labels);
}

llvm::Expected<AssessedLabels> assessLabels(const LabelsRequest &request) {
  if (request.raw + request.leaveOut + !request.fit.empty() > 1)
    return usageError("--raw, --leave-out and --fit exclude each other");
  llvm::Expected<std::vector<Row>> rows = readRows(request.labels);
  if (!rows) return rows.takeError();
  AssessedLabels out;
  std::set<std::string> programs;
  for (const Row &row : *rows) {
    programs.insert(row.program);
    out.real += row.isReal, out.seen += row.isSeen;
    if (!row.raw) ++(row.isReal ? out.unscored.falseNegatives : out.unscored.trueNegatives);
  }
  out.alarms = rows->size(), out.programs = programs.size();
  llvm::Expected<std::vector<psp::Labelled>> predicted = predictions(*rows, request);
  if (!predicted) return predicted.takeError();
  out.predictions = std::move(*predicted);
  if (out.predictions.empty())
    return usageError(fmt::format("{}: no alarm has an estimate", request.labels));
  return out;
}

} // namespace fathom::run
