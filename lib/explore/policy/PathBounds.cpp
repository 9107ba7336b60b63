// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/policy/PathBounds.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/Engine.h"
#include "expr/TermVisitor.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace fathom::explore {

using evidence::LedgerCategory;

using namespace program;

namespace {

/// The inputs that the condition asks for.
std::set<std::string> asksFor(const Engine &engine, ExprPtr condition) {
  std::set<std::string> names;
  expr::TermVisitor visitor;
  if (condition)
    expr::visitPreOrder(condition, visitor, [&](ExprPtr term) {
      if (term->kind() == expr::Kind::SymbolArray) names.insert(engine.symbols.nameOf(term));
      return true;
    });
  return names;
}

} // namespace

std::vector<PointSite> PathBounds::points(const Program &program) const {
  std::vector<PointSite> out;
  for (const FunctionCode &f : program.functions)
    if (f.own && !f.code.empty()) out.push_back({f.id, 0});
  if (!limits_.rounds) return out;
  for (const PointSite &site : exits_->staying())
    if (site.inst || !program.functions[site.function].own) out.push_back(site); // not twice
  return out;
}

const PathBounds::AllRounds &PathBounds::roundsOf(const State &s) const {
  static const AllRounds kNone;
  const auto known = rounds_.find(s.decisions.last.get());
  return known == rounds_.end() ? kNone : known->second;
}

void PathBounds::decided(Engine &, State &s, const Decision &decision) {
  const void *before = s.decisions.last->previous.get();
  const auto known = rounds_.find(before);
  AllRounds rounds = before && known != rounds_.end() ? known->second : nullptr;
  const uint64_t branch = keyOf(decision.function, decision.inst);
  const LoopExits::Exit *exit =
      limits_.rounds ? exits_->at(decision.function, decision.inst) : nullptr;
  if (exit) {
    const uint64_t activation = s.top->serial;
    const uint32_t loop = exit->loop;
    const bool stays = decision.way < exit->stays.size() && exit->stays[decision.way];
    if (!stays && rounds) {
      auto left = std::make_shared<std::vector<Rounds>>(*rounds);
      std::erase_if(*left, [&](const Rounds &r) {
        return r.loop == loop && r.activation == activation && r.branch >> 32 == branch >> 32;
      });
      rounds = left->empty() ? nullptr : std::move(left);
    } else if (stays && !decision.isImplied) {
      auto more = rounds ? std::make_shared<std::vector<Rounds>>(*rounds)
                         : std::make_shared<std::vector<Rounds>>();
      const auto mine = std::ranges::find_if(
          *more, [&](const Rounds &r) { return r.branch == branch && r.activation == activation; });
      if (mine != more->end()) {
        ++mine->count;
        mine->condition = decision.condition;
      } else {
        more->push_back({branch, loop, activation, 1, decision.condition});
      }
      rounds = std::move(more);
    }
  }
  rounds_[s.decisions.last.get()] = std::move(rounds);
}

Policy::Answer PathBounds::at(Engine &engine, State &s) {
  if (limits_.branches && s.decisions.size() > limits_.branches) {
    engine.ends.abandon(s, LedgerCategory::BoundDepth,
                        fmt::format("the path has {} branches on what is not known (--max-depth)",
                                    limits_.branches));
    return Answer::Ended;
  }
  if (const AllRounds &rounds = roundsOf(s))
    for (const Rounds &r : *rounds)
      if (r.activation == s.top->serial && r.count > limits_.rounds) {
        const std::string where = engine.places.where(s);
        for (const std::string &name : asksFor(engine, r.condition))
          engine.services.ledger.add(kLoopAsksCategory, where, name);
        engine.ends.abandon(s, kLoopBoundCategory,
                            fmt::format("a loop goes on after {} (--loop-bound)",
                                        plainCount(limits_.rounds, "round")));
        return Answer::Ended;
      }
  return Answer::GoOn;
}

} // namespace fathom::explore
