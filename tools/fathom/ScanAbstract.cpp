// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanAbstract.h"

#include "support/NumberText.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fathom::tool {

namespace {

using statics::abstract::AbstractProgram;
using statics::abstract::AnalysisResult;
using statics::abstract::CheckId;
using statics::abstract::CheckKind;
using statics::abstract::DomainKind;
using statics::abstract::Finding;
using statics::abstract::Verdict;

DomainKind domainOf(const std::string &name) {
  if (name == "intervals") return DomainKind::Intervals;
  if (name == "zones") return DomainKind::Zones;
  if (name == "octagons") return DomainKind::Octagons;
  if (name == "product") return DomainKind::Product;
  throw UsageError(
      fmt::format("--domain {}: expected intervals, zones, octagons or product", name));
}

nlohmann::json jsonOf(const AbstractProgram &program, const AnalysisResult &result,
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

struct Counts {
  uint64_t of[5][4] = {};
};

Counts count(const std::vector<Finding> &findings) {
  Counts out;
  for (const Finding &f : findings) ++out.of[size_t(f.kind)][size_t(f.verdict)];
  return out;
}

void addSummary(const Counts &counts, std::string &out) {
  constexpr const char *kNames[][2] = {{"assertion", "assertions"},
                                       {"access", "accesses"},
                                       {"division", "divisions"},
                                       {"shift", "shifts"},
                                       {"signed operation", "signed operations"}};
  for (size_t kind = 0; kind < 5; ++kind) {
    const uint64_t(&n)[4] = counts.of[kind];
    const uint64_t all = n[0] + n[1] + n[2] + n[3];
    if (!all) continue;
    out += fmt::format("{} {}: {} proved, {} unreachable, {}, {} definite\n", grouped(double(all)),
                       kNames[kind][all != 1], grouped(double(n[1])), grouped(double(n[0])),
                       counted(n[2], "alarm"), grouped(double(n[3])));
  }
}

/// "assertion 'i < n' may fail", "write of 4 bytes is inside".
std::string sentence(const Finding &f) {
  // By kind: what it is when the verdict is proved, an alarm, definite.
  constexpr const char *kWords[][3] = {
      {"holds", "may fail", "fails"},
      {"is inside", "may be outside", "is outside"},
      {"is defined", "may be by zero or overflow", "is by zero or overflows"},
      {"is defined", "may be too far", "is too far"},
      {"does not overflow", "may overflow", "overflows"}};
  const std::string what =
      f.kind == CheckKind::Assertion ? fmt::format("assertion '{}'", f.what) : f.what;
  if (f.verdict == Verdict::Unreachable) return what + " is never reached";
  return what + " " + kWords[size_t(f.kind)][size_t(f.verdict) - 1];
}

void addFinding(const AbstractProgram &program, const AnalysisResult &result, const Finding &f,
                std::string &out) {
  out +=
      fmt::format("{}:{}:{}: {}: {}\n", f.file, f.line, f.column, textOf(f.verdict), sentence(f));
  if (f.verdict != Verdict::Alarm && f.verdict != Verdict::Definite) return;
  // The states of the first part that may fail; all are in --json.
  constexpr size_t kMaxFacts = 16;
  for (const CheckId id : f.checks) {
    const std::optional<statics::abstract::State> &state = result.checks[id].state;
    if (!state || state->isBottom()) continue;
    const std::vector<std::string> facts = factsOf(program, *state, program.checks[id].function);
    for (size_t i = 0; i < facts.size() && i < kMaxFacts; ++i)
      out += fmt::format("    {}\n", facts[i]);
    if (facts.size() > kMaxFacts)
      out += fmt::format("    and {} (--json)\n", counted(facts.size() - kMaxFacts, "more fact"));
    return;
  }
}

} // namespace

void applyAbstractFlags(const ScanFlags &flags, run::ScanOptions &options) {
  options.domain = domainOf(flags.domain);
  options.callDepth = flags.callDepth;
  for (const std::string &name : flags.checks) {
    if (name == "shift")
      options.checksShifts = true;
    else if (name == "overflow")
      options.checksOverflow = true;
    else
      throw UsageError(fmt::format("--checks {}: expected shift or overflow", name));
  }
}

std::string assertionsText(const run::CheckedAssertions &checked, const ScanFlags &flags,
                           Context &context) {
  std::string out;
  const AbstractProgram &program = checked.program;
  const AnalysisResult &result = checked.result;
  const std::vector<Finding> &findings = checked.findings;
  if (flags.common.json) {
    nlohmann::json unexpressed = nlohmann::json::object();
    for (const auto &[what, number] : program.unexpressed) unexpressed[what] = number;
    const nlohmann::json document = {{"checks", jsonOf(program, result, findings)},
                                     {"unexpressed", unexpressed},
                                     {"calls_shared", result.callsShared},
                                     {"partial", result.isPartial},
                                     {"domain", flags.domain}};
    return document.dump(2) + "\n";
  }
  if (!checked.partial.empty()) out += checked.partial + "\n";
  for (const Finding &f : findings)
    if (flags.common.verbose || f.verdict == Verdict::Alarm || f.verdict == Verdict::Definite)
      addFinding(program, result, f, out);
  addSummary(count(findings), out);
  for (const auto &[what, number] : program.unexpressed)
    context.log.verbose(fmt::format("not expressed: {} ({})", what, counted(number, "place")));
  return out;
}

} // namespace fathom::tool
