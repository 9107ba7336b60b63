// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/estimate/Estimate.h"

#include "campaign/ReadCampaign.h"
#include "estimate/ReadIncidence.h"
#include "run/Failure.h"
#include "run/InputFiles.h"

#include <fmt/format.h>

#include <filesystem>

namespace fathom::run {

/// The file that is read: of a folder, the one of the known names that is in it.
static llvm::Expected<std::string> inputFile(const std::string &path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return path;
  for (const char *name : {"campaign.db", "incidence.csv", "frequencies.json"}) {
    std::string file = path + "/" + name;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return usageError(path +
                    ": expected campaign.db, incidence.csv or frequencies.json in this folder");
}

static bool isDatabase(const std::string &file) {
  return std::filesystem::path(file).extension() == ".db";
}

static campaign::StageSelection stagesOf(const EstimateRequest &request) {
  return request.stages == "all" ? campaign::StageSelection::All
                                 : campaign::StageSelection::Fuzzing;
}

static campaign::ElementKind kindOf(const EstimateRequest &request) {
  return campaign::kindNamed(request.of).value_or(campaign::ElementKind::BranchSide);
}

static llvm::Expected<estimate::Incidence> readIncidence(const EstimateRequest &request,
                                                         const std::string &file) {
  if (isDatabase(file))
    return asUsage(campaign::readCampaign(file, kindOf(request), stagesOf(request), request.first));
  if (!request.stages.empty())
    return usageError(fmt::format("--stages {}: {} does not record stages; only a campaign.db does",
                                  request.stages, file));
  if (!request.of.empty())
    return usageError(fmt::format("--of {}: {} does not record kinds of elements; only "
                                  "a campaign.db does",
                                  request.of, file));
  estimate::Result<estimate::Incidence> data = estimate::readIncidenceFile(file);
  if (!data) return usageError(data.error());
  return std::move(*data);
}

/// Takes the first units, and joins consecutive ones.
static llvm::Error selectUnits(const EstimateRequest &request, const std::string &file,
                               estimate::Incidence &data) {
  auto check = [&](const char *option, uint32_t value) -> llvm::Error {
    if (!data.matrix)
      return usageError(fmt::format("{} {}: {} has only frequencies, not units; expected an "
                                    "incidence matrix (CSV)",
                                    option, value, file));
    if (value > data.matrix->units())
      return usageError(fmt::format("{} {}: {} has {} units; expected at most as many", option,
                                    value, file, data.matrix->units()));
    return llvm::Error::success();
  };
  if (request.first) {
    if (llvm::Error e = check("--first", request.first)) return e;
    // From a database, nothing later was read. Elements of a file that only later units cover are
    // not known then.
    data.matrix = estimate::firstUnits(*data.matrix, request.first);
    data.counts = estimate::tally(*data.matrix);
  }
  if (llvm::Error e = check("--unit", request.joined)) return e;
  data.matrix = estimate::regroup(*data.matrix, request.joined);
  const uint64_t before = data.counts.observed();
  data.counts = estimate::tally(*data.matrix);
  // What only the units covered that are left over.
  if (data.listing) data.listing->coveredApart += before - data.counts.observed();
  return llvm::Error::success();
}

static llvm::Expected<estimate::Incidence> readInput(const EstimateRequest &request,
                                                     const std::string &file) {
  if (llvm::Error e = requireRegularFile("", file)) return std::move(e);
  llvm::Expected<estimate::Incidence> data = readIncidence(request, file);
  if (!data) return data;
  if (request.executions > 0) {
    if (!data->matrix || isDatabase(file))
      return usageError(fmt::format(
          "--executions {}: {}; expected an incidence matrix (CSV)", request.executions,
          data->matrix ? file + " records them itself" : file + " has only frequencies"));
    data->matrix->setExecutions(request.executions);
  }
  if (request.joined != 1 || request.first)
    if (llvm::Error e = selectUnits(request, file, *data)) return std::move(e);
  return data;
}

/// Which branch sides are next; only of a campaign.db, which has the control flow.
static llvm::Expected<campaign::CampaignTargets> targetsOf(const EstimateRequest &request,
                                                           const std::string &file) {
  if (!isDatabase(file))
    return usageError(fmt::format("--targets {}: {} does not have the program's control flow; only "
                                  "a campaign.db does",
                                  request.targets, file));
  return asUsage(campaign::nearestTargets(
      file, {.stages = stagesOf(request), .first = request.first, .joined = request.joined},
      request.targets, request.options.ahead));
}

llvm::Expected<CampaignEstimate> estimateCampaign(const EstimateRequest &request) {
  llvm::Expected<std::string> file = inputFile(request.input);
  if (!file) return file.takeError();
  llvm::Expected<estimate::Incidence> data = readInput(request, *file);
  if (!data) return data.takeError();
  if (std::string wrong = request.options.validate(data->counts); !wrong.empty())
    return usageError(wrong);
  CampaignEstimate out{estimate::analyse(*data, request.options), request.elements, {}};
  if (out.noun.empty())
    out.noun = isDatabase(*file) ? campaign::kindNoun(kindOf(request)) : "elements";
  if (!request.targets) return out;
  llvm::Expected<campaign::CampaignTargets> targets = targetsOf(request, *file);
  if (!targets) return targets.takeError();
  out.targets = std::move(*targets);
  return out;
}

} // namespace fathom::run
