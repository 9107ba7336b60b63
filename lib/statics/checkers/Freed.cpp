// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Use after free and double free.
//
// An *event* is a statement after which an object is freed: a call of free, or a call of a
// function of the program in which one is. Its *object* is a node of the value-flow graph, the
// pointer that is freed or the memory that holds it before the call. In the function of the event,
// all that comes from where the object's pointer comes from is an *alias*. An alias that control
// carries past the event, to where it is used, without computing it anew is stale; whatever its
// content flows to from there is stale too. Whatever dereferences or frees a stale pointer is a
// sink. The event of a function's caller is the function's, if the freed pointer came in with a
// parameter or with memory.
//
// A pointer read through the freed object is not taken for the object itself (`next = n->next;
// free(n)`), and memory from which the freed pointer was read is clean once something else is
// stored there (`free(s->p); s->p = 0`, `n = head; head = n->next; free(n)`) and the pointer is not
// put back, or its object is freed (`free(s->p); free(s)`): a later read of it then uses the object
// after its own free.
#include "statics/checkers/Checkers.h"
#include "statics/checkers/FreedObjects.h"
#include "statics/checkers/FreedPlaces.h"
#include "statics/checkers/FreedReports.h"
#include "statics/checkers/WaySearch.h"

#include <algorithm>
#include <deque>

namespace fathom::statics {

namespace {

struct Event {
  StatementId statement;
  FlowNode object;
  uint32_t depth;    ///< of calls between it and the free
  uint32_t inner;    ///< the event in the callee; kNone: this is the free
  bool cleansMemory; ///< the memory that held the pointer holds something else afterwards
  uint32_t doubts;
  MemoryPlace place; ///< where the pointer was read from, in the event's function
};

class FreedChecker {
public:
  explicit FreedChecker(CheckContext &context)
      : context_(context), view_(context.view), facts_(view_.facts), flow_(view_.flow),
        overwrites_(view_), places_(view_, overwrites_), told_(view_, overwrites_), freed_(view_) {}

  void run() {
    collectFrees();
    for (uint32_t next = 0; next < events_.size() && !context_.time.isOver(); next++) {
      const Event &event = events_[next];
      const FreedHold hold = places_.holdAt(event.statement, event.object, event.place);
      if (events_.size() < kMaxEvents) lift(next, hold);
      look(next, hold);
    }
    told_.giveTo(context_.reports);
  }

private:
  static constexpr size_t kMaxEvents = 3'000;
  /// Beyond that many, any two pointers to objects of one kind would be each other's aliases.
  static constexpr uint32_t kMaxDoubts = 1;
  static constexpr uint32_t kMaxDepth = 6, kMaxDoubtfulDepth = 2;

  void addEvent(const Event &event) {
    if (event.doubts > kMaxDoubts) return;
    if (known_.insert({event.statement, event.object, event.place.base, event.place.offset}).second)
      events_.push_back(event);
  }

  void collectFrees() {
    for (const CallSite &site : facts_.calls) {
      const FunctionId f = view_.functionOf(site.statement);
      if (!view_.isOwn(f) || !view_.pts.isReached(f)) continue;
      const Statement &s = facts_.statements[site.statement];
      const auto operands = facts_.operandsOf(s);
      for (uint32_t i = 0; i < operands.size() && i < 8; i++)
        if (releases(site.statement, i) && facts_.values[operands[i]].function == f)
          addEvent({site.statement, flow_.ofValue(operands[i]), 0, kNone, false, 0,
                    places_.placeOf(site.statement, operands[i])});
    }
  }

  bool releases(StatementId statement, uint32_t operand) const {
    const UseKind use = view_.useOutsideOfWrappers(statement, operand);
    if (use == UseKind::Freed) return true;
    if (use != UseKind::Closed) return false; // numbers of files are no pointers
    const LibraryFunction *known = view_.knownOf(facts_.calls[facts_.statements[statement].extra]);
    return known && known->dereferenced >> operand & 1;
  }

  /// Each pointer that the event, and the events it comes from, know of is the one that is freed.
  bool findFreed(uint32_t event) {
    const bool isFile = view_.useOf(origin(event).statement, 0) == UseKind::Closed;
    std::vector<FlowNode> pointers;
    for (; event != kNone; event = events_[event].inner) pointers.push_back(events_[event].object);
    return freed_.set(pointers, isFile);
  }

  const Event &origin(uint32_t event) const {
    while (events_[event].inner != kNone) event = events_[event].inner;
    return events_[event];
  }

  /// Where the object's pointer comes from, in the event's function and what it calls.
  /// \returns  states of `search` at which the search found nothing before.
  std::vector<uint32_t> roots(FlowSearch &search, FlowNode object) {
    // What is read where it was just stored is what was stored, though the memory stands for that
    // of several objects.
    if (flow_.isValue(object) && flow_.functionOf(object) != kNone)
      search.begin(view_.ways(flow_.functionOf(object)).numbers.leader(object));
    search.begin(object);
    std::vector<uint32_t> out;
    std::vector<bool> goesOn;
    search.run([&](const FlowSearch::State &, FlowNode, FlowKind kind,
                   uint32_t) { return kind != FlowKind::Derived; },
               [&](uint32_t) { return true; });
    goesOn.resize(search.size());
    for (uint32_t i = 0; i < search.size(); i++)
      if (search[i].previous != FlowSearch::kNoState) goesOn[search[i].previous] = true;
    for (uint32_t i = 0; i < search.size(); i++)
      if (!goesOn[i]) out.push_back(i);
    context_.cut += search.isCut;
    return out;
  }

  /// The event as the callers see it.
  void lift(uint32_t id, const FreedHold &hold) {
    const Event event = events_[id];
    if (event.depth >= (event.doubts ? kMaxDoubtfulDepth : kMaxDepth)) return;
    const FunctionId f = view_.functionOf(event.statement);
    if (view_.callers(f).empty()) return;
    const std::optional<Known> known = knownBehind(event);
    if (!known || !view_.ways(f).exists(event.statement, *known, WayEnd::returns(), {})) return;
    const std::set<uint32_t> cells = places_.cellsOf(event.statement, event.object);
    FlowSearch back(view_, {.states = 200, .leave = false, .forward = false});
    for (const uint32_t state : roots(back, event.object)) {
      const FlowSearch::State &s = back[state];
      if (s.stack != 0 || flow_.functionOf(s.node) != f) continue;
      const bool isMemory = !flow_.isValue(s.node);
      // The pointer may have been copied there, from memory of which the event's place says
      // nothing.
      const bool isHeld = isMemory && cells.contains(flow_.graph().cellOf(s.node));
      const bool isGone = hold.wasReplaced && hold.put.empty();
      const bool cleans =
          isHeld && (event.cleansMemory || isGone || !staysInMemory(event, hold.place, *known));
      for (const FlowEdge &e : flow_.predecessors(s.node)) {
        if (e.kind() != FlowKind::Call) continue;
        const StatementId at = facts_.calls[e.call()].statement;
        if (!view_.isOwn(view_.functionOf(at))) continue;
        const MemoryPlace place = !isMemory ? places_.placeOf(at, e.to)
                                  : isHeld  ? overwrites_.inCaller(hold.place, f, at)
                                            : MemoryPlace{};
        // The callee's memory is that of all its calls.
        if (isMemory && place.base != kNone && !freed_.mayPointInto(place.base, e.to)) continue;
        addEvent({at, e.to, event.depth + 1, id, cleans, event.doubts + s.doubts, place});
      }
    }
  }

  /// Statements of the event's function that leave nothing of the pointer where it is.
  std::function<bool(StatementId)> cleaner(const MemoryPlace &place) {
    if (!place.isKnown()) return nullptr;
    return [this, place](StatementId s) { return overwrites_.at(s, place); };
  }

  bool staysInMemory(const Event &event, const MemoryPlace &place, const Known &known) {
    const std::function<bool(StatementId)> cleans = cleaner(place);
    if (!cleans) return true;
    const FunctionId f = view_.functionOf(event.statement);
    return view_.ways(f).exists(event.statement, known, WayEnd::returns(), {.statement = cleans});
  }

  /// What the event itself says: a pointer that was freed was not null, and neither is what realloc
  /// returned.
  std::optional<Known> knownBehind(const Event &event) {
    const FunctionId f = view_.functionOf(event.statement);
    Ways &ways = view_.ways(f);
    std::optional<Known> known = ways.knownAt(facts_.statements[event.statement].block);
    if (!known) return known;
    if (flow_.isValue(event.object) &&
        !known->assumeNumber(ways.numbers.leader(event.object), 0, false))
      return std::nullopt;
    const Statement &s = facts_.statements[event.statement];
    if (event.inner == kNone && s.result != kNone && facts_.calls[s.extra].summary &&
        facts_.calls[s.extra].summary->allocates != Allocates::Nothing &&
        !known->assumeNumber(ways.numbers.leader(s.result), 0, false))
      return std::nullopt;
    return known;
  }

  /// Read through the freed pointer, or what it was read through: another object.
  bool isOther(FlowNode alias, FlowNode object, ValueNumbers &numbers) {
    if (!flow_.isValue(alias) || !flow_.isValue(object)) return false;
    return isReadThrough(alias, object, numbers) || isReadThrough(object, alias, numbers);
  }
  bool isReadThrough(ValueId value, ValueId through, ValueNumbers &numbers) {
    const ValueId wanted = numbers.base(through);
    for (unsigned i = 0; i < 4; i++) {
      const StatementId at = facts_.values[numbers.base(value)].definition;
      if (at == kNone || facts_.statements[at].kind != StatementKind::Load) return false;
      value = facts_.operandsOf(facts_.statements[at])[0];
      if (numbers.base(value) == wanted) return true;
    }
    return false;
  }

  /// A pointer is read from memory that may hold the freed one, or memory goes into a call: is it
  /// the same place as that of the freed pointer, now of another object? `for (l = list; l; l = n)
  /// { n = l->next; free(l->text); free(l); }` reads the same places of each object once.
  bool isOfAnother(const Event &event, const Known &known, StatementId at) {
    const FunctionId f = view_.functionOf(event.statement);
    if (view_.functionOf(at) != f) return false;
    Ways &ways = view_.ways(f);
    const Statement &s = facts_.statements[at];
    WayBars bars;
    const auto changes = [&](ValueId value) {
      const std::vector<BlockId> &in =
          ways.numbers.changedIn(ways.numbers.leader(value), ValueNumbers::Reading::ByWrites);
      bars.blocks.insert(bars.blocks.end(), in.begin(), in.end());
    };
    if (s.kind == StatementKind::Load) {
      const ValueId address = ways.numbers.leader(facts_.operandsOf(s)[0]);
      if (!isRelated(event, address, ways.numbers)) return false;
      changes(address);
    } else if (s.kind == StatementKind::Call && event.inner != kNone) {
      const CallSite &here = facts_.calls[s.extra];
      const Statement &first = facts_.statements[event.statement];
      const CallSite &there = facts_.calls[first.extra];
      if (here.callee == kNone || here.callee != there.callee) return false;
      const auto now = facts_.operandsOf(s), then = facts_.operandsOf(first);
      for (size_t i = 0; i < now.size() && i < then.size(); i++) {
        if (!facts_.values[now[i]].mayPoint) continue;
        if (ways.numbers.leader(now[i]) != ways.numbers.leader(then[i])) return true;
        changes(now[i]);
      }
    } else {
      return false;
    }
    // Few sets of blocks are asked for again and again.
    std::sort(bars.blocks.begin(), bars.blocks.end());
    auto [reach, isNew] = unchanged_.try_emplace(bars.blocks);
    if (isNew) reach->second = ways.reach(event.statement, known, bars);
    return !reach->second.has(WayEnd::at(at));
  }

  bool isRelated(const Event &event, ValueId address, ValueNumbers &numbers) {
    if (!flow_.isValue(event.object)) return false;
    if (numbers.base(address) == numbers.base(event.object)) return true;
    const StatementId at = facts_.values[event.object].definition;
    return at != kNone && facts_.statements[at].kind == StatementKind::Load &&
           numbers.leader(facts_.operandsOf(facts_.statements[at])[0]) == address;
  }

  /// The place of an edge out of memory: a load's, or a call's.
  StatementId memoryUse(FlowNode from, FlowNode to, FlowKind kind, uint32_t call) const {
    if (flow_.isValue(from) || flow_.isTransfer(from)) return kNone;
    if (kind == FlowKind::Call) return facts_.calls[call].statement;
    return flow_.isValue(to) ? flow_.definition(to) : kNone;
  }

  /// Memory behind a statement that leaves nothing of what it held before, the freed pointer; of a
  /// call, only that which held it. What the statement writes there may be the pointer once more.
  bool isCleaned(FlowNode from, FlowNode to, const std::function<bool(StatementId)> &cleans) const {
    for (const FlowNode node : {from, to})
      if (flow_.isValue(node) || flow_.isTransfer(node)) return false;
    const StatementId at = flow_.definition(to);
    if (at == kNone || !cleans(at)) return false;
    return facts_.statements[at].kind == StatementKind::Store || isHolder(to);
  }
  bool isHolder(FlowNode node) const {
    return !flow_.isValue(node) && held_.contains(flow_.graph().cellOf(node));
  }

  /// Did the pointer stay, on the path to the state, in the memory from which it was freed?
  bool hasStayed(const FlowSearch &search, FlowSearch::State state) const {
    for (;; state = search[state.previous]) {
      if (state.stack != 0 || !isHolder(state.node)) return false;
      if (state.previous != FlowSearch::kNoState) continue;
      const StatementId at = flow_.definition(state.node);
      return at == kNone || facts_.statements[at].kind != StatementKind::Store;
    }
  }

  /// What the event itself returns is new memory (`p = realloc(p, n)`, at any depth of calls).
  /// Where a callee returns the pointer that it freed, the event in the callee finds that.
  bool isResultOf(const Event &event, FlowNode node) const {
    return flow_.isValue(node) && flow_.definition(node) == event.statement;
  }

  /// What a function returns, and the memory it leaves, get their content at its end: nothing that
  /// they have is older than a statement.
  bool isMadeAtReturn(FlowNode node, FunctionId f) const {
    if (flow_.isValue(node)) return node == facts_.functions[f].returned;
    return flow_.version(node).kind == VersionKind::Exit;
  }

  /// All sinks of an event.
  void look(uint32_t id, const FreedHold &hold) {
    const Event event = events_[id];
    const FunctionId f = view_.functionOf(event.statement);
    const std::optional<Known> known = knownBehind(event);
    if (!known) return;
    unchanged_.clear();
    if (!findFreed(id)) return;
    held_ = places_.cellsOf(event.statement, event.object);
    FlowSearch back(view_, {.states = 200, .leave = false, .forward = false});
    const std::vector<uint32_t> origins = roots(back, event.object);
    FlowSearch aliases(view_, {.states = 500, .leave = true});
    // Back from inside of callees, paths may leave through any caller: only this function counts.
    for (const uint32_t origin : origins) aliases.begin(back[origin].node, back[origin].doubts);
    aliases.run([&](const FlowSearch::State &, FlowNode, FlowKind kind,
                    uint32_t) { return kind != FlowKind::Derived; },
                [&](uint32_t) { return true; });
    context_.cut += aliases.isCut;
    Ways &ways = view_.ways(f);
    const std::function<bool(StatementId)> cleans = cleaner(hold.place);
    const Reach unbarred = ways.reach(event.statement, *known, {});
    FlowSearch stale(view_, {.states = 400});
    std::set<FlowNode> begun;
    guessed_.clear();
    const uint32_t cell = flow_.graph().cellOf(event.object);
    std::set<FlowNode> nodes;
    for (uint32_t a = 0; a < aliases.size(); a++) {
      const FlowSearch::State &alias = aliases[a];
      if (alias.stack != 0 || flow_.functionOf(alias.node) != f) continue;
      if (alias.doubts + event.doubts > kMaxDoubts) continue;
      if (flow_.isTransfer(alias.node) || !nodes.insert(alias.node).second) continue;
      const bool isMemory = !flow_.isValue(alias.node);
      if (isMadeAtReturn(alias.node, f) || isResultOf(event, alias.node)) continue;
      if (isMemory && event.cleansMemory && flow_.graph().cellOf(alias.node) == cell) continue;
      if (hold.wasReplaced && isHolder(alias.node) && !hold.put.contains(alias.node)) continue;
      if (isOther(alias.node, event.object, ways.numbers) || !freed_.mayBe(alias.node)) continue;
      WayBars bars = barsOf(view_, alias.node);
      if (cleans && isHolder(alias.node)) // what else holds the pointer keeps it
        bars.statement = [own = bars.statement, &cleans](StatementId s) {
          return cleans(s) || (own && own(s));
        };
      BarredReach reach(ways, event.statement, *known, std::move(bars), unbarred);
      if (!isMemory) reportUses(id, alias, reach);
      for (const FlowEdge &e : flow_.successors(alias.node)) {
        if (e.kind() == FlowKind::Derived || begun.count(e.to) || !freed_.mayBe(e.to)) continue;
        if (cleans && isCleaned(alias.node, e.to, cleans)) continue;
        const FunctionId to = flow_.functionOf(e.to);
        const bool crosses = e.kind() == FlowKind::Call || e.kind() == FlowKind::Return;
        if (crosses && to != kNone && !view_.isOwn(to)) {
          if (isMemory && e.kind() == FlowKind::Call)
            beginPastLibrary(event, alias, e.call(), reach, stale, begun);
          continue;
        }
        if (const StatementId at = memoryUse(alias.node, e.to, e.kind(), e.call());
            at != kNone && isOfAnother(event, *known, at))
          continue;
        for (const WayEnd &end : endsOfEdge(view_, alias.node, e.to, e.kind(), e.call()))
          if (reach.has(end)) {
            begun.insert(e.to);
            if (reach.isGuess()) guessed_.insert({kNone, e.to});
            stale.beginBehind(e.to, e.kind(), e.call(), alias.doubts + event.doubts);
            break;
          }
      }
    }
    follow(id, stale, *known, unbarred, cleans);
  }

  void beginPastLibrary(const Event &event, const FlowSearch::State &alias, uint32_t call,
                        BarredReach &reach, FlowSearch &stale, std::set<FlowNode> &begun) {
    const FunctionId f = flow_.functionOf(alias.node);
    const StatementId at = facts_.calls[call].statement;
    const MemorySsa &ssa = flow_.memory(f);
    for (const VersionId chi : ssa.chisOf(at)) {
      if (flow_.ofVersion(f, ssa.versions[chi].previous) != alias.node) continue;
      const FlowNode to = flow_.ofVersion(f, chi);
      if (at != event.statement && begun.count(to)) continue;
      if (at == event.statement || reach.has(WayEnd::at(at))) {
        begun.insert(to);
        if (reach.isGuess()) guessed_.insert({kNone, to});
        stale.beginBehind(to, FlowKind::Direct, 0, alias.doubts + event.doubts);
      }
    }
  }

  /// Uses of an alias in the event's own function.
  void reportUses(uint32_t id, const FlowSearch::State &alias, BarredReach &reach) {
    const Event &event = events_[id];
    for (const StatementId user : view_.users(alias.node)) {
      const auto operands = facts_.operandsOf(facts_.statements[user]);
      for (uint32_t i = 0; i < operands.size(); i++) {
        if (operands[i] != alias.node || view_.useOutsideOfWrappers(user, i) == UseKind::None)
          continue;
        if (reach.has(WayEnd::at(user)))
          report(id, user, i, nullptr, 0, alias.doubts + event.doubts + reach.isGuess());
      }
    }
  }

  /// Whatever the content of stale nodes flows to.
  /// \param reach  what ways after the event reach.
  void follow(uint32_t id, FlowSearch &stale, const Known &known, const Reach &reach,
              const std::function<bool(StatementId)> &cleans) {
    const Event &event = events_[id];
    const FunctionId f = view_.functionOf(event.statement);
    if (stale.size() == 0) return;
    const Reach kept =
        cleans ? view_.ways(f).reach(event.statement, known, {.statement = cleans}) : reach;
    stale.run(
        [&](const FlowSearch::State &from, FlowNode to, FlowKind kind, uint32_t call) {
          if (kind == FlowKind::Derived || !freed_.mayBe(to)) return false;
          if (const StatementId at = memoryUse(from.node, to, kind, call);
              at != kNone && from.stack == 0 && isOfAnother(event, known, at))
            return false;
          if (!cleans) return true;
          if (hasStayed(stale, from)) {
            if (!reachesEdge(view_, kept, from.node, to, kind, call)) return false;
            if (kept.isGuess()) guessed_.insert({from.node, to});
          }
          return flow_.functionOf(to) != f || !isCleaned(from.node, to, cleans);
        },
        [&](uint32_t state) {
          const FlowNode node = stale[state].node;
          if (stale[state].doubts > kMaxDoubts) return false;
          if (!flow_.isValue(node)) return true;
          for (const StatementId user : view_.users(node)) {
            const auto operands = facts_.operandsOf(facts_.statements[user]);
            for (uint32_t i = 0; i < operands.size(); i++) {
              if (operands[i] != node || view_.useOutsideOfWrappers(user, i) == UseKind::None)
                continue;
              const bool isHere = view_.functionOf(user) == f && stale[state].stack == 0;
              if (isHere && !reach.has(WayEnd::at(user))) continue;
              if (!view_.ways(view_.functionOf(user)).knownAt(facts_.statements[user].block))
                continue;
              const bool isGuess = (isHere && reach.isGuess()) || hasGuessed(stale, state);
              report(id, user, i, &stale, state, stale[state].doubts + isGuess);
            }
          }
          return true;
        });
    context_.cut += stale.isCut;
  }

  /// Does the path to the state have a step for which branches did not count?
  bool hasGuessed(const FlowSearch &search, uint32_t state) const {
    while (state != FlowSearch::kNoState) {
      const uint32_t before = search[state].previous;
      const FlowNode from = before == FlowSearch::kNoState ? kNone : search[before].node;
      if (guessed_.contains({from, search[state].node})) return true;
      state = before;
    }
    return false;
  }

  void report(uint32_t id, StatementId sink, uint32_t operand, const FlowSearch *search,
              uint32_t state, uint32_t doubts) {
    FreedUse use{.free = origin(id).statement,
                 .search = search,
                 .state = state,
                 .sink = sink,
                 .operand = operand,
                 .again = releases(sink, operand),
                 .doubts = doubts};
    if (!use.again && !told_.isNew(events_[id].statement, sink, operand)) return;
    for (uint32_t at = id; events_[at].inner != kNone; at = events_[at].inner)
      use.calls.emplace_back(events_[at].statement,
                             view_.functionOf(events_[events_[at].inner].statement));
    std::reverse(use.calls.begin(), use.calls.end());
    told_.add(use, context_.reports);
  }

  CheckContext &context_;
  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  std::deque<Event> events_;
  Overwrites overwrites_;
  FreedPlaces places_;
  std::set<std::tuple<StatementId, FlowNode, ValueId, int64_t>> known_;
  FreedReports told_;
  FreedObjects freed_;      ///< by the event that is looked at
  std::set<uint32_t> held_; ///< cells that held the pointer, of the same
  /// Steps, of the same, for which branches did not count; from kNone: paths begin there.
  std::set<std::pair<FlowNode, FlowNode>> guessed_;
  /// For the current event: what ways reach that do not enter these blocks.
  std::map<std::vector<BlockId>, Reach> unchanged_;
};

} // namespace

void checkFreed(CheckContext &context) { FreedChecker(context).run(); }

} // namespace fathom::statics
