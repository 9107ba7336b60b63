// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/checkers/FreedReport.h"

#include "evidence/BugKind.h"

#include <fmt/format.h>

namespace fathom::statics {

namespace {

std::string calleeAt(const View &view, StatementId call) {
  return view.calleeName(view.facts.calls[view.facts.statements[call].extra]);
}

/// What a wrapper of free does inside.
std::vector<ReportStep> wrapperSteps(const View &view, StatementId free) {
  std::vector<ReportStep> steps;
  const auto wrapperAt = [&](StatementId call) {
    return view.freeWrapperOf(view.facts.calls[view.facts.statements[call].extra]);
  };
  for (const FreeWrapper *at = wrapperAt(free); at; at = wrapperAt(at->release))
    steps.push_back(
        view.step(at->release, StepRole::PassesOn,
                  fmt::format("the pointer is passed to {}", calleeAt(view, at->release))));
  return steps;
}

std::string sinkText(const View &view, const FreedUse &use, bool isFile) {
  if (use.again) return isFile ? "the file is closed again" : "the memory is freed again";
  const char *memory = isFile ? "the closed file" : "freed memory";
  switch (view.useOf(use.sink, use.operand)) {
  case UseKind::Read: return fmt::format("{} is read", memory);
  case UseKind::Written: return fmt::format("{} is written", memory);
  default: return fmt::format("{} is passed to {}", memory, calleeAt(view, use.sink));
  }
}

} // namespace

Report freedReport(const View &view, const FreedUse &use) {
  const bool isFile = view.useOf(use.free, 0) == UseKind::Closed;
  Report out;
  out.kind = use.again && !isFile ? evidence::BugKind::DoubleFree : evidence::BugKind::UseAfterFree;
  out.doubts = use.doubts;
  out.steps.push_back(
      view.step(use.free, isFile ? StepRole::Closes : StepRole::Frees,
                isFile ? "the file is closed here"
                       : fmt::format("{} frees the memory", calleeAt(view, use.free))));
  for (ReportStep &step : wrapperSteps(view, use.free)) out.steps.push_back(std::move(step));
  for (const auto &[call, callee] : use.calls)
    out.steps.push_back(view.step(
        call, StepRole::Returns,
        fmt::format("{} was called here and returns", view.facts.functions[callee].shownName)));
  if (use.search)
    addSteps(view, *use.search, use.state, isFile ? "the closed file" : "the freed pointer",
             out.steps);
  const std::string does = sinkText(view, use, isFile);
  out.steps.push_back(view.step(use.sink, StepRole::Defect, does));
  if (use.again)
    for (ReportStep &step : wrapperSteps(view, use.sink)) out.alsoAt.add(std::move(step));
  out.message =
      fmt::format("{}; it was {} {}", does, isFile ? "closed" : "freed", placeText(out.source()));
  return out;
}

} // namespace fathom::statics
