// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures what each level of the analysis rules out (Precision.h). For points-to sets alone, a
// search runs on a graph whose versions of memory are collapsed (CollapsedGraph); for memory SSA,
// on the value-flow graph along all paths (PlainSearch); for matched calls, Reachability answers.
#include "statics/checkers/Precision.h"

#include "evidence/BugKind.h"
#include "support/WorkClock.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace fathom::statics {

using evidence::BugKind;

namespace {

/// The graph of FlowLevel::PointsTo: that of the value flow, in which a version of memory is a set
/// of locations. A set that is read gets what is in its locations, and one that is written gives it
/// to them.
class CollapsedGraph {
public:
  explicit CollapsedGraph(const ValueFlow &flow)
      : flow_(flow), firstLocation_(static_cast<uint32_t>(flow.facts.values.size())),
        firstRead_(firstLocation_ + flow.pts.locations.count()),
        firstWritten_(firstRead_ + static_cast<uint32_t>(flow.pts.sets.size())),
        firstTransfer_(firstWritten_ + static_cast<uint32_t>(flow.pts.sets.size())) {
    std::vector<FlowGraph::Raw> raw;
    const FlowGraph &from = flow.graph();
    std::set<SetId> known;
    while (transfers_ < from.numNodes() && !flow.isTransfer(transfers_)) transfers_++;
    for (FlowNode node = 0; node < from.numNodes(); node++) {
      // A constant that is written has no edge, and is a source.
      if (isVersion(node)) known.insert(setOf(node));
      for (const FlowEdge &e : from.successors(node)) {
        if (e.kind() == FlowKind::Derived || (isVersion(node) && isVersion(e.to))) continue;
        raw.push_back({readNode(node), writtenNode(e.to), 0});
      }
    }
    for (const SetId set : known)
      flow.pts.sets[set].forEach([&](LocationId l) {
        raw.push_back({firstLocation_ + l, firstRead_ + set, 0});
        raw.push_back({firstWritten_ + set, firstLocation_ + l, 0});
      });
    graph_ = FlowGraph(firstTransfer_ + (from.numNodes() - transfers_), std::move(raw));
  }

  const FlowGraph &graph() const { return graph_; }
  /// Where the content of a node of the value flow is put.
  FlowNode writtenNode(FlowNode node) const {
    if (isVersion(node)) return firstWritten_ + setOf(node);
    return flow_.isTransfer(node) ? firstTransfer_ + (node - transfers_) : node;
  }

private:
  bool isVersion(FlowNode node) const { return !flow_.isValue(node) && !flow_.isTransfer(node); }
  SetId setOf(FlowNode node) const {
    return flow_.memory(flow_.functionOf(node)).regions[flow_.version(node).region];
  }
  FlowNode readNode(FlowNode node) const {
    return isVersion(node) ? firstRead_ + setOf(node) : writtenNode(node);
  }

  const ValueFlow &flow_;
  const uint32_t firstLocation_, firstRead_, firstWritten_, firstTransfer_;
  FlowNode transfers_ = 0; ///< the first transfer of the value flow
  FlowGraph graph_;
};

/// Everything behind a node, whatever the labels of edges say.
class PlainSearch {
public:
  PlainSearch(const FlowGraph &graph, bool forward)
      : graph_(graph), forward_(forward), seen_(graph.numNodes()) {}

  template <class Visit> void from(FlowNode begin, Visit &&visit) {
    round_++;
    queue_.assign(1, begin);
    seen_[begin] = round_;
    for (size_t next = 0; next < queue_.size(); next++) {
      const FlowNode node = queue_[next];
      visit(node);
      for (const FlowEdge &e : forward_ ? graph_.successors(node) : graph_.predecessors(node))
        if (e.kind() != FlowKind::Derived && seen_[e.to] != round_) {
          seen_[e.to] = round_;
          queue_.push_back(e.to);
        }
    }
  }

private:
  const FlowGraph &graph_;
  const bool forward_;
  std::vector<uint32_t> seen_;
  std::vector<FlowNode> queue_;
  uint32_t round_ = 0;
};

struct FlowSource {
  StatementId statement;
  FlowNode node;
  uint32_t call = kNone; ///< the node is a parameter that gets it at this call
};

class Measurement {
public:
  Measurement(View &view, const PrecisionOptions &options, const std::atomic<bool> &stop)
      : view_(view), facts_(view.facts), flow_(view.flow), options_(options), stop_(stop) {}

  Precision run() {
    countPointees();
    collectSources();
    for (const BugKind kind : {BugKind::NullDereference, BugKind::InvalidFree}) askSources(kind);
    askLoads();
    for (FlowPair &pair : out_.pairs)
      for (size_t l = 0; l < kFlowLevels; l++) {
        pair.may[l] &= l == 0 || pair.may[l - 1];
        out_.levels[l].pairs += pair.may[l];
      }
    out_.isComplete = !stop_;
    return std::move(out_);
  }

private:
  using Clock = WorkClock;

  template <class Visit> void forEachStatement(Visit &&visit) const {
    for (StatementId s = 0; s < facts_.statements.size(); s++) {
      const FunctionId f = view_.functionOf(s);
      if (view_.isOwn(f) && view_.pts.isReached(f)) visit(s, f);
    }
  }

  static bool isAccess(const Statement &s) {
    return s.kind == StatementKind::Load || s.kind == StatementKind::Store;
  }

  void countPointees() {
    uint64_t count = 0, locations = 0;
    forEachStatement([&](StatementId id, FunctionId) {
      const Statement &s = facts_.statements[id];
      if (!isAccess(s)) return;
      count++;
      locations += view_.pts.of(facts_.operandsOf(s)[0]).count();
    });
    out_.pointees = count ? double(locations) / double(count) : 0;
  }

  std::vector<FlowSource> &sourcesOf(BugKind kind) {
    return kind == BugKind::InvalidFree ? addresses_ : nulls_;
  }

  void collectSources() {
    forEachStatement([&](StatementId id, FunctionId f) {
      const Statement &s = facts_.statements[id];
      const auto operands = facts_.operandsOf(s);
      if (s.kind == StatementKind::Call && s.result != kNone &&
          view_.mayReturnNull(facts_.calls[s.extra]))
        nulls_.push_back({id, s.result});
      if (s.kind == StatementKind::Address && view_.isVariable(s.result))
        addresses_.push_back({id, s.result});
      if (s.kind == StatementKind::Branch) addComparison(id);
      for (uint32_t i = 0; i < operands.size(); i++) {
        const bool isNull = operands[i] == kNullValue;
        if (!isNull &&
            (facts_.values[operands[i]].function != kNone || !view_.isVariable(operands[i])))
          continue;
        addConstant(id, f, i, isNull ? BugKind::NullDereference : BugKind::InvalidFree);
      }
    });
  }

  /// `if (p == 0)`: what is compared may be null.
  void addComparison(StatementId id) {
    const Statement &s = facts_.statements[id];
    if (s.numOperands == 0 || s.extra != kNone) return;
    const StatementId at = facts_.values[facts_.operandsOf(s)[0]].definition;
    if (at == kNone || facts_.statements[at].kind != StatementKind::Compare) return;
    const auto sides = facts_.operandsOf(facts_.statements[at]);
    if (sides[1] == kNullValue && facts_.values[sides[0]].function != kNone &&
        facts_.values[sides[0]].mayPoint)
      nulls_.push_back({id, sides[0]});
  }

  /// The nodes that a constant gets into at a statement.
  void addConstant(StatementId id, FunctionId f, uint32_t operand, BugKind kind) {
    const Statement &s = facts_.statements[id];
    std::vector<FlowSource> &to = sourcesOf(kind);
    if (isSink(id, operand, kind)) addPair({kind, id, id, {true, true, true}});
    switch (s.kind) {
    case StatementKind::Copy:
      if (s.result != kNone && facts_.values[s.result].mayPoint) to.push_back({id, s.result});
      break;
    case StatementKind::Gep:
      if (kind == BugKind::InvalidFree && operand == 0) to.push_back({id, s.result});
      break;
    case StatementKind::Store:
      if (operand == 1 && s.bytes == 8)
        for (const VersionId chi : flow_.memory(f).chisOf(id))
          to.push_back({id, flow_.ofVersion(f, chi)});
      break;
    case StatementKind::Return:
      if (facts_.values[facts_.functions[f].returned].mayPoint)
        to.push_back({id, facts_.functions[f].returned});
      break;
    case StatementKind::Call:
      for (const FunctionId callee : view_.pts.callees(s.extra)) {
        const Function &function = facts_.functions[callee];
        if (view_.isOwn(callee) && operand < function.parameters.size())
          to.push_back({id, function.parameters[operand], s.extra});
      }
      break;
    default: break;
    }
  }

  bool isSink(StatementId id, uint32_t operand, BugKind kind) const {
    return kind == BugKind::InvalidFree ? view_.useOf(id, operand) == UseKind::Freed
                                        : view_.dereferences(id, operand);
  }

  void addPair(const FlowPair &pair) {
    auto [known, isNew] = known_.try_emplace(std::tuple(pair.kind, pair.source, pair.sink),
                                             static_cast<uint32_t>(out_.pairs.size()));
    if (isNew) return out_.pairs.push_back(pair);
    FlowPair &old = out_.pairs[known->second];
    for (size_t l = 0; l < kFlowLevels; l++) old.may[l] |= pair.may[l];
  }

  /// The sinks that a value is an operand of.
  void addSinks(BugKind kind, FlowLevel level, StatementId source, ValueId value) {
    for (const StatementId user : view_.users(value)) {
      const auto operands = facts_.operandsOf(facts_.statements[user]);
      for (uint32_t i = 0; i < operands.size(); i++)
        if (operands[i] == value && isSink(user, i, kind)) {
          FlowPair pair{kind, source, user, {}};
          pair.may[static_cast<size_t>(level)] = true;
          addPair(pair);
        }
    }
  }

  void addTime(FlowLevel level, Clock::time_point begin) {
    out_.levels[static_cast<size_t>(level)].seconds +=
        std::chrono::duration<double>(Clock::now() - begin).count();
  }

  /// Every n-th of so many, so that there are not more than `most`.
  static size_t stride(size_t count, uint32_t most) { return (count + most - 1) / most; }

  void askSources(BugKind kind) {
    const std::vector<FlowSource> &sources = sourcesOf(kind);
    out_.sources += static_cast<uint32_t>(sources.size());
    std::vector<FlowSource> asked;
    for (size_t i = 0; i < sources.size(); i += stride(sources.size(), options_.mostSources))
      asked.push_back(sources[i]);
    out_.sourcesAsked += static_cast<uint32_t>(asked.size());
    const auto ask = [&](FlowLevel level, auto &&reach) {
      for (const FlowSource &source : asked) {
        if (stop_) return;
        reach(source, [&](FlowNode node) {
          if (flow_.isValue(node)) addSinks(kind, level, source.statement, node);
        });
      }
    };
    auto begin = Clock::now();
    {
      const CollapsedGraph collapsed(flow_);
      PlainSearch search(collapsed.graph(), /*forward=*/true);
      ask(FlowLevel::PointsTo, [&](const FlowSource &source, auto &&visit) {
        search.from(collapsed.writtenNode(source.node), visit);
      });
    }
    addTime(FlowLevel::PointsTo, begin);
    begin = Clock::now();
    {
      PlainSearch search(flow_.graph(), /*forward=*/true);
      ask(FlowLevel::MemorySsa,
          [&](const FlowSource &source, auto &&visit) { search.from(source.node, visit); });
    }
    addTime(FlowLevel::MemorySsa, begin);
    begin = Clock::now();
    Reachability matched(flow_.graph(), FlowDirection::Forward, /*derived=*/false, &stop_);
    ask(FlowLevel::Summaries, [&](const FlowSource &source, auto &&visit) {
      const bool isInside = source.call != kNone;
      for (const FlowNode node :
           isInside ? matched.fromInside(source.node, source.call) : matched.from(source.node))
        visit(node);
    });
    addTime(FlowLevel::Summaries, begin);
  }

  /// Which stores a load may read: along versions of memory only.
  void askLoads() {
    std::vector<StatementId> loads;
    forEachStatement([&](StatementId id, FunctionId f) {
      if (facts_.statements[id].kind == StatementKind::Load && !flow_.memory(f).musOf(id).empty())
        loads.push_back(id);
    });
    out_.loads = static_cast<uint32_t>(loads.size());
    std::vector<StatementId> asked;
    for (size_t i = 0; i < loads.size(); i += stride(loads.size(), options_.mostLoads))
      asked.push_back(loads[i]);
    out_.loadsAsked = static_cast<uint32_t>(asked.size());
    askPointsTo(asked);
    std::vector<FlowGraph::Raw> raw;
    std::vector<uint32_t> cells(flow_.graph().numNodes());
    for (FlowNode node = 0; node < flow_.graph().numNodes(); node++) {
      cells[node] = flow_.graph().cellOf(node);
      if (flow_.isValue(node) || flow_.isTransfer(node)) continue;
      for (const FlowEdge &e : flow_.successors(node))
        if (!flow_.isValue(e.to) && !flow_.isTransfer(e.to)) raw.push_back({node, e.to, e.label});
    }
    FlowGraph memory(flow_.graph().numNodes(), std::move(raw));
    memory.setCells(std::move(cells));
    PlainSearch plain(memory, /*forward=*/false);
    askVersions(asked, FlowLevel::MemorySsa,
                [&](FlowNode node, auto &&visit) { plain.from(node, visit); });
    Reachability matched(memory, FlowDirection::Backward, /*derived=*/false, &stop_);
    askVersions(asked, FlowLevel::Summaries, [&](FlowNode node, auto &&visit) {
      for (const FlowNode from : matched.from(node)) visit(from);
    });
  }

  void askPointsTo(const std::vector<StatementId> &asked) {
    const auto begin = Clock::now();
    std::map<SetId, uint64_t> stores; // how many write a set
    for (const Statement &s : facts_.statements)
      if (s.kind == StatementKind::Store && view_.pts.isReached(facts_.functionOf(s)))
        stores[flow_.modRef.statementMod(s)]++;
    for (const StatementId load : asked) {
      if (stop_) return;
      const SparseBits &read = view_.pts.sets[flow_.modRef.statementRef(facts_.statements[load])];
      for (const auto &[set, count] : stores)
        if (view_.pts.sets[set].intersects(read))
          out_.levels[static_cast<size_t>(FlowLevel::PointsTo)].stores += count;
    }
    addTime(FlowLevel::PointsTo, begin);
  }

  template <class Search>
  void askVersions(const std::vector<StatementId> &asked, FlowLevel level, Search &&search) {
    const auto begin = Clock::now();
    std::set<StatementId> stores;
    for (const StatementId load : asked) {
      if (stop_) return;
      stores.clear();
      const FunctionId f = view_.functionOf(load);
      const SparseBits &read = view_.pts.sets[flow_.modRef.statementRef(facts_.statements[load])];
      const auto mayWrite = [&](const Statement &s) {
        return s.kind == StatementKind::Store &&
               view_.pts.sets[flow_.modRef.statementMod(s)].intersects(read);
      };
      for (const MemorySsa::Use &mu : flow_.memory(f).musOf(load))
        search(flow_.ofVersion(f, mu.version), [&](FlowNode node) {
          const StatementId at = flow_.definition(node);
          if (at != kNone && mayWrite(facts_.statements[at])) stores.insert(at);
        });
      out_.levels[static_cast<size_t>(level)].stores += stores.size();
    }
    addTime(level, begin);
  }

  View &view_;
  const Facts &facts_;
  const ValueFlow &flow_;
  const PrecisionOptions options_;
  const std::atomic<bool> &stop_;
  std::vector<FlowSource> nulls_, addresses_;
  std::map<std::tuple<BugKind, StatementId, StatementId>, uint32_t> known_;
  Precision out_;
};

} // namespace

const char *nameOf(FlowLevel level) {
  switch (level) {
  case FlowLevel::PointsTo: return "points-to";
  case FlowLevel::MemorySsa: return "memory-ssa";
  case FlowLevel::Summaries: return "summaries";
  }
  return "";
}

Precision measurePrecision(View &view, const PrecisionOptions &options,
                           const std::atomic<bool> &stop) {
  return Measurement(view, options, stop).run();
}

std::string printPrecision(const View &view, const Precision &precision, bool withPairs) {
  std::string out = fmt::format("locations per address: {:.1f}\n", precision.pointees);
  out += fmt::format("sources: {}, asked: {}; loads: {}, asked: {}\n", precision.sources,
                     precision.sourcesAsked, precision.loads, precision.loadsAsked);
  for (size_t l = 0; l < kFlowLevels; l++) {
    const Precision::Level &level = precision.levels[l];
    out += fmt::format("{}: {} pairs of source and sink, {} pairs of store and load, {:.2f} s\n",
                       nameOf(static_cast<FlowLevel>(l)), level.pairs, level.stores, level.seconds);
  }
  if (!withPairs) return out;
  for (const FlowPair &pair : precision.pairs) {
    std::string levels;
    for (size_t l = 0; l < kFlowLevels; l++)
      if (pair.may[l]) levels += fmt::format(" {}", nameOf(static_cast<FlowLevel>(l)));
    const auto place = [&](StatementId statement) {
      const ReportStep step = view.step(statement, StepRole::Unknown, "");
      return step.line ? fmt::format("{}:{}", step.file, step.line) : step.function;
    };
    out += fmt::format("{}: {} -> {}:{}\n", evidence::name(pair.kind), place(pair.source),
                       place(pair.sink), levels);
  }
  return out;
}

} // namespace fathom::statics
