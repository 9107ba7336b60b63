// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/AssertionsText.h"

#include <nlohmann/json.hpp>

namespace fathom::run {

using statics::abstract::AbstractProgram;
using statics::abstract::AnalysisResult;
using statics::abstract::CheckId;
using statics::abstract::Finding;

static nlohmann::json jsonOf(const AbstractProgram &program, const AnalysisResult &result,
                             const std::vector<Finding> &findings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Finding &f : findings) {
    nlohmann::json one = {{"kind", textOf(f.kind)}, {"verdict", textOf(f.verdict)},
                          {"file", f.file},         {"line", f.line},
                          {"column", f.column},     {"function", f.function},
                          {"what", f.what}};
    for (const CheckId id : f.checks)
      if (const std::optional<statics::abstract::State> &state = result.checks[id].state;
          state && !state->isBottom())
        for (const std::string &fact : factsOf(program, *state, program.checks[id].function))
          one["states"].push_back(fact);
    list.push_back(std::move(one));
  }
  return list;
}

std::string assertionsJson(const CheckedAssertions &checked, const std::string &domain) {
  nlohmann::json unexpressed = nlohmann::json::object();
  for (const auto &[what, number] : checked.program.unexpressed) unexpressed[what] = number;
  const nlohmann::json document = {
      {"checks", jsonOf(checked.program, checked.result, checked.findings)},
      {"unexpressed", unexpressed},
      {"calls_shared", checked.result.callsShared},
      {"partial", checked.result.isPartial},
      {"domain", domain}};
  return document.dump(2) + "\n";
}

} // namespace fathom::run
