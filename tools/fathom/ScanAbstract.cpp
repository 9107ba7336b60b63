// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScanAbstract.h"

#include "statics/abstract/ResultText.h"
#include "statics/translate/Translate.h"
#include "support/NumberText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fathom::tool {

namespace {

using namespace statics::abstract;

DomainKind domainOf(const std::string &name) {
  if (name == "intervals") return DomainKind::Intervals;
  if (name == "zones") return DomainKind::Zones;
  if (name == "octagons") return DomainKind::Octagons;
  if (name == "product") return DomainKind::Product;
  throw UsageError(
      fmt::format("--domain {}: expected intervals, zones, octagons or product", name));
}

/// --checks shift,overflow: these beside the others.
statics::TranslateOptions translateOptions(const ScanFlags &flags) {
  statics::TranslateOptions out;
  out.entry = flags.entry;
  for (const std::string &name : flags.checks) {
    if (name == "shift")
      out.checkShifts = true;
    else if (name == "overflow")
      out.checkOverflow = true;
    else
      throw UsageError(fmt::format("--checks {}: expected shift or overflow", name));
  }
  return out;
}

AnalysisOptions analysisOptions(const ScanFlags &flags) {
  AnalysisOptions out;
  out.domain = domainOf(flags.domain);
  out.mostCalls = flags.callDepth;
  return out;
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
      if (const std::optional<State> &state = result.checks[id].state; state && !state->isBottom())
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

void printSummary(const Counts &counts) {
  constexpr const char *kNames[][2] = {{"assertion", "assertions"},
                                       {"access", "accesses"},
                                       {"division", "divisions"},
                                       {"shift", "shifts"},
                                       {"signed operation", "signed operations"}};
  for (size_t kind = 0; kind < 5; ++kind) {
    const uint64_t(&n)[4] = counts.of[kind];
    const uint64_t all = n[0] + n[1] + n[2] + n[3];
    if (!all) continue;
    fmt::print("{} {}: {} proved, {} unreachable, {}, {} definite\n", grouped(double(all)),
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

void printFinding(const AbstractProgram &program, const AnalysisResult &result, const Finding &f) {
  fmt::print("{}:{}:{}: {}: {}\n", f.file, f.line, f.column, textOf(f.verdict), sentence(f));
  if (f.verdict != Verdict::Alarm && f.verdict != Verdict::Definite) return;
  // The states of the first part that may fail; all are in --json.
  constexpr size_t kMaxFacts = 16;
  for (const CheckId id : f.checks) {
    const std::optional<State> &state = result.checks[id].state;
    if (!state || state->isBottom()) continue;
    const std::vector<std::string> facts = factsOf(program, *state, program.checks[id].function);
    for (size_t i = 0; i < facts.size() && i < kMaxFacts; ++i) fmt::print("    {}\n", facts[i]);
    if (facts.size() > kMaxFacts)
      fmt::print("    and {} (--json)\n", counted(facts.size() - kMaxFacts, "more fact"));
    return;
  }
}

/// The budget may not be over yet: what is left after each function on its own is not used.
void reportPartial(const AbstractProgram &program, const AnalysisResult &result, ScanBudget &budget,
                   const ScanFlags &flags, Context &context) {
  const auto all =
      std::count_if(program.functions.begin(), program.functions.end(),
                    [](const Function &f) { return !f.blocks.empty() && f.copyOf == kNoId; });
  const std::string text = fmt::format(
      "partial result: {} of {} were analysed, each on its own; what is in others is an alarm",
      result.functionsAnalysed, counted(uint64_t(all), "function"));
  budget.markPartial();
  context.log.warn(fmt::format("{}: {}", budget.limit(), text));
  if (!flags.common.json) fmt::print("{}\n", text);
}

} // namespace

void checkAbstractFlags(const ScanFlags &flags) {
  (void)domainOf(flags.domain);
  (void)translateOptions(flags);
}

int scanAssertions(const llvm::Module &module, const ScanFlags &flags, ScanBudget &budget,
                   Context &context) {
  const AbstractProgram program = statics::translate(module, translateOptions(flags));
  budget.begin("abstract interpretation");
  const AnalysisResult result =
      analyse(program, analysisOptions(flags), [&] { return budget.share(); });
  budget.finish();
  if (result.isPartial) reportPartial(program, result, budget, flags, context);
  const std::vector<Finding> findings = findingsOf(program, result);
  const Counts counts = count(findings);
  bool isClean = true;
  for (const Finding &f : findings)
    isClean &= f.verdict == Verdict::Proved || f.verdict == Verdict::Unreachable;
  if (flags.common.json) {
    nlohmann::json unexpressed = nlohmann::json::object();
    for (const auto &[what, number] : program.unexpressed) unexpressed[what] = number;
    const nlohmann::json out = {{"checks", jsonOf(program, result, findings)},
                                {"unexpressed", unexpressed},
                                {"calls_shared", result.callsShared},
                                {"partial", result.isPartial},
                                {"domain", flags.domain}};
    fmt::print("{}\n", out.dump(2));
  } else {
    for (const Finding &f : findings)
      if (flags.common.verbose || f.verdict == Verdict::Alarm || f.verdict == Verdict::Definite)
        printFinding(program, result, f);
    printSummary(counts);
    for (const auto &[what, number] : program.unexpressed)
      context.log.verbose(fmt::format("not expressed: {} ({})", what, counted(number, "place")));
  }
  return flags.common.failOnFindings && !isClean ? kFindings : kDone;
}

void printAbstract(llvm::Module &module, const PrintRequest &request, const ScanFlags &flags,
                   ScanBudget &budget, Context &context) {
  const AbstractProgram program = statics::translate(module, translateOptions(flags));
  AnalysisOptions options = analysisOptions(flags);
  options.keepStates = true;
  budget.begin("abstract interpretation");
  const AnalysisResult result = analyse(program, options, [&] { return budget.share(); });
  budget.finish();
  if (result.isPartial) reportPartial(program, result, budget, flags, context);
  bool found = false;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    const Function &function = program.functions[f];
    if (function.blocks.empty() || function.copyOf != kNoId) continue;
    if (!request.function.empty() && function.name != request.function) continue;
    found = true;
    if (flags.common.verbose) fmt::print("{}", textOf(program, function));
    fmt::print("{}", statesText(program, result, f));
  }
  if (!found && !request.function.empty())
    throw UsageError(fmt::format("--print abstract:{}: the program has no function of its own with "
                                 "this name",
                                 request.function));
}

} // namespace fathom::tool
