// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/heap/LocalHeap.h"

#include "support/DependentTasks.h"

#include <algorithm>

namespace fathom::statics::heap {

namespace {

class HeapAnalysis {
public:
  HeapAnalysis(const View &view, const RunLimits &limits)
      : view_(view), facts_(view.facts), limits_(limits), globalWrites_(view) {
    effects_.resize(facts_.functions.size());
    position_.resize(facts_.functions.size(), kNone);
    calls_.resize(facts_.functions.size());
    isOutermost_.resize(facts_.functions.size());
    for (uint32_t call = 0; call < facts_.calls.size(); call++) {
      const FunctionId caller = view_.functionOf(facts_.calls[call].statement);
      if (!isAnalysed(caller) || facts_.calls[call].summary) continue;
      for (const FunctionId callee : view_.pts.callees(call))
        if (isAnalysed(callee)) calls_[caller].push_back(callee);
    }
  }

  HeapResult run(unsigned threads, const std::atomic<bool> &stop) {
    const std::vector<FunctionId> order = calleesFirst();
    for (uint32_t i = 0; i < order.size(); i++) position_[order[i]] = i;
    std::vector<std::vector<uint32_t>> dependsOn(order.size());
    for (uint32_t i = 0; i < order.size(); i++)
      for (const FunctionId callee : calls_[order[i]])
        if (position_[callee] < i) dependsOn[i].push_back(position_[callee]);
    std::vector<Found> found(order.size());
    runTasks(dependsOn, threads, [&](uint32_t i) {
      if (!stop) analyse(order[i], found[i]);
    });
    // In one order, on however many threads they were found.
    for (uint32_t i = 0; i < order.size(); i++) collect(order[i], found[i]);
    for (FunctionId f = 0; f < effects_.size(); f++)
      if (effects_[f] && isOutermost_[f]) noteOutermost(f);
    for (FunctionId f = 0; f < effects_.size(); f++)
      if (effects_[f] && !isOutermost_[f]) noteLocal(f);
    fold();
    foldNull();
    return std::move(result_);
  }

private:
  /// Issues of one function that do not depend on its callers.
  using Found = std::vector<std::pair<Issue, Certainty>>;

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

  /// Several functions at a time, each after its callees. Reads what these wrote, and nothing else
  /// that another one may write.
  void analyse(FunctionId f, Found &found) {
    const EffectsOf effectsOf = [&](FunctionId callee) -> const FunctionEffects * {
      if (position_[callee] >= position_[f]) return nullptr;
      return effects_[callee] && effects_[callee]->isKnown ? effects_[callee].get() : nullptr;
    };
    auto made = std::make_unique<FunctionEffects>();
    FunctionRun run(view_, globalWrites_, f, limits_, effectsOf);
    run.run(*made, [&](const Issue &issue, bool isMust) {
      found.emplace_back(issue, certaintyOf(issue, isMust));
    });
    made->compact();
    effects_[f] = std::move(made);
  }

  void collect(FunctionId f, const Found &found) {
    if (!effects_[f]) {
      result_.isPartial = true;
      return;
    }
    for (const auto &[issue, certainty] : found) note(issue, certainty);
    for (const FunctionId callee : effects_[f]->skipped) isOutermost_[callee] = true;
    isOutermost_[f] = isOutermost_[f] || view_.callers(f).empty() || isMain(f);
    result_.functions++;
    result_.cut += effects_[f]->isCut;
  }

  bool isMain(FunctionId f) const { return facts_.functions[f].name == "main"; }

  /// Issues that depend on callers, of functions with a call that is not followed, or none: they
  /// are the program's, unless a caller has to pass a null pointer without which the function is
  /// right.
  void noteOutermost(FunctionId f) {
    for (const Effect &effect : effects_[f]->effects) {
      if (!effect.issue) continue;
      const Certainty certainty = certaintyOf(*effect.issue, /*isMust=*/false);
      const bool isTheirs = !isMain(f) && effect.issue->extent != Extent::OneRun &&
                            needsNull(effects_[f]->terms, effect.constraints);
      note(*effect.issue, isTheirs ? std::max(certainty, Certainty::Callers) : certainty);
    }
  }

  /// Mistakes of one function and of what it calls, of which no caller was found to take the path
  /// for certain, nor to exclude it: a bound ended the callers, or what they know of memory is of
  /// other ways.
  void noteLocal(FunctionId f) {
    for (const Effect &effect : effects_[f]->effects) {
      if (!effect.issue || !effect.issue->callers.empty()) continue;
      const Issue &issue = *effect.issue;
      if (issue.extent == Extent::Open) continue;
      if (issue.extent == Extent::SetToNull) {
        const bool isKnown = found_.contains(std::tuple(issue.kind, issue.sink, issue.source));
        if (isKnown || needsNull(effects_[f]->terms, effect.constraints)) continue;
      }
      note(issue, certaintyOf(issue, /*isMust=*/false));
    }
  }

  /// Do callers have to pass the null pointer, or memory with one in it?
  static bool needsNull(const Terms &terms, const Constraints &constraints) {
    return std::ranges::any_of(constraints.atoms(), [&](const Atom &atom) {
      const Term &t = terms[atom.condition];
      return !atom.byAccess && t.kind == TermKind::Compare && t.predicate == Predicate::Equal &&
             t.bits == 64 && terms.isInputSymbol(t.a) && terms.numberOf(t.b) == 0;
    });
  }

  static Certainty certaintyOf(const Issue &issue, bool isMust) {
    if (issue.isUnchecked || (!isMust && isOfOneCall(issue))) return Certainty::Unchecked;
    if (issue.needsFailure) return Certainty::Allocation;
    if (issue.isLookup) return Certainty::Lookup;
    return isMust ? Certainty::Must : Certainty::May;
  }

  /// One call in a loop frees what it freed the round before: on the ways through the callee that
  /// the loop takes, something is unlinked, mostly.
  static bool isOfOneCall(const Issue &issue) {
    if (issue.kind != evidence::BugKind::UseAfterFree &&
        issue.kind != evidence::BugKind::DoubleFree)
      return false;
    if (issue.steps.empty() || issue.steps.front().role != StepRole::Calls) return false;
    return std::ranges::count(issue.steps, issue.steps.front()) > 1;
  }

  void note(const Issue &issue, Certainty certainty) {
    auto [known, isNew] = found_.try_emplace(std::tuple(issue.kind, issue.sink, issue.source),
                                             HeapIssue{issue, certainty});
    if (isNew) return;
    HeapIssue &old = known->second;
    if (std::pair(certainty, issue.steps.size()) < std::pair(old.certainty, old.issue.steps.size()))
      old = {issue, certainty};
  }

  /// Do most of the callers of the function that allocates lose the block? Then it is one mistake.
  /// Of a function that only allocates, each caller has a block of its own.
  bool isLostByMost(StatementId source, size_t lost) const {
    return 2 * lost >= view_.callers(view_.functionOf(source)).size();
  }

  static bool isLeak(evidence::BugKind kind) {
    return kind == evidence::BugKind::Leak || kind == evidence::BugKind::HandleLeak;
  }

  /// In one function, what follows from one source is told once, at the first place. A block that a
  /// callee allocates and most callers lose is told once, too, and so is what follows in many
  /// places from one source: it is read once. Accesses outside of one global array in many places
  /// are one question: what holds of its indexes.
  void fold() {
    constexpr size_t kMany = 4, kManyOfArray = 8;
    using Source = std::tuple<evidence::BugKind, bool, uint32_t, Certainty>; // true: an array
    const auto sourceOf = [](const auto &key, const HeapIssue &issue, bool isOfArray) {
      const auto &[kind, sink, source] = key;
      const uint32_t id = isOfArray ? issue.issue.global : source == kNone ? sink : source;
      return Source(kind, isOfArray, id, issue.certainty);
    };
    std::map<Source, size_t> places;
    for (const auto &[key, issue] : found_)
      for (const bool isOfArray : {false, true})
        if (!isOfArray || issue.issue.global != kNone) places[sourceOf(key, issue, isOfArray)]++;
    std::map<std::tuple<evidence::BugKind, bool, uint32_t, FunctionId>, size_t> first;
    for (auto &[key, issue] : found_) {
      const auto &[kind, sink, source] = key;
      FunctionId f = view_.functionOf(sink);
      const bool isOfArray = issue.issue.global != kNone &&
                             places[sourceOf(key, issue, /*isOfArray=*/true)] >= kManyOfArray;
      const Source of = sourceOf(key, issue, isOfArray);
      const size_t count = places[of];
      const bool isOfCallee = isLeak(kind) && source != kNone && view_.functionOf(source) != f &&
                              isLostByMost(source, count);
      const bool isTogether = isOfCallee || count >= kMany;
      if (isTogether) f = kNone;
      const auto [known, isNew] =
          first.try_emplace({kind, isOfArray, std::get<2>(of), f}, result_.issues.size());
      if (isNew || (isLeak(kind) && !isTogether)) {
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

  /// A pointer that may be null for several reasons where it is used is told once.
  void foldNull() {
    std::map<std::pair<StatementId, Certainty>, size_t> first;
    std::vector<HeapIssue> kept;
    for (HeapIssue &issue : result_.issues) {
      const bool isNull = issue.issue.kind == evidence::BugKind::NullDereference;
      const auto [known, isNew] =
          isNull ? first.try_emplace({issue.issue.sink, issue.certainty}, kept.size())
                 : std::pair(first.end(), true);
      if (isNew) {
        kept.push_back(std::move(issue));
        continue;
      }
      HeapIssue &old = kept[known->second];
      if (issue.issue.source != kNone)
        old.alsoFrom.emplace_back(issue.issue.sourceRole, issue.issue.source);
      for (const StatementId also : issue.alsoAt)
        if (std::ranges::find(old.alsoAt, also) == old.alsoAt.end()) old.alsoAt.push_back(also);
    }
    result_.issues = std::move(kept);
  }

  const View &view_;
  const Facts &facts_;
  const RunLimits limits_;
  const GlobalWrites globalWrites_;
  std::vector<std::unique_ptr<FunctionEffects>> effects_; ///< by function
  std::vector<std::vector<FunctionId>> calls_;
  std::vector<uint32_t> position_; ///< by function: callees before callers; kNone: not analysed
  std::vector<bool> isOutermost_;  ///< not all of its calls are followed, or it has none
  std::map<std::tuple<evidence::BugKind, StatementId, StatementId>, HeapIssue> found_;
  HeapResult result_;
};

} // namespace

HeapResult analyseLocalHeaps(const View &view, const RunLimits &limits, unsigned threads,
                             const std::atomic<bool> &stop) {
  return HeapAnalysis(view, limits).run(threads, stop);
}

} // namespace fathom::statics::heap
