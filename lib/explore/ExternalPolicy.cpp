// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/ExternalPolicy.h"

#include "fmt/format.h"

#include <cstdlib>

namespace fathom::explore {

static bool parseMode(const std::string &name, ExternalMode &mode) {
  static constexpr std::pair<const char *, ExternalMode> kModes[] = {
      {"concretize", ExternalMode::Concretize},
      {"concretize-strict", ExternalMode::ConcretizeStrict},
      {"symbolic-return", ExternalMode::SymbolicReturn},
      {"defer", ExternalMode::Defer},
      {"defer-strict", ExternalMode::DeferStrict}};
  for (auto &[known, value] : kModes)
    if (name == known) {
      mode = value;
      return true;
    }
  return false;
}

std::string ExternalPolicy::make(const ExploreOptions &options, ExternalPolicy &out) {
  if (!parseMode(options.external, out.mode))
    return fmt::format("--external {}: expected concretize, concretize-strict, symbolic-return, "
                       "defer or defer-strict",
                       options.external);
  out.bias = out.mode == ExternalMode::DeferStrict ? 1 : 0;
  if (!options.deferBias.empty()) {
    if (!out.defers())
      return fmt::format("--defer-bias {}: it belongs to --external defer and defer-strict",
                         options.deferBias);
    char *end = nullptr;
    out.bias = strtod(options.deferBias.c_str(), &end);
    if (*end || !(out.bias >= 0 && out.bias <= 1))
      return fmt::format("--defer-bias {}: expected a probability, 0 to 1", options.deferBias);
  }
  std::string_view ops = options.externalOps;
  while (!ops.empty()) {
    std::string_view name = ops.substr(0, ops.find(','));
    ops.remove_prefix(std::min(ops.size(), name.size() + 1));
    if (name == "fp")
      out.deferFloats = true;
    else if (name == "nonlinear")
      out.deferNonlinear = true;
    else if (name == "vector")
      out.deferVectors = true;
    else
      return fmt::format("--external-ops {}: expected fp, vector or nonlinear", name);
  }
  if ((out.deferFloats || out.deferNonlinear || out.deferVectors) && !out.defers())
    return fmt::format("--external-ops {}: expected --external defer or defer-strict with it",
                       options.externalOps);
  std::vector<std::string> names;
  if (std::string wrong = expandFunctionNames(options.externalFunctions, names); !wrong.empty())
    return "--external-functions: " + wrong;
  if (std::string wrong = out.effects.add(options.externalEffectsText); !wrong.empty())
    return fmt::format("--external-effects {}: {}", options.externalEffects, wrong);
  return "";
}

} // namespace fathom::explore
