// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is never freed, and files that are never closed.
//
// The pointer is followed through its function and what that calls. A statement *keeps* it if the
// pointer is freed there, returned, or stored where code outside of the function can find it. A way
// to a return without such a statement leaks. So does a way from its store to another store over
// it. If the function returns the pointer, its calls are sources too.
#include "evidence/BugKind.h"
#include "statics/checkers/Checkers.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::statics {

namespace {

class LeakChecker {
public:
  explicit LeakChecker(CheckContext &context)
      : context_(context), view_(context.view), facts_(view_.facts), flow_(view_.flow) {}

  void run() {
    for (const CallSite &site : facts_.calls) {
      const FunctionId f = view_.functionOf(site.statement);
      if (!view_.isOwn(f) || !view_.pts.isReached(f)) continue;
      if (facts_.statements[site.statement].result == kNone) continue;
      const LibraryFunction *known = view_.knownOf(site);
      const Summary *summary = view_.summaryOf(site);
      if (known && known->opens != Opens::Nothing)
        sources_.push_back(
            {site.statement, site.statement, 0, known->opens == Opens::Number ? Number : File});
      else if (summary && summary->allocates != Allocates::Nothing && !summary->maps)
        sources_.push_back({site.statement, site.statement, 0, Memory});
    }
    for (size_t i = 0; i < sources_.size() && !context_.time.isOver(); i++)
      look(Source(sources_[i]));
  }

private:
  enum What : uint8_t { Memory, File, Number };
  struct Source {
    StatementId statement, origin; ///< the call that returns it here; the one that made it
    uint32_t depth;
    What what;
  };
  struct Keepers {
    std::set<StatementId> statements; ///< after them it is not lost
    std::set<StatementId> stores;     ///< those of them that store it
    std::set<FlowNode> values;        ///< of the function: each is it, on some way
    bool isReturned = false, isStored = false;
  };

  void look(const Source &source) {
    const FunctionId f = view_.functionOf(source.statement);
    const Statement &s = facts_.statements[source.statement];
    FlowSearch search(view_, {.states = 2000, .leave = false});
    Keepers keepers;
    search.begin(s.result);
    search.run([&](const FlowSearch::State &, FlowNode, FlowKind kind,
                   uint32_t) { return kind != FlowKind::Derived; },
               [&](uint32_t id) { return visit(search, search[id], f, keepers); });
    if (search.isCut) { // nothing is known of what lies behind the bound
      context_.cut++;
      return;
    }
    if (keepers.isReturned && !keepers.isStored && source.depth < 4)
      for (const uint32_t call : view_.callers(f)) {
        const StatementId at = facts_.calls[call].statement;
        if (facts_.statements[at].result != kNone && known_.insert({at, source.what}).second)
          sources_.push_back({at, source.origin, source.depth + 1, source.what});
      }
    decide(source, f, keepers);
  }

  /// False: what lies behind this node does not matter.
  bool visit(const FlowSearch &search, const FlowSearch::State &state, FunctionId f,
             Keepers &keepers) {
    const uint32_t outer = search.outermostCall(state.stack);
    const auto keep = [&](StatementId at) {
      keepers.statements.insert(outer == kNone ? at : facts_.calls[outer].statement);
    };
    if (flow_.isTransfer(state.node)) return true;
    if (!flow_.isValue(state.node)) {
      const FlowNode from =
          state.previous == FlowSearch::kNoState ? state.node : search[state.previous].node;
      if (!flow_.isValue(from) && !flow_.isTransfer(from)) return true; // it was there before
      const Version &v = flow_.version(state.node);
      const FunctionId at = flow_.functionOf(state.node);
      if (v.kind == VersionKind::Chi && facts_.statements[v.at].kind == StatementKind::Store &&
          isOutside(at, v.region, f)) {
        keep(v.at);
        if (outer == kNone) keepers.stores.insert(v.at);
      }
      return true;
    }
    if (state.node == facts_.functions[f].returned && state.stack == 0) {
      keepers.isReturned = true;
      return true;
    }
    if (state.stack == 0) keepers.values.insert(state.node);
    for (const StatementId user : view_.users(state.node)) {
      const Statement &s = facts_.statements[user];
      const auto operands = facts_.operandsOf(s);
      if (s.kind == StatementKind::Return && state.stack == 0 && !returnedPhi(user)) keep(user);
      for (uint32_t i = 0; i < operands.size(); i++) {
        if (operands[i] != state.node) continue;
        const UseKind use = view_.useOf(user, i);
        if (use == UseKind::Freed || use == UseKind::Closed) keep(user);
        // A library function of which nothing is known may keep what it gets.
        if (use == UseKind::Passed && !view_.onlyKnownOf(facts_.calls[s.extra])) keep(user);
      }
    }
    return true;
  }

  /// Memory that is there when the function has returned.
  bool isOutside(FunctionId at, RegionId region, FunctionId f) const {
    bool outside = false;
    view_.pts.sets[flow_.memory(at).regions[region]].forEach([&](LocationId l) {
      const Object &object = view_.pts.objects[view_.pts.locations.objectOf(l)];
      outside |= object.kind != ObjectKind::Stack || (object.function != f && at == f);
    });
    return outside;
  }

  /// What is left of several return statements is one of a phi in its block; null: it is another.
  const Statement *returnedPhi(StatementId id) const {
    const Statement &s = facts_.statements[id];
    if (s.kind != StatementKind::Return || s.numOperands == 0) return nullptr;
    const Value &value = facts_.values[facts_.operandsOf(s)[0]];
    if (value.function == kNone || value.definition == kNone) return nullptr;
    const Statement &phi = facts_.statements[value.definition];
    return isPhi(phi) && phi.block == s.block ? &phi : nullptr;
  }

  bool goes(Ways &ways, StatementId begin, const Known &known, const WayEnd &end,
            const WayBars &bars) {
    const bool exists = ways.exists(begin, known, end, bars);
    isGuess_ = ways.wasGuess();
    return exists;
  }

  /// Where the function leaves with another result than what is looked for, although it returns
  /// that elsewhere: the last statement before; kNone: nowhere.
  StatementId leavesWithout(const Statement &phi, const Source &source, const Keepers &keepers,
                            const Known &known, const WayBars &bars) {
    Ways &ways = view_.ways(view_.functionOf(source.statement));
    const auto operands = facts_.operandsOf(phi);
    for (uint32_t i = 0; i < operands.size(); i++) {
      if (keepers.values.contains(operands[i])) continue;
      const BlockId from = facts_.incoming[phi.extra + i];
      if (!goes(ways, source.statement, known, WayEnd::edge(from, phi.block), bars)) continue;
      return facts_.blocks[from].last();
    }
    return kNone;
  }

  void decide(const Source &source, FunctionId f, const Keepers &keepers) {
    Ways &ways = view_.ways(f);
    const Statement &s = facts_.statements[source.statement];
    std::optional<Known> known = ways.knownAt(s.block);
    if (!known) return;
    const ValueId leader = ways.numbers.leader(s.result);
    // It is there: a number of a file is not negative.
    const bool isThere = source.what == Number ? known->assumeAtLeast(leader, 0)
                                               : known->assumeNumber(leader, 0, false);
    if (!isThere) return;
    const WayBars bars{
        .statement = [&](StatementId at) { return keepers.statements.count(at) > 0; }};
    // Where the pointer is lost is the last place of a way: the function's returns are tried.
    const Function &function = facts_.functions[f];
    for (BlockId b = function.firstBlock; b < function.firstBlock + function.numBlocks; b++) {
      const StatementId last = facts_.blocks[b].last();
      if (last == kNone || facts_.statements[last].kind != StatementKind::Return ||
          keepers.statements.count(last))
        continue;
      const Statement *phi = returnedPhi(last);
      if (phi && keepers.values.contains(phi->result)) {
        const StatementId at = leavesWithout(*phi, source, keepers, *known, bars);
        if (at == kNone) continue;
        return report(source, at,
                      "the function returns something else, and nothing points to the block");
      }
      if (goes(ways, source.statement, *known, WayEnd::at(last), bars))
        return report(source, leaving(last, source, *known, bars),
                      "the function returns, and nothing points to the block");
    }
    overwritten(source, f, keepers, *known);
  }

  /// What is left of several return statements is one, behind them all. Of those the first on such
  /// a way; `last` itself if it is none of these.
  StatementId leaving(StatementId last, const Source &source, const Known &known,
                      const WayBars &bars) {
    const Statement &s = facts_.statements[last];
    const FunctionId f = view_.functionOf(last);
    const BlockId begin = facts_.functions[f].firstBlock;
    Ways &ways = view_.ways(f);
    const std::vector<uint32_t> &before = ways.previous(s.block - begin);
    const auto branchOf = [&](uint32_t block) { return facts_.blocks[begin + block].last(); };
    // Without a result, one of them is the function's end.
    const bool isBehindAll =
        s.numOperands != 0 ? s.extra == kJoined : std::ranges::any_of(before, [&](uint32_t b) {
          return facts_.statements[branchOf(b)].place == s.place;
        });
    if (!isBehindAll) return last;
    for (const uint32_t block : before) {
      const StatementId branch = branchOf(block);
      if (facts_.blocks[begin + block].next.size() == 1 && facts_.statements[branch].place != 0 &&
          ways.exists(source.statement, known, WayEnd::edge(begin + block, s.block), bars))
        return branch;
    }
    return last;
  }

  void overwritten(const Source &source, FunctionId f, const Keepers &keepers, Known known) {
    Ways &ways = view_.ways(f);
    const Function &function = facts_.functions[f];
    for (const StatementId store : keepers.stores) {
      const ValueId address = ways.numbers.leader(facts_.operandsOf(facts_.statements[store])[0]);
      const WayBars bars{.statement = [&](StatementId at) {
        return at != store && keepers.statements.count(at) > 0;
      }};
      if (!ways.exists(source.statement, known, WayEnd::at(store), {})) continue;
      for (BlockId b = function.firstBlock; b < function.firstBlock + function.numBlocks; b++) {
        const Block &block = facts_.blocks[b];
        for (StatementId at = block.firstStatement; at < block.end(); at++) {
          const Statement &s = facts_.statements[at];
          if (s.kind != StatementKind::Store || keepers.statements.count(at)) continue;
          if (ways.numbers.leader(facts_.operandsOf(s)[0]) != address) continue;
          if (goes(ways, store, known, WayEnd::at(at), bars))
            return report(source, at,
                          "something else is stored over it, and nothing points to the block");
        }
      }
    }
  }

  void report(const Source &source, StatementId sink, const std::string &does) {
    Report out;
    out.kind = source.what == Memory ? evidence::BugKind::Leak : evidence::BugKind::HandleLeak;
    const std::string name = view_.calleeName(facts_.calls[facts_.statements[source.origin].extra]);
    const bool isMemory = source.what == Memory;
    out.steps.push_back(
        view_.step(source.origin, isMemory ? StepRole::Allocates : StepRole::Opens,
                   fmt::format("{} {} it", name, isMemory ? "allocates" : "opens")));
    if (source.origin != source.statement)
      out.steps.push_back(
          view_.step(source.statement, StepRole::Returns, "it comes back from the call"));
    out.steps.push_back(view_.step(sink, StepRole::Defect, does));
    const ReportStep &from = out.source();
    out.message =
        fmt::format("{}; {} {}", isMemory ? "memory is not freed" : "a file is not closed",
                    isMemory ? "it was allocated" : "it was opened", placeText(from));
    out.doubts = source.depth + isGuess_;
    context_.reports.add(std::move(out));
  }

  CheckContext &context_;
  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  std::vector<Source> sources_;
  std::set<std::pair<StatementId, What>> known_;
  bool isGuess_ = false; ///< the way that was found last
};

} // namespace

void checkLeaks(CheckContext &context) { LeakChecker(context).run(); }

} // namespace fathom::statics
