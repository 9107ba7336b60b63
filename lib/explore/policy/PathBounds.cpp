// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/policy/PathBounds.h"

#include "explore/decide/Engine.h"
#include "expr/TermVisitor.h"
#include "program/CodeFlow.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace fathom::explore {

using namespace program;

namespace {

/// Where each way of a branch or switch leads, by the numbers that decisions have. Empty: it is
/// neither.
std::vector<uint32_t> waysOf(const FunctionCode &f, const Inst &branch) {
  if (branch.op == Op::CondJmp) return {branch.d, branch.c};
  if (branch.op != Op::Switch) return {};
  const SwitchTable &table = f.switches[branch.imm];
  std::vector<uint32_t> ways{table.defaultTarget};
  for (size_t i = 0; i < table.sides.size(); ++i) {
    ways.resize(std::max<size_t>(ways.size(), table.sides[i] + 1), table.defaultTarget);
    if (table.sides[i]) ways[table.sides[i]] = table.targets[i];
  }
  return ways;
}

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

void PathBounds::addExits(const FunctionCode &f, std::vector<PointSite> &points) const {
  const CodeFlow flow(f);
  std::vector<uint32_t> stay;
  for (const CodeLoop &loop : flow.loops())
    for (auto &[from, to] : loop.exits) {
      const uint32_t branch = flow.blocks()[from].last;
      const uint32_t innermost = flow.loopOf(from);
      if (innermost == kNoIndex || &flow.loops()[innermost] != &loop) continue;
      Exit exit{flow.blocks()[loop.header].first, {}};
      for (uint32_t target : waysOf(f, f.code[branch])) {
        const bool stays = std::ranges::binary_search(loop.blocks, flow.blockOf(target));
        exit.stays.push_back(stays);
        if (stays) stay.push_back(target);
      }
      if (!exit.stays.empty()) exits_[keyOf(f.id, branch)] = std::move(exit);
    }
  std::ranges::sort(stay);
  stay.erase(std::unique(stay.begin(), stay.end()), stay.end());
  for (uint32_t inst : stay)
    if (inst || !f.own) points.push_back({f.id, inst}); // the first one is a point anyway
}

std::vector<PointSite> PathBounds::points(const Program &program) const {
  std::vector<PointSite> out;
  for (const FunctionCode &f : program.functions) {
    if (f.code.empty()) continue;
    if (f.own) out.push_back({f.id, 0});
    if (limits_.rounds) addExits(f, out);
  }
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
  const auto exit = exits_.find(branch);
  if (exit != exits_.end()) {
    const uint64_t activation = s.top->serial;
    const uint32_t loop = exit->second.loop;
    const bool stays = decision.way < exit->second.stays.size() && exit->second.stays[decision.way];
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
    engine.ends.abandon(s, "bound-depth",
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
        engine.ends.abandon(
            s, kLoopBoundCategory,
            fmt::format("a loop goes on after {} rounds (--loop-bound)", limits_.rounds));
        return Answer::Ended;
      }
  return Answer::GoOn;
}

} // namespace fathom::explore
