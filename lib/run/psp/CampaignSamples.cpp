// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/CampaignSamples.h"

#include "campaign/FuzzVariant.h"
#include "run/Failure.h"
#include "run/Installation.h"
#include "support/SourcePlace.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unistd.h>

namespace fathom::run {

CampaignSamples::CampaignSamples(std::string folder, campaign::SqliteStore store,
                                 std::vector<campaign::StatePoint> points)
    : folder_(std::move(folder)), store_(std::move(store)), points_(std::move(points)) {}

llvm::Expected<CampaignSamples> CampaignSamples::open(const std::string &folder) {
  const std::string path = folder + "/campaign.db";
  if (access(path.c_str(), R_OK) != 0)
    return usageError(fmt::format("--campaign {}: no campaign in it; expected a results folder of "
                                  "fathom fuzz --state-samples",
                                  folder));
  auto store = asUsage(campaign::SqliteStore::open(path, /*readOnly=*/true));
  if (!store) return store.takeError();
  auto points = asUsage(store->points());
  if (!points) return points.takeError();
  CampaignSamples out(folder, std::move(*store), std::move(*points));
  if (out.points_.empty())
    return usageError(fmt::format("--campaign {}: the campaign sampled no states; run fathom fuzz "
                                  "with --state-samples",
                                  folder));
  return out;
}

llvm::Error CampaignSamples::requireProgram(const std::vector<std::string> &program) const {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  llvm::Expected<std::string> hash = asUsage(campaign::bitcodeHash(program, load));
  if (!hash) return hash.takeError();
  if (*hash == store_.fact("bitcode")) return llvm::Error::success();
  return usageError(fmt::format("--campaign {}: it was of another program than {}, or of another "
                                "build of it",
                                folder_, fmt::join(program, " ")));
}

/// Do two names mean one file? Either may be relative, to a folder that is not known any more,
/// and go up in it.
static bool isSameFile(const std::string &a, const std::string &b) {
  auto plain = [](const std::string &name) {
    llvm::SmallString<128> path(name);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    llvm::StringRef rest = path;
    while (rest.consume_front("../")) {
    }
    return rest.str();
  };
  const std::string x = plain(a), y = plain(b);
  return namesFile(x, y) || namesFile(y, x);
}

bool CampaignSamples::has(campaign::PointKind kind) const {
  return std::any_of(points_.begin(), points_.end(),
                     [&](const campaign::StatePoint &p) { return p.kind == kind; });
}

std::vector<uint32_t> CampaignSamples::at(const std::string &file, uint32_t line,
                                          uint32_t column) const {
  std::vector<uint32_t> out;
  for (uint32_t id = 0; id < points_.size(); ++id) {
    const campaign::StatePoint &p = points_[id];
    if (p.line == line && (!column || p.column == column) && isSameFile(file, p.file))
      out.push_back(id);
  }
  return out;
}

llvm::Expected<bool> CampaignSamples::hasCode(const std::string &file, uint32_t line) const {
  // FUNCTION:FILE:LINE#ID
  auto names = asUsage(store_.names(campaign::ElementKind::Statement));
  if (!names) return names.takeError();
  for (const std::string &name : *names) {
    const std::string at = name.substr(0, name.rfind('#'));
    const size_t colon = at.rfind(':');
    if (at.substr(colon + 1) != std::to_string(line)) continue;
    const std::string path = at.substr(at.find(':') + 1, colon - at.find(':') - 1);
    if (isSameFile(file, path)) return true;
  }
  return false;
}

llvm::Expected<psp::Samples> CampaignSamples::of(uint32_t point) const {
  psp::Samples out;
  for (const std::string &name : points_[point].variables) out.variable(name);
  auto states = asUsage(store_.states(point));
  if (!states) return states.takeError();
  for (const campaign::SampledState &s : *states) {
    psp::State state;
    for (psp::VariableId v = 0; v < s.values.size() && v < out.names().size(); ++v)
      state.set(v, s.values[v]);
    out.add(state, s.count);
  }
  return out;
}

llvm::Expected<std::optional<std::vector<psp::PathEdge>>> CampaignSamples::paths() const {
  const auto point =
      std::ranges::find(points_, campaign::PointKind::Path, &campaign::StatePoint::kind);
  if (point == points_.end()) return std::nullopt;
  std::vector<psp::PathEdge> out;
  auto states = asUsage(store_.states(static_cast<uint32_t>(point - points_.begin())));
  if (!states) return states.takeError();
  for (const campaign::SampledState &s : *states)
    if (s.values.size() == point->variables.size())
      out.push_back({.before = static_cast<uint64_t>(s.values[0]),
                     .branch = static_cast<uint32_t>(s.values[1]),
                     .side = static_cast<uint32_t>(s.values[2]),
                     .count = s.count});
  return out;
}

llvm::Expected<std::optional<Projected>> CampaignSamples::conditionOf(uint32_t point) const {
  if (points_[point].condition.empty()) return std::nullopt;
  llvm::Expected<psp::Samples> all = of(point);
  if (!all) return all.takeError();
  const auto parsed = psp::parseCondition(points_[point].condition, *all);
  const auto *condition = std::get_if<psp::Condition>(&parsed);
  return condition ? project(*all, *condition) : std::nullopt;
}

std::optional<Projected> project(const psp::Samples &samples, const psp::Condition &condition) {
  const std::vector<psp::VariableId> variables = condition.variables();
  if (variables.empty()) return std::nullopt;
  return Projected{samples.project(variables), condition.renamed(variables)};
}

std::string stateText(const psp::State &state, const std::vector<std::string> &names) {
  std::string out;
  for (const auto &[variable, value] : state.bindings)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", names[variable], value);
  return out;
}

} // namespace fathom::run
