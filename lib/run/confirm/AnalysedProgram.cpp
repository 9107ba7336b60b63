// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/confirm/AnalysedProgram.h"

#include "program/GlobalRanges.h"
#include "run/AnalysisBudget.h"
#include "run/confirm/ConfirmPrograms.h"
#include "run/explore/LoadExplored.h"
#include "statics/front/BuildFacts.h"
#include "statics/pointers/ModRef.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace fathom::run {

namespace {

/// What the pointer analysis says of the program's calls.
struct CallAnalysis {
  std::unique_ptr<statics::Facts> facts;
  std::unique_ptr<statics::PointsTo> pts;
  std::unique_ptr<statics::ModRef> modRef; ///< null: nothing is known

  /// Analyses the module that the program is decoded from.
  void look(const llvm::Module &module, const std::atomic<bool> &stop, Observer &observer) {
    llvm::Expected<statics::Facts> built = statics::buildFacts(module, "");
    if (!built)
      return observer.verbose("no calls are skipped: " + llvm::toString(built.takeError()));
    const auto started = std::chrono::steady_clock::now();
    facts = std::make_unique<statics::Facts>(std::move(*built));
    pts = std::make_unique<statics::PointsTo>(*facts);
    if (!statics::analysePointers(*pts, stop)) return;
    modRef = std::make_unique<statics::ModRef>(*pts, &stop);
    if (stop) modRef.reset();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    observer.verbose(fmt::format("pointers and what functions write: {:.2f} s", took.count()));
  }
};

} // namespace

llvm::Expected<AnalysedProgram> loadAnalysed(const std::vector<std::string> &inputs,
                                             const ConfirmRequest &request,
                                             const confirm::Deadline &until, Session &session) {
  AnalysedProgram out;
  CallAnalysis analysis;
  program::GlobalRanges ranges;
  const confirm::ConfirmOptions &search = request.search;
  const auto look = [&](const llvm::Module &module) {
    if (!search.assumesDistinctPointers) ranges = program::rangesOfGlobals(module);
    if (search.calls == confirm::Calls::StepIn) return;
    Limits limits = request.limits;
    limits.memoryBytes.reset(); // it is for the searches
    limits.time = partOf(until, 2);
    AnalysisBudget budget(limits, session);
    budget.begin("pointers and what functions write");
    analysis.look(module, budget.stop(), session.observer);
    budget.finish();
    out.isCut = !analysis.modRef && budget.isPartial();
    if (out.isCut && !session.interruption.stop)
      session.observer.warn("no calls are left out: the pointer analysis did not end (" +
                            budget.limit() + ")");
  };
  auto program = loadExplored(inputs, search.explore, /*mayBeLibrary=*/true, session, look);
  if (!program) return program.takeError();
  out.program = std::move(*program);
  program::noteRanges(std::move(ranges), out.program);
  if (analysis.modRef)
    out.effects = confirm::CallEffects(out.program, *analysis.pts, *analysis.modRef);
  return out;
}

} // namespace fathom::run
