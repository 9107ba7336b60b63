// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value goes, and through what: a bounded search on realizable paths of the value-flow
// graph. Reachability answers the same question without bounds; a checker asks it for each of
// thousands of sources, wants to cut edges that cannot be taken, and needs the path for its report.
// Paths stay in the program's own code: library calls are what the rows of LibraryFunctions.h
// say.
#ifndef FATHOM_STATICS_CHECKERS_FLOWSEARCH_H
#define FATHOM_STATICS_CHECKERS_FLOWSEARCH_H

#include "statics/checkers/View.h"

#include <set>

namespace fathom::statics {

class FlowSearch {
public:
  static constexpr uint32_t kNoState = ~uint32_t(0);
  struct State {
    FlowNode node;
    uint32_t stack;    ///< 0: not inside of a call that was entered on the path
    uint32_t previous; ///< kNoState: a beginning
    FlowKind kind;
    uint32_t call;         ///< of Call and Return
    bool isPure;           ///< since the call was entered: versions of one memory only
    uint32_t doubts;       ///< steps through memory that stands for several objects
    bool isBehind = false; ///< of a beginning: an edge led there
  };
  struct Limits {
    uint32_t states = 4000;
    uint32_t depth = 7; ///< of calls that are entered and not left
    bool leave = true;  ///< go on in callers of the function where the path begins
    bool forward = true;
  };

  FlowSearch(View &view, const Limits &limits) : view_(view), limits_(limits) {}

  /// A node where paths begin.
  void begin(FlowNode node, uint32_t doubts = 0);
  /// One to which an edge leads from a node that is not part of the search.
  void beginBehind(FlowNode node, FlowKind kind, uint32_t call, uint32_t doubts);
  /// One inside of a call, to which the path goes back.
  void beginInside(FlowNode node, uint32_t call);
  /// The innermost call that the path entered and did not leave; kNone: none.
  uint32_t innermostCall(uint32_t stack) const { return stack ? frames_[stack].call : kNone; }
  /// The outermost one.
  uint32_t outermostCall(uint32_t stack) const {
    uint32_t call = kNone;
    for (; stack != 0; stack = frames_[stack].parent) call = frames_[stack].call;
    return call;
  }
  /// Nearest first. `take` is asked before an edge out of a state is followed.
  ///
  /// \param take   bool(const State &from, FlowNode to, FlowKind, uint32_t call)
  /// \param visit  bool(uint32_t state); false: nothing after it is looked at.
  template <class Take, class Visit> void run(Take &&take, Visit &&visit) {
    for (; next_ < states_.size(); next_++) {
      if (states_.size() > limits_.states) {
        isCut = true;
        return;
      }
      const uint32_t id = next_;
      if (!visit(id)) continue;
      const State state = states_[id];
      forEachEdge(state, [&](FlowNode to, FlowKind kind, uint32_t call) {
        if (take(state, to, kind, call)) follow(id, to, kind, call);
      });
    }
  }
  const State &operator[](uint32_t state) const { return states_[state]; }
  size_t size() const { return states_.size(); }
  /// From a beginning to the state.
  std::vector<uint32_t> path(uint32_t state) const;
  bool isCut = false; ///< the bound ended it

private:
  struct Frame {
    uint32_t parent, call, cell, depth;
    bool callerIsPure;
  };
  template <class Edge> void forEachEdge(const State &state, Edge &&edge) {
    const auto edges =
        limits_.forward ? view_.flow.successors(state.node) : view_.flow.predecessors(state.node);
    for (const FlowEdge &e : edges) {
      const bool crosses = e.kind() == FlowKind::Call || e.kind() == FlowKind::Return;
      const FunctionId at = view_.flow.functionOf(e.to);
      if (crosses && at != kNone && !view_.isOwn(at)) {
        passLibrary(state, e.call(), edge);
        continue;
      }
      edge(e.to, e.kind(), crosses ? e.call() : 0);
    }
  }
  /// Memory that a library function may write is what it was before.
  template <class Edge> void passLibrary(const State &state, uint32_t call, Edge &&edge) {
    if (view_.flow.isValue(state.node) || view_.flow.isTransfer(state.node)) return;
    const FunctionId f = view_.flow.functionOf(state.node);
    if (!view_.isOwn(f)) return;
    const StatementId at = view_.facts.calls[call].statement;
    if (view_.functionOf(at) != f) return;
    const MemorySsa &ssa = view_.flow.memory(f);
    for (const VersionId chi : ssa.chisOf(at)) {
      const FlowNode after = view_.flow.ofVersion(f, chi);
      const FlowNode before = view_.flow.ofVersion(f, ssa.versions[chi].previous);
      if ((limits_.forward ? before : after) == state.node)
        edge(limits_.forward ? after : before, FlowKind::Direct, 0);
    }
  }
  void follow(uint32_t from, FlowNode to, FlowKind kind, uint32_t call);
  void add(const State &state);
  bool isSummary(FlowNode node) const;

  View &view_;
  const Limits limits_;
  std::vector<State> states_;
  std::vector<Frame> frames_{{0, 0, 0, 0, false}};
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, bool>, uint32_t> knownFrames_;
  std::set<std::pair<FlowNode, uint32_t>> seen_;
  uint32_t next_ = 0;
};

} // namespace fathom::statics
#endif
