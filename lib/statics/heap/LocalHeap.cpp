// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/LocalHeap.h"

#include <algorithm>

namespace fathom::statics::heap {

namespace {

class HeapAnalysis {
public:
  HeapAnalysis(View &view, const RunLimits &limits)
      : view_(view), facts_(view.facts), limits_(limits) {
    effects_.resize(facts_.functions.size());
    calls_.resize(facts_.functions.size());
    for (uint32_t call = 0; call < facts_.calls.size(); call++) {
      const FunctionId caller = view_.functionOf(facts_.calls[call].statement);
      if (!isAnalysed(caller) || facts_.calls[call].summary) continue;
      for (const FunctionId callee : view_.pts.callees(call))
        if (isAnalysed(callee)) calls_[caller].push_back(callee);
    }
  }

  HeapResult run(const std::atomic<bool> &stop) {
    for (const FunctionId f : calleesFirst()) {
      if (stop) {
        result_.isPartial = true;
        break;
      }
      analyse(f);
    }
    fold();
    return std::move(result_);
  }

private:
  bool isAnalysed(FunctionId f) const {
    return view_.isOwn(f) && facts_.functions[f].numBlocks > 0 && !facts_.functions[f].summary &&
           view_.pts.isReached(f);
  }

  /// Calls that close a cycle are of functions that come later: they are not known there.
  std::vector<FunctionId> calleesFirst() const {
    std::vector<FunctionId> out;
    std::vector<bool> seen(facts_.functions.size());
    for (FunctionId root = 0; root < facts_.functions.size(); root++) {
      if (!isAnalysed(root) || seen[root]) continue;
      std::vector<std::pair<FunctionId, size_t>> stack{{root, 0}};
      seen[root] = true;
      while (!stack.empty()) {
        auto &[f, next] = stack.back();
        if (next < calls_[f].size()) {
          const FunctionId callee = calls_[f][next++];
          if (!seen[callee]) {
            seen[callee] = true;
            stack.emplace_back(callee, 0);
          }
          continue;
        }
        out.push_back(f);
        stack.pop_back();
      }
    }
    return out;
  }

  void analyse(FunctionId f) {
    const EffectsOf effectsOf = [&](FunctionId callee) -> const FunctionEffects * {
      return effects_[callee] && effects_[callee]->isKnown ? effects_[callee].get() : nullptr;
    };
    auto made = std::make_unique<FunctionEffects>();
    FunctionRun run(view_, f, limits_, effectsOf);
    run.run(*made, [&](const Issue &issue, bool isMust) {
      note(issue, issue.needsFailure ? Certainty::Allocation
                  : issue.isLookup   ? Certainty::Lookup
                  : isMust           ? Certainty::Must
                                     : Certainty::May);
    });
    // Nobody here calls it: what depends on callers is theirs, but that of main is the program's.
    const bool isMain = facts_.functions[f].name == "main";
    if (view_.callers(f).empty() || isMain)
      for (const Effect &effect : made->effects)
        if (effect.issue)
          note(*effect.issue, effect.issue->needsFailure ? Certainty::Allocation
                              : !isMain                  ? Certainty::Callers
                              : effect.issue->isLookup   ? Certainty::Lookup
                                                         : Certainty::May);
    result_.functions++;
    result_.cut += made->isCut;
    effects_[f] = std::move(made);
  }

  void note(const Issue &issue, Certainty certainty) {
    auto [known, isNew] = found_.try_emplace(std::tuple(issue.kind, issue.sink, issue.source),
                                             HeapIssue{issue, certainty});
    if (isNew) return;
    HeapIssue &old = known->second;
    if (std::pair(certainty, issue.steps.size()) < std::pair(old.certainty, old.issue.steps.size()))
      old = {issue, certainty};
  }

  /// In one function, what follows from one source is told once, at the first place.
  void fold() {
    std::map<std::tuple<evidence::BugKind, StatementId, FunctionId>, size_t> first;
    for (auto &[key, issue] : found_) {
      const auto &[kind, sink, source] = key;
      const bool isLeak = kind == evidence::BugKind::Leak || kind == evidence::BugKind::HandleLeak;
      const auto [known, isNew] = first.try_emplace(
          {kind, source == kNone ? sink : source, view_.functionOf(sink)}, result_.issues.size());
      if (isNew || isLeak) {
        result_.issues.push_back(std::move(issue));
        continue;
      }
      HeapIssue &kept = result_.issues[known->second];
      if (issue.certainty < kept.certainty) {
        std::swap(kept, issue);
        kept.alsoAt = std::move(issue.alsoAt);
      }
      kept.alsoAt.push_back(issue.issue.sink);
    }
  }

  View &view_;
  const Facts &facts_;
  const RunLimits limits_;
  std::vector<std::unique_ptr<FunctionEffects>> effects_; ///< by function
  std::vector<std::vector<FunctionId>> calls_;
  std::map<std::tuple<evidence::BugKind, StatementId, StatementId>, HeapIssue> found_;
  HeapResult result_;
};

} // namespace

HeapResult analyseLocalHeaps(View &view, const RunLimits &limits, const std::atomic<bool> &stop) {
  return HeapAnalysis(view, limits).run(stop);
}

} // namespace fathom::statics::heap
