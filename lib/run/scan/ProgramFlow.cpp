// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/scan/ProgramFlow.h"

#include "run/Failure.h"

#include <fmt/format.h>

#include <chrono>

namespace fathom::run {

static double secondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

llvm::Error analysePointers(ProgramPointers &out, const llvm::Module &module,
                            const std::string &entry, AnalysisBudget &budget, Session &session) {
  llvm::Expected<statics::Facts> facts = asUsage(statics::buildFacts(module, entry));
  if (!facts) return facts.takeError();
  out.facts = std::move(*facts);
  const auto begin = std::chrono::steady_clock::now();
  budget.begin("points-to sets");
  out.pts = std::make_unique<statics::PointsTo>(out.facts);
  const statics::PointsTo &pts = *out.pts;
  statics::analysePointers(*out.pts, budget.stop());
  session.observer.verbose(fmt::format(
      "points-to: {} nodes, {} merged, {} copies, {} waves, {} locations, {} sets, {:.2f} s",
      pts.stats.nodes, pts.stats.merged, pts.stats.copies, pts.stats.waves, pts.locations.count(),
      pts.sets.size(), secondsSince(begin)));
  if (pts.stats.contentsJoined > 0)
    session.observer.verbose(
        fmt::format("points-to: the contents of {} locations are joined, because "
                    "sets are large: they are less precise",
                    pts.stats.contentsJoined));
  return llvm::Error::success();
}

llvm::Error analyseFlow(ProgramFlow &out, const llvm::Module &module, const std::string &entry,
                        AnalysisBudget &budget, Session &session) {
  if (llvm::Error e = analysePointers(out, module, entry, budget, session)) return e;
  const auto begin = std::chrono::steady_clock::now();
  budget.begin("what functions read and write");
  out.modRef = std::make_unique<statics::ModRef>(*out.pts, &budget.stop());
  const double ofModRef = secondsSince(begin);
  const auto middle = std::chrono::steady_clock::now();
  out.flow = std::make_unique<statics::ValueFlow>(*out.pts, *out.modRef);
  budget.begin("memory SSA and value flow");
  out.flow->build(budget.stop());
  session.observer.verbose(fmt::format(
      "mod/ref: {:.2f} s; value flow: {} nodes, {} edges, {:.2f} s", ofModRef,
      out.flow->graph().numNodes(), out.flow->graph().numEdges(), secondsSince(middle)));
  return llvm::Error::success();
}

} // namespace fathom::run
