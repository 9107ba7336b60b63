// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/ScanAssertions.h"

#include "run/scan/LoadScanned.h"
#include "statics/translate/Translate.h"
#include "support/NumberText.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

using statics::abstract::AbstractProgram;
using statics::abstract::AnalysisResult;
using statics::abstract::Verdict;

static statics::TranslateOptions translateOptions(const ScanOptions &options) {
  statics::TranslateOptions out;
  out.entry = options.entry;
  out.checkShifts = options.checksShifts;
  out.checkOverflow = options.checksOverflow;
  return out;
}

static statics::abstract::AnalysisOptions analysisOptions(const ScanOptions &options) {
  statics::abstract::AnalysisOptions out;
  out.domain = options.domain;
  out.mostCalls = options.callDepth;
  return out;
}

static bool isHarmless(const statics::abstract::Finding &f) {
  return f.verdict == Verdict::Proved || f.verdict == Verdict::Unreachable;
}

/// The budget may not be over yet: what is left after each function on its own is not used.
static std::string reportPartial(const AbstractProgram &program, const AnalysisResult &result,
                                 AnalysisBudget &budget, Session &session) {
  const auto all = std::count_if(program.functions.begin(), program.functions.end(),
                                 [](const statics::abstract::Function &f) {
                                   return !f.blocks.empty() && f.copyOf == statics::abstract::kNoId;
                                 });
  std::string text = fmt::format(
      "partial result: {} of {} were analysed, each on its own; what is in others is an alarm",
      result.functionsAnalysed, counted(uint64_t(all), "function"));
  budget.markPartial();
  session.observer.warn(fmt::format("{}: {}", budget.limit(), text));
  return text;
}

std::vector<statics::abstract::Finding> CheckedAssertions::alarms() const {
  std::vector<statics::abstract::Finding> out;
  for (statics::abstract::Finding f : findings) {
    if (isHarmless(f)) continue;
    // An analysis that its budget ended has no states for what it never got to.
    std::erase_if(f.checks, [&](statics::abstract::CheckId id) {
      const std::optional<statics::abstract::State> &state = result.checks[id].state;
      return state ? state->isBottom() : !result.isPartial;
    });
    out.push_back(std::move(f));
  }
  return out;
}

bool CheckedAssertions::isClean() const { return std::ranges::all_of(findings, isHarmless); }

llvm::Expected<std::unique_ptr<CheckedAssertions>> scanAssertions(const ScanOptions &options,
                                                                  Session &session) {
  AnalysisBudget budget(options.limits, session);
  budget.begin("reading the program");
  llvm::LLVMContext context;
  auto module = loadScanned(context, options.programs, options.entry);
  if (!module) return module.takeError();
  auto out = std::make_unique<CheckedAssertions>();
  budget.begin("abstract interpretation");
  out->program = statics::translate(**module, translateOptions(options));
  out->result = statics::abstract::analyse(out->program, analysisOptions(options),
                                           [&] { return budget.share(); });
  budget.finish();
  if (out->result.isPartial)
    out->partial = reportPartial(out->program, out->result, budget, session);
  out->findings = statics::abstract::findingsOf(out->program, out->result);
  out->isPartial = budget.isPartial();
  return out;
}

AbstractStates abstractStates(const llvm::Module &module, const ScanOptions &options,
                              const std::string &name, bool withCode, AnalysisBudget &budget,
                              Session &session) {
  AbstractStates out;
  const AbstractProgram program = statics::translate(module, translateOptions(options));
  statics::abstract::AnalysisOptions analysis = analysisOptions(options);
  analysis.keepStates = true;
  budget.begin("abstract interpretation");
  const AnalysisResult result =
      statics::abstract::analyse(program, analysis, [&] { return budget.share(); });
  budget.finish();
  if (result.isPartial) out.partial = reportPartial(program, result, budget, session);
  for (statics::abstract::FunctionId f = 0; f < program.functions.size(); ++f) {
    const statics::abstract::Function &function = program.functions[f];
    if (function.blocks.empty() || function.copyOf != statics::abstract::kNoId) continue;
    if (!name.empty() && function.name != name) continue;
    out.isFound = true;
    if (withCode) out.text += textOf(program, function);
    out.text += statesText(program, result, f);
  }
  return out;
}

} // namespace fathom::run
