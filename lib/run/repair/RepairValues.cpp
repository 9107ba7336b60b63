// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/repair/RepairValues.h"

#include "campaign/FuzzVariant.h"
#include "campaign/StateTable.h"
#include "run/Failure.h"
#include "run/Installation.h"

#include <fmt/format.h>

#include <numbers>

namespace fathom::run {

/// States of one patched program; the tests are few.
static constexpr uint64_t kMaxStatesOfTests = uint64_t(1) << 16;

std::string bindingName(const std::string &function, const std::string &variable) {
  return function + "\t" + variable;
}

std::string variableOf(const std::string &bindingName) {
  return bindingName.substr(bindingName.find('\t') + 1);
}

llvm::Error CampaignValues::learn(const std::string &function, const std::string &variable) {
  if (!asked_.insert(bindingName(function, variable)).second) return llvm::Error::success();
  psp::Samples all;
  all.variable(variable);
  for (uint32_t point = 0; point < samples_.points().size(); ++point) {
    if (samples_.points()[point].function != function) continue;
    llvm::Expected<psp::Samples> here = samples_.of(point);
    if (!here) return here.takeError();
    const std::optional<psp::VariableId> id = here->find(variable);
    if (!id) continue;
    for (const auto &[state, count] : here->counts())
      if (const std::optional<int64_t> value = state.value(*id))
        all.add(psp::State::of({*value}), count);
  }
  models_.learn(bindingName(function, variable), std::move(all));
  return llvm::Error::success();
}

llvm::Expected<TestedValues> testedValues(RepairProgram &program,
                                          const std::set<std::string> &functions) {
  program::LoadOptions load;
  load.fathomCc = Installation::get().fathomCc;
  llvm::Expected<native::VariantTools> tools = variantTools("fuzz.o");
  if (!tools) return tools.takeError();
  // Patched programs are not met again.
  tools->cache = program.scratch() + "/variants";
  campaign::PointChoice points;
  points.kinds = campaign::PointKinds::all();
  llvm::Expected<campaign::FuzzVariant> made =
      asUsage(campaign::fuzzVariant({program.subject().program()}, load, *tools, {}, points));
  if (!made) return made.takeError();
  const campaign::FuzzVariant &variant = *made;
  TestedValues out;
  if (variant.points.empty()) return out;
  const std::string table = program.scratch() + "/states";
  if (llvm::Error e =
          asUsage(campaign::createStateTable(table, variant.points.size(), kMaxStatesOfTests)))
    return std::move(e);
  for (size_t test = 0; test < program.before().size(); ++test)
    (void)program.subject().test(test, variant.executable, {"FATHOM_STATES=" + table});
  llvm::Expected<campaign::StateSamples> samples =
      asUsage(campaign::readStateTable(table, variant.points.size()));
  if (!samples) return samples.takeError();
  out.dropped = samples->dropped;
  for (const campaign::SampledState &state : samples->states) {
    const campaign::StatePoint &point = variant.points[state.point];
    if (!functions.count(point.function)) continue;
    for (size_t i = 0; i < state.values.size() && i < point.variables.size(); ++i)
      out.values[bindingName(point.function, point.variables[i])].insert(state.values[i]);
  }
  return out;
}

std::string probabilityText(const std::optional<repair::UnchangedProbability> &unchanged) {
  if (!unchanged) return "-";
  // 0.0000 would say that it cannot be.
  return unchanged->probability >= 0.00005 || unchanged->logarithm == 0
             ? fmt::format("{:.4f}", unchanged->probability)
             : fmt::format("e{:.0f}", unchanged->logarithm / std::numbers::ln10);
}

std::string leastText(const repair::UnchangedProbability &unchanged) {
  if (unchanged.variable.empty()) return "";
  return fmt::format("{} = {} has {:.6f}", variableOf(unchanged.variable), unchanged.value,
                     unchanged.least);
}

} // namespace fathom::run
