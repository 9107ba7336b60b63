// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of variables that were not written. Variables whose address nobody takes are values: what
// they hold before the first write is the undefined value, which is followed through phis to the
// first statement that does something with it. Of variables in memory, loads of the version with
// which the function began are reported.
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
  void look(StatementId id) {
    const Statement &s = facts_.statements[id];
    const auto operands = facts_.operandsOf(s);
    for (const ValueId operand : operands)
      if (operand == kUndefinedValue && s.result != kNone) {
        follow(id, s.result);
        return;
      }
  }

  /// Paths on which all branches count come first; the others have a doubt.
  void follow(StatementId source, ValueId value) {
    std::vector<ValueId> open{value}, guessed;
    std::set<ValueId> seen{value};
    Ways &ways = view_.ways(view_.functionOf(source));
    const auto spread = [&](ValueId at, bool isGuess) {
      const StatementId from = facts_.values[at].definition;
      for (const StatementId user : view_.users(at)) {
        const Statement &s = facts_.statements[user];
        if (s.kind != StatementKind::Copy) {
          if (ways.exists(from, WayEnd::at(user), barsOf(view_, at)))
            report(source, user, "a variable is read that was not written on some way here",
                   isGuess || ways.wasGuess());
          continue;
        }
        for (const WayEnd &end : endsOfEdge(view_, at, s.result, FlowKind::Direct, 0)) {
          if (seen.contains(s.result) || !ways.exists(from, end, barsOf(view_, at))) continue;
          const bool guesses = isGuess || ways.wasGuess();
          if (!guesses) seen.insert(s.result);
          (guesses ? guessed : open).push_back(s.result);
        }
      }
    };
    while (!open.empty() || !guessed.empty()) {
      const bool isGuess = open.empty();
      std::vector<ValueId> &from = isGuess ? guessed : open;
      const ValueId at = from.back();
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
    // A structure that is passed by value is written before the function begins.
    if (object.name.find(".parameter") != std::string::npos) return;
    report(object.site, load, "a variable is read that was not written", /*doubts=*/0);
  }

  void report(StatementId source, StatementId sink, const std::string &does, uint32_t doubts) {
    Report out;
    out.kind = DefectKind::UninitializedRead;
    out.steps.push_back(view_.step(source, "the variable has no value yet"));
    out.steps.push_back(view_.step(sink, does));
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
