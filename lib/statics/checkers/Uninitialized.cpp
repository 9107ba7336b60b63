// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of variables that were not written. Variables whose address is not taken are SSA values.
// Before the first write they hold the undefined value, which the checker follows through phis (the
// values that meet where ways join) to the first statement that uses it. For variables in memory,
// it reports loads of memory that nothing in the function has written: by memory SSA
// (valueflow/MemorySsa.h), of the version that the memory had when the function began.
#include "evidence/BugKind.h"
#include "statics/checkers/Checkers.h"

#include <fmt/format.h>

namespace fathom::statics {

namespace {

class UninitializedChecker {
public:
  explicit UninitializedChecker(CheckContext &context)
      : context_(context), view_(context.view), facts_(view_.facts), flow_(view_.flow) {}

  void run() {
    for (StatementId s = 0; s < facts_.statements.size() && !context_.time.isOver(); s++) {
      const FunctionId f = view_.functionOf(s);
      if (!view_.isOwn(f) || !view_.pts.isReached(f)) continue;
      if (facts_.statements[s].kind == StatementKind::Copy) look(s);
      if (facts_.statements[s].kind == StatementKind::Load) lookAtMemory(s, f);
    }
  }

private:
  /// A value that is undefined. The value of a phi: only where control came along the edge from
  /// `from` to `to`.
  struct State {
    ValueId value;
    BlockId from = kNone, to = kNone;
    bool operator<(const State &other) const {
      return std::tie(value, from, to) < std::tie(other.value, other.from, other.to);
    }
  };

  void look(StatementId id) {
    const Statement &s = facts_.statements[id];
    if (s.result == kNone) return;
    const auto operands = facts_.operandsOf(s);
    std::vector<State> begins;
    for (uint32_t i = 0; i < operands.size(); i++) {
      if (operands[i] != kUndefinedValue) continue;
      if (isPhi(s))
        begins.push_back({s.result, facts_.incoming[s.extra + i], s.block});
      else
        begins.push_back({s.result});
    }
    if (!begins.empty()) follow(id, std::move(begins));
  }

  /// What branches say where the value gets its content: `while (p && (c = getchar()) != EOF)`
  /// leaves a phi that is false on the edge along which c is undefined.
  std::optional<Known> knownAt(Ways &ways, const State &state) {
    if (state.from != kNone) return ways.knownBehind(state.from, state.to);
    return ways.knownAt(facts_.statements[facts_.values[state.value].definition].block);
  }

  /// Paths on which all branches count come first; the others have a doubt.
  void follow(StatementId source, std::vector<State> open) {
    std::vector<State> guessed;
    std::set<State> seen(open.begin(), open.end());
    Ways &ways = view_.ways(view_.functionOf(source));
    const auto spread = [&](const State &at, bool isGuess) {
      const StatementId from = facts_.values[at.value].definition;
      const std::optional<Known> known = knownAt(ways, at);
      if (!known) return;
      for (const StatementId user : view_.users(at.value)) {
        const Statement &s = facts_.statements[user];
        if (s.kind != StatementKind::Copy) {
          if (ways.exists(from, *known, WayEnd::at(user), barsOf(view_, at.value)))
            report(source, user, "a variable is read that was not written on some way here",
                   isGuess || ways.wasGuess());
          continue;
        }
        for (const WayEnd &end : endsOfEdge(view_, at.value, s.result, FlowKind::Direct, 0)) {
          const State next{s.result, end.from, end.to};
          if (seen.contains(next) || !ways.exists(from, *known, end, barsOf(view_, at.value)))
            continue;
          const bool guesses = isGuess || ways.wasGuess();
          if (!guesses) seen.insert(next);
          (guesses ? guessed : open).push_back(next);
        }
      }
    };
    while (!open.empty() || !guessed.empty()) {
      const bool isGuess = open.empty();
      std::vector<State> &from = isGuess ? guessed : open;
      const State at = from.back();
      from.pop_back();
      if (isGuess && !seen.insert(at).second) continue;
      spread(at, isGuess);
    }
  }

  void lookAtMemory(StatementId load, FunctionId f) {
    const MemorySsa &ssa = flow_.memory(f);
    const auto mus = ssa.musOf(load);
    if (mus.size() != 1) return;
    const Version &v = ssa.versions[mus[0].version];
    if (v.kind != VersionKind::Entry) return;
    const SparseBits &region = view_.pts.sets[ssa.regions[v.region]];
    if (region.count() != 1) return;
    const Object &object = view_.pts.objects[view_.pts.locations.objectOf(region.first())];
    if (object.kind != ObjectKind::Stack || object.function != f || flow_.modRef.isRecursive(f) ||
        object.site == kNone)
      return;
    // The caller writes a structure that is passed by value before the function begins.
    if (object.isByValueParameter) return;
    report(object.site, load, "a variable is read that was not written", /*doubts=*/0);
  }

  void report(StatementId source, StatementId sink, const std::string &does, uint32_t doubts) {
    Report out;
    out.kind = evidence::BugKind::UninitializedRead;
    out.steps.push_back(view_.step(source, StepRole::Unwritten, "the variable has no value yet"));
    out.steps.push_back(view_.step(sink, StepRole::Defect, does));
    out.message = does;
    out.doubts = doubts;
    context_.reports.add(std::move(out));
  }

  CheckContext &context_;
  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
};

} // namespace

void checkUninitialized(CheckContext &context) { UninitializedChecker(context).run(); }

} // namespace fathom::statics
