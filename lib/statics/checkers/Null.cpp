// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Null dereference: of a null constant, of what a failed allocation or a lookup returns, and behind
// a check that lets null through.
//
// A 0 of a pointer's width may become a pointer by a cast, but not by being stored as a number and
// read as a pointer: C's rules of effective types forbid that, and points-to sets that take members
// for each other make it look as if many programs did so.
//
// From each source the value is followed along the value-flow graph. An edge is taken only if there
// is a way to it, from where its node got its content, on which no branch says that it is not null.
//
// A sink is an access before which no other access through the same pointer comes on every way. The
// search for sinks therefore does not go on after an access. If it finds one, a second search
// lists what comes later, so that the report can name it.
#include "evidence/BugKind.h"
#include "statics/checkers/Accesses.h"
#include "statics/checkers/Checkers.h"
#include "statics/checkers/Overwrites.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace fathom::statics {

namespace {

class NullChecker {
public:
  explicit NullChecker(CheckContext &context)
      : context_(context), view_(context.view), facts_(view_.facts), flow_(view_.flow),
        accesses_(view_), overwrites_(view_) {}

  void run() {
    for (StatementId s = 0; s < facts_.statements.size() && !context_.time.isOver(); s++) {
      const FunctionId f = view_.functionOf(s);
      if (view_.isOwn(f) && view_.pts.isReached(f)) begin(s);
    }
    nearest_.giveTo(context_.reports);
  }

private:
  static constexpr const char *kSince = "it is null", *kReturned = "null is returned";
  struct Source {
    StatementId statement;
    StepRole role;
    std::string text;             ///< of its step
    std::string message;          ///< "it is null", "malloc may return null"
    FlowNode node = kNone;        ///< that is null after the statement
    std::optional<Known> known{}; ///< where the node gets it; nullopt: what branches before it say
    uint32_t serial = 0;
    bool isNumber = false; ///< an integer 0
    PlaceId place = 0;     ///< of its step; 0: the statement's
    bool isBefore = false; ///< the statement is where it is still null
  };

  void begin(StatementId id) {
    const Statement &s = facts_.statements[id];
    const auto operands = facts_.operandsOf(s);
    if (s.kind == StatementKind::Call && s.result != kNone) beginCall(id);
    if (s.kind == StatementKind::Branch) beginBranch(id);
    for (uint32_t i = 0; i < operands.size(); i++)
      if (operands[i] == kNullValue || operands[i] == kZeroValue) beginConstant(id, i);
  }

  void beginCall(StatementId id) {
    const Statement &s = facts_.statements[id];
    const CallSite &site = facts_.calls[s.extra];
    if (!view_.mayReturnNull(site)) return;
    const std::string name = view_.calleeName(site);
    look({id, StepRole::MaybeNull, fmt::format("{} may return null", name),
          fmt::format("{} may return null", name), flow_.ofValue(s.result)});
  }

  /// `if (p == 0) ...` and on the null side p is used.
  void beginBranch(StatementId id) {
    const Statement &s = facts_.statements[id];
    if (s.numOperands == 0 || s.extra != kNone) return;
    Ways &ways = view_.ways(view_.functionOf(id));
    const StatementId at = facts_.values[facts_.operandsOf(s)[0]].definition;
    if (at == kNone || facts_.statements[at].kind != StatementKind::Compare) return;
    const auto sides = facts_.operandsOf(facts_.statements[at]);
    if (sides[1] != kNullValue || !facts_.values[sides[0]].mayPoint) return;
    // An inlined callee asks whether the address of a variable is null.
    if (view_.isVariable(ways.numbers.base(sides[0]))) return;
    std::optional<Known> known = ways.knownAt(s.block);
    if (!known || !known->assumeNumber(ways.numbers.leader(sides[0]), 0, true)) return;
    Source source{id, StepRole::IsNull, "null is one of the cases here",
                  "it was compared with null", sides[0]};
    source.known = known;
    look(source);
  }

  void beginConstant(StatementId id, uint32_t operand) {
    const Statement &s = facts_.statements[id];
    const FunctionId f = view_.functionOf(id);
    const std::string text = "null is chosen";
    const bool isNumber = facts_.operandsOf(s)[operand] == kZeroValue;
    const auto from = [&](StatementId at, std::string why, FlowNode node,
                          const char *message = kSince) {
      Source source{at, StepRole::Null, std::move(why), message, node};
      source.isNumber = isNumber;
      return source;
    };
    if (view_.dereferences(id, operand)) return reportConstant(id);
    if (s.kind == StatementKind::Copy && s.result != kNone && facts_.values[s.result].mayPoint) {
      if (s.extra == kNone) return look(from(id, text, s.result));
      const BlockId before = facts_.incoming[s.extra + operand];
      const StatementId at = facts_.blocks[before].last();
      const PlaceId assigned = facts_.assigned[s.extra + operand].place;
      // What is left of several return statements is a phi.
      Source source = assigned != 0          ? from(at, "null is assigned", s.result)
                      : isReturned(s.result) ? from(at, kReturned, s.result, kReturned)
                                             : from(at, text, s.result);
      source.place = assigned;
      source.isBefore = assigned != 0 && isWayOfNull(s, operand);
      source.known = view_.ways(f).knownBehind(before, s.block);
      if (source.known) look(source);
    } else if (s.kind == StatementKind::Store && operand == 1 && s.bytes == 8) {
      for (const VersionId chi : flow_.memory(f).chisOf(id))
        look(from(id, "null is stored", flow_.ofVersion(f, chi)));
    } else if (s.kind == StatementKind::Return &&
               facts_.values[facts_.functions[f].returned].mayPoint) {
      look(from(id, kReturned, facts_.functions[f].returned, kReturned));
    } else if (s.kind == StatementKind::Call && view_.callsOwn(s.extra)) {
      for (const FunctionId callee : view_.pts.callees(s.extra)) {
        const Function &to = facts_.functions[callee];
        if (view_.isOwn(callee) && operand < to.parameters.size() &&
            facts_.values[to.parameters[operand]].mayPoint)
          look(from(id, fmt::format("null is passed to {}", to.name), to.parameters[operand]),
               s.extra);
      }
    }
  }

  /// Does the branch that leads to the phi tell more of the way of null than its assignment does?
  /// At the end of what assigns it, it does not, unless a loop follows.
  bool isWayOfNull(const Statement &phi, uint32_t operand) const {
    const BlockId from = facts_.incoming[phi.extra + operand];
    if (!facts_.assigned[phi.extra + operand].isInBlock || facts_.blocks[from].next.size() > 1)
      return true;
    for (uint32_t i = 0; i < phi.numOperands; i++)
      if (facts_.incoming[phi.extra + i] >= phi.block) return true;
    return false;
  }

  bool isReturned(ValueId value) const {
    return std::ranges::any_of(view_.users(value), [&](StatementId user) {
      return facts_.statements[user].kind == StatementKind::Return;
    });
  }

  /// The null pointer itself is an operand.
  void reportConstant(StatementId id) {
    if (!view_.ways(view_.functionOf(id)).knownAt(facts_.statements[id].block)) return;
    Report out;
    out.kind = evidence::BugKind::NullDereference;
    out.message = "the null pointer is dereferenced";
    out.steps.push_back(view_.step(id, StepRole::Defect, out.message));
    context_.nullAt.try_emplace(id, id);
    context_.reports.add(std::move(out));
  }

  bool mayBeNull(Known &known, FunctionId f, FlowNode node) {
    return !flow_.isValue(node) || known.assumeNumber(view_.ways(f).numbers.leader(node), 0, true);
  }

  /// Is there a way from where the state's node gets null to the end?
  bool goes(const FlowSearch &search, const FlowSearch::State &state, const Source &source,
            const WayEnd &end) {
    const FunctionId f = flow_.functionOf(state.node);
    if (f == kNone || !view_.isOwn(f)) return true;
    Ways &ways = view_.ways(f);
    StatementId begin = flow_.definition(state.node);
    std::optional<Known> known;
    WayEnd edge; // along which null came
    if (state.previous == FlowSearch::kNoState && source.known) {
      known = source.known;
      if (facts_.statements[source.statement].kind == StatementKind::Branch &&
          source.role == StepRole::IsNull)
        begin = source.statement;
    } else {
      const BlockId first = facts_.functions[f].firstBlock;
      known = ways.knownAt(begin == kNone ? first : facts_.statements[begin].block);
      if (state.previous != FlowSearch::kNoState) {
        const auto ends =
            endsOfEdge(view_, search[state.previous].node, state.node, state.kind, state.call);
        if (ends.size() == 1 && ends[0].from != kNone) {
          edge = ends[0];
          known = ways.knownBehind(edge.from, edge.to);
        }
      }
    }
    if (flow_.isValue(state.node) && facts_.functions[f].returned == state.node) return true;
    if (begin == kNone && !flow_.isValue(state.node) && !flow_.isTransfer(state.node)) {
      const Version &v = flow_.version(state.node);
      if (v.kind == VersionKind::Exit) return true;
      if (v.kind == VersionKind::Phi) { // at the start of its block
        const BlockId at = facts_.functions[f].firstBlock + v.at;
        begin = facts_.blocks[at].firstStatement;
        if (end.statement == begin) return true;
        if (!known) known = ways.knownAt(at);
      }
    }
    if (!known || !mayBeNull(*known, f, state.node)) return false;
    // What the store writes is null here, and so is every value that equals it.
    const StatementId store = storeOf(search, state);
    if (store != kNone && state.previous != FlowSearch::kNoState &&
        !mayBeNull(*known, f, search[state.previous].node))
      return false;
    // What holds where the source's node gets null is the source's own; all else is the node's.
    const bool isOwn = state.previous == FlowSearch::kNoState && source.known;
    const auto key = std::tuple(state.node, begin, edge.from, edge.to, store);
    Reach *reach = &ofSource_;
    if (!isOwn) {
      auto [at, isNew] = reached_.try_emplace(key);
      reach = &at->second;
      if (!isNew) return answer(*reach, state, end);
    } else if (ofSourceKey_ == std::pair(source.serial, begin)) {
      return answer(*reach, state, end);
    }
    if (isOwn) ofSourceKey_ = {source.serial, begin};
    WayBars bars = barsOf(view_, state.node);
    if (store != kNone && !overwritesOf(store).empty())
      bars.statement = [own = bars.statement, &over = overwritesOf(store)](StatementId s) {
        return over.contains(s) || (own && own(s));
      };
    *reach = ways.reach(begin, *known, bars);
    return answer(*reach, state, end);
  }

  bool answer(const Reach &reach, const FlowSearch::State &state, const WayEnd &end) {
    if (!reach.has(end)) return false;
    if (reach.isGuess()) guessed_.insert({state.node, state.stack});
    return true;
  }

  /// The store that puts null into the memory of this state; kNone: it was there before.
  StatementId storeOf(const FlowSearch &search, const FlowSearch::State &state) const {
    if (flow_.isValue(state.node) || flow_.isTransfer(state.node)) return kNone;
    const StatementId at = flow_.definition(state.node);
    if (at == kNone || facts_.statements[at].kind != StatementKind::Store) return kNone;
    const ValueId written = facts_.operandsOf(facts_.statements[at])[1];
    const bool isBeginning = state.previous == FlowSearch::kNoState;
    return isBeginning || search[state.previous].node == written ? at : kNone;
  }

  /// Statements that leave nothing of what the store wrote. None where control may come back to
  /// where the pointer is computed: from then on they may be about another object.
  const std::set<StatementId> &overwritesOf(StatementId store) {
    auto [known, isNew] = overwritesOf_.try_emplace(store);
    if (!isNew) return known->second;
    const FunctionId id = view_.functionOf(store);
    const MemoryPlace place =
        overwrites_.placeOf(id, facts_.operandsOf(facts_.statements[store])[0]);
    const StatementId made = place.base == kNone ? kNone : facts_.values[place.base].definition;
    if (made != kNone && view_.ways(id).exists(store, Known(), WayEnd::at(made), {}))
      return known->second;
    const auto [first, end] = facts_.statementsOf(facts_.functions[id]);
    for (StatementId s = first; s < end; s++)
      if (s != store && overwrites_.at(s, place)) known->second.insert(s);
    return known->second;
  }

  /// Is nothing left of the null that the state's memory got in a later version of that memory?
  bool isOverwritten(const FlowSearch &search, const FlowSearch::State &state, FlowNode to) {
    const StatementId store = storeOf(search, state);
    if (store == kNone || flow_.graph().cellOf(state.node) != flow_.graph().cellOf(to))
      return false;
    const StatementId at = flow_.definition(to);
    return at != kNone && overwritesOf(store).contains(at);
  }

  /// Is the source a number that would be read as a pointer along this edge?
  bool isReadAsPointer(const Source &source, FlowNode from, FlowNode to) const {
    if (!source.isNumber || flow_.isValue(from) || !flow_.isValue(to)) return false;
    const StatementId at = flow_.definition(to);
    return facts_.values[to].isPointer && at != kNone &&
           facts_.statements[at].kind == StatementKind::Load;
  }

  void look(Source source, uint32_t inside = kNone) {
    source.serial = ++serial_;
    found_.clear();
    guessed_.clear();
    search(source, inside,
           [&](const FlowSearch &search, uint32_t id) { sinks(search, id, source); });
    if (found_.empty()) return;
    for (const auto &[sink, report] : found_) context_.nullAt.try_emplace(sink, sink);
    isListing_ = true;
    listed_.clear();
    search(source, inside,
           [&](const FlowSearch &search, uint32_t id) { list(search, id, source); });
    isListing_ = false;
    for (auto &[sink, report] : found_) nearest_.add(sink, 0, std::move(report), context_.reports);
  }

  template <class Visit> void search(const Source &source, uint32_t inside, Visit &&visit) {
    FlowSearch search(view_, {.states = 1500, .depth = 7});
    if (inside != kNone)
      search.beginInside(source.node, inside);
    else
      search.begin(source.node);
    search.run(
        [&](const FlowSearch::State &from, FlowNode to, FlowKind kind, uint32_t call) {
          if (kind == FlowKind::Derived || flow_.isTransfer(from.node))
            return kind != FlowKind::Derived;
          if (isMoved(to)) return false; // a number next to null
          if (isReadAsPointer(source, from.node, to)) return false;
          if (isOverwritten(search, from, to)) return false;
          const FunctionId f = flow_.functionOf(from.node);
          if (f == kNone || !view_.isOwn(f)) return true;
          for (const WayEnd &end : endsOfEdge(view_, from.node, to, kind, call))
            if (goes(search, from, source, end) && (isListing_ || !isPassed(search, from, end)))
              return true;
          return false;
        },
        [&](uint32_t id) {
          if (flow_.isValue(search[id].node)) visit(search, id);
          return true;
        });
    if (!isListing_) context_.cut += search.isCut;
  }

  /// The value that the node got on the path to the state, in the same function; kNone: not known.
  ValueId contentOf(const FlowSearch &search, FlowSearch::State state) const {
    const FunctionId f = flow_.functionOf(state.node);
    while (!flow_.isValue(state.node)) {
      if (state.previous == FlowSearch::kNoState || state.kind != FlowKind::Direct) return kNone;
      state = search[state.previous];
      if (flow_.functionOf(state.node) != f) return kNone;
    }
    return state.node;
  }

  /// Does an access through what the state's node has come before the end on every way?
  bool isPassed(const FlowSearch &search, const FlowSearch::State &state, const WayEnd &end) {
    const ValueId content = contentOf(search, state);
    return content != kNone &&
           accesses_.before(flow_.functionOf(state.node), end, content) != kNone;
  }

  /// Pointers are computed from null for members of it: the sink is the access.
  bool isMoved(FlowNode to) const {
    const StatementId at = flow_.isValue(to) ? flow_.definition(to) : kNone;
    return at != kNone && facts_.statements[at].kind == StatementKind::Arithmetic;
  }

  /// Calls visit(access) for each access through the state's node with a way to it; false ends it.
  template <class Visit>
  void forEachAccess(const FlowSearch &search, uint32_t id, const Source &source, Visit &&visit) {
    const FlowSearch::State state = search[id];
    for (const StatementId user : view_.users(state.node)) {
      const auto operands = facts_.operandsOf(facts_.statements[user]);
      for (uint32_t i = 0; i < operands.size(); i++)
        if (operands[i] == state.node && view_.dereferences(user, i) &&
            goes(search, state, source, WayEnd::at(user)) && !visit(user))
          return;
    }
  }

  void sinks(const FlowSearch &search, uint32_t id, const Source &source) {
    forEachAccess(search, id, source, [&](StatementId at) {
      if (isPassed(search, search[id], WayEnd::at(at))) return true;
      report(search, id, source, at);
      return false;
    });
  }

  /// What the reports that were just found tell as well: one in the same function if there is one.
  void list(const FlowSearch &search, uint32_t id, const Source &source) {
    forEachAccess(search, id, source, [&](StatementId at) {
      size_t best = 0;
      for (size_t i = 0; i < found_.size(); i++) {
        if (found_[i].first == at) return true;
        if (view_.functionOf(found_[i].first) == view_.functionOf(at)) best = i;
      }
      if (!listed_.insert(at).second) return true; // several states come to it
      context_.nullAt.try_emplace(at, found_[best].first);
      found_[best].second.alsoAt.add(view_.step(at, StepRole::Defect, accessText(at)));
      return true;
    });
  }

  std::string accessText(StatementId at) const {
    const Statement &s = facts_.statements[at];
    if (s.kind == StatementKind::Store) return "memory is written through null";
    if (s.kind == StatementKind::Call)
      return fmt::format("null is passed to {}, which dereferences it",
                         view_.calleeName(facts_.calls[s.extra]));
    return "memory is read through null";
  }

  void report(const FlowSearch &search, uint32_t state, const Source &source, StatementId sink) {
    // Others that no access precedes are listed.
    if (!reported_.insert({source.statement, source.node, view_.functionOf(sink)}).second) return;
    Report out;
    out.kind = evidence::BugKind::NullDereference;
    const std::vector<uint32_t> path = search.path(state);
    out.doubts = search[state].doubts + std::ranges::any_of(path, [&](uint32_t at) {
                   return guessed_.contains({search[at].node, search[at].stack});
                 });
    out.steps.push_back(view_.step(source.statement, source.role, source.text, source.place));
    // fathom confirm follows the branches of a report's lines.
    if (source.isBefore) {
      ReportStep still = view_.step(source.statement, StepRole::PassesOn, "it is still null here");
      if (still.line != out.steps[0].line) out.steps.push_back(std::move(still));
    }
    addSteps(view_, search, state, "null", out.steps);
    out.steps.push_back(view_.step(sink, StepRole::Defect, accessText(sink)));
    const ReportStep &from = out.source();
    const bool isSince = source.message == kSince;
    out.message = fmt::format("a pointer may be null; {} {}", source.message,
                              placeText(from, isSince ? "since" : "at"));
    found_.emplace_back(sink, std::move(out));
  }

  CheckContext &context_;
  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  /// Ways from where a node gets null: the node, the statement, the edge along which it came,
  /// the store that put it there.
  std::map<std::tuple<FlowNode, StatementId, BlockId, BlockId, StatementId>, Reach> reached_;
  Reach ofSource_;
  std::pair<uint32_t, StatementId> ofSourceKey_{0, kNone};
  uint32_t serial_ = 0;
  std::set<std::tuple<StatementId, FlowNode, FunctionId>> reported_;
  Accesses accesses_;
  Overwrites overwrites_;
  std::unordered_map<StatementId, std::set<StatementId>> overwritesOf_;
  bool isListing_ = false;
  std::vector<std::pair<StatementId, Report>> found_; ///< sinks of one source
  std::unordered_set<StatementId> listed_;            ///< accesses that these reports tell as well
  /// States of the source's search, by node and stack, from which it goes on where branches do not
  /// count.
  std::set<std::pair<FlowNode, uint32_t>> guessed_;
  NearestReports nearest_;
};

} // namespace

void checkNull(CheckContext &context) { NullChecker(context).run(); }

} // namespace fathom::statics
