// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "PspSamples.h"

#include "Command.h"

#include "campaign/FuzzVariant.h"
#include "support/SourcePlace.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unistd.h>

namespace fathom::tool {

static campaign::SqliteStore openStore(const std::string &folder) {
  const std::string path = folder + "/campaign.db";
  if (access(path.c_str(), R_OK) != 0)
    throw UsageError(fmt::format("--campaign {}: no campaign in it; expected a results folder of "
                                 "fathom fuzz --state-samples",
                                 folder));
  return orUsage(campaign::SqliteStore::open(path, /*readOnly=*/true));
}

PspSamples::PspSamples(const std::string &folder)
    : folder_(folder), store_(openStore(folder)), points_(store_.points()) {
  if (points_.empty())
    throw UsageError(fmt::format("--campaign {}: the campaign sampled no states; run fathom fuzz "
                                 "with --state-samples",
                                 folder));
}

void PspSamples::requireProgram(const std::vector<std::string> &program) const {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  if (orUsage(campaign::bitcodeHash(program, load)) != store_.fact("bitcode"))
    throw UsageError(fmt::format("--campaign {}: it was of another program than {}, or of another "
                                 "build of it",
                                 folder_, fmt::join(program, " ")));
}

/// Do two names mean one file? Either may be relative, to a folder that nobody knows any more, and
/// go up in it.
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

bool PspSamples::has(campaign::PointKind kind) const {
  return std::any_of(points_.begin(), points_.end(),
                     [&](const campaign::StatePoint &p) { return p.kind == kind; });
}

std::vector<uint32_t> PspSamples::at(const std::string &file, uint32_t line,
                                     uint32_t column) const {
  std::vector<uint32_t> out;
  for (uint32_t id = 0; id < points_.size(); ++id) {
    const campaign::StatePoint &p = points_[id];
    if (p.line == line && (!column || p.column == column) && isSameFile(file, p.file))
      out.push_back(id);
  }
  return out;
}

bool PspSamples::hasCode(const std::string &file, uint32_t line) const {
  // FUNCTION:FILE:LINE#ID
  for (const std::string &name : orUsage(store_.names(campaign::ElementKind::Statement))) {
    const std::string at = name.substr(0, name.rfind('#'));
    const size_t colon = at.rfind(':');
    if (at.substr(colon + 1) != std::to_string(line)) continue;
    const std::string path = at.substr(at.find(':') + 1, colon - at.find(':') - 1);
    if (isSameFile(file, path)) return true;
  }
  return false;
}

psp::Samples PspSamples::of(uint32_t point) const {
  psp::Samples out;
  for (const std::string &name : points_[point].variables) out.variable(name);
  for (const campaign::SampledState &s : orUsage(store_.states(point))) {
    psp::State state;
    for (psp::VariableId v = 0; v < s.values.size() && v < out.names().size(); ++v)
      state.set(v, s.values[v]);
    out.add(state, s.count);
  }
  return out;
}

std::optional<std::vector<psp::PathEdge>> PspSamples::paths() const {
  const auto point =
      std::ranges::find(points_, campaign::PointKind::Path, &campaign::StatePoint::kind);
  if (point == points_.end()) return std::nullopt;
  std::vector<psp::PathEdge> out;
  for (const campaign::SampledState &s :
       orUsage(store_.states(static_cast<uint32_t>(point - points_.begin()))))
    if (s.values.size() == point->variables.size())
      out.push_back({.before = static_cast<uint64_t>(s.values[0]),
                     .branch = static_cast<uint32_t>(s.values[1]),
                     .side = static_cast<uint32_t>(s.values[2]),
                     .count = s.count});
  return out;
}

std::optional<Projected> PspSamples::conditionOf(uint32_t point) const {
  if (points_[point].condition.empty()) return std::nullopt;
  const psp::Samples all = of(point);
  const auto parsed = psp::parseCondition(points_[point].condition, all);
  const auto *condition = std::get_if<psp::Condition>(&parsed);
  return condition ? project(all, *condition) : std::nullopt;
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

} // namespace fathom::tool
