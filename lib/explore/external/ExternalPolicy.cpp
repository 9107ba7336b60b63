// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/external/ExternalPolicy.h"

#include "fmt/format.h"

#include <cstdlib>

namespace fathom::explore {

std::string ExternalPolicy::make(const ExploreOptions &options, ExternalPolicy &out) {
  out.mode = options.external;
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
    const auto operation = kExternalOpNames.find(name);
    if (!operation)
      return fmt::format("--external-ops {}: expected {}", name, kExternalOpNames.names());
    out.**operation = true;
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
