// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fixpoint of one function in one context.
//
// The states of different ways to a place stay apart while the runner allows it, and the first
// rounds of a loop are run one by one (States.h). If a round finds no new state at the loop's head,
// that was all of it; else the fixpoint begins with what comes in after them, joined.
#ifndef FATHOM_STATICS_ABSTRACT_FIXPOINT_H
#define FATHOM_STATICS_ABSTRACT_FIXPOINT_H

#include "statics/abstract/Analysis.h"
#include "statics/abstract/States.h"
#include "statics/abstract/WeakOrder.h"

#include <unordered_map>

namespace fathom::statics::abstract {

/// What does not depend on the context.
struct FunctionPlan {
  struct Incoming {
    BlockId block = 0;
    uint32_t edge = 0;
  };
  std::vector<OrderElement> order;
  std::vector<std::vector<Incoming>> incoming; ///< by block
  std::vector<uint32_t> position;              ///< of each block in the order
  std::vector<uint32_t> componentEnd;          ///< of heads: position after the last block
  std::vector<BlockId> blockAt;                ///< by position
  std::vector<int64_t> thresholds;             ///< constants of the function, for widening
  explicit FunctionPlan(const Function &function);
};

/// A function in one context: its states, and the calls from it.
struct Instance {
  Instance(FunctionId function, State bottom, size_t blocks);
  FunctionId function;
  State entry;
  States exit;
  std::vector<States> in;                 ///< by block
  std::vector<std::vector<States>> edges; ///< by block and successor
  bool isSolved = false;
  /// It, or a call from it, used results of shared analyses, as they were in this epoch.
  bool readsShared = false;
  uint64_t epoch = 0;
  /// By block, statement and callee.
  std::map<std::tuple<BlockId, uint32_t, FunctionId>, std::unique_ptr<Instance>> calls;
};

/// Widens ever more coarsely: first to all constants of the program, then to those of the function
/// at hand, to bounds of types, and at last to anything. A program has thousands of constants; a
/// variable would stop at each of them.
class Widening {
public:
  Widening(const AbstractProgram &program, const FunctionPlan &plan)
      : program_(program), plan_(plan) {}
  /// state := state joined with next, and wider. `round` counts from 0.
  void apply(State &state, const State &next, unsigned round) const;

private:
  const AbstractProgram &program_;
  const FunctionPlan &plan_;
  const std::vector<int64_t> types_ = boundsOfTypes(), none_{};
};

/// Runs a block's statements in place and returns the states of its edges.
class BlockRunner {
public:
  virtual ~BlockRunner() = default;
  /// Fills instance.edges[block], and adds to instance.exit what returns.
  virtual void runBlock(Instance &instance, BlockId block) = 0;
  /// How many states of a place may be kept apart now: at least 1.
  virtual size_t mostParts() const = 0;
  /// May one more of the first rounds of a loop with so many blocks be run by itself?
  virtual bool mayUnroll(unsigned round, size_t blocks) = 0;
};

/// Computes instance.in and instance.edges for instance.entry.
class Fixpoint {
public:
  Fixpoint(const AbstractProgram &program, const AnalysisOptions &options, BlockRunner &runner,
           const FunctionPlan &plan, Instance &instance)
      : program_(program), options_(options), runner_(runner), plan_(plan), instance_(instance),
        widening_(program, plan) {}
  void solve();

private:
  void run(const std::vector<OrderElement> &elements);
  void stabilise(const OrderElement &component);
  void narrow(const OrderElement &component, const State &before);
  /// What rounds of a loop that were run one by one leave behind.
  struct Left {
    std::vector<States> in;                 ///< by position in the component
    std::vector<std::vector<States>> edges; ///< those that leave it
  };
  /// True: all rounds were run.
  bool unroll(const OrderElement &component, States &state, Left &left);
  void collect(BlockId head, Left &left) const;
  void putBack(BlockId head, Left left);
  void runRound(const OrderElement &component, States head);
  void runBlock(BlockId block, States states);
  /// Edges into a block whose source is inside, or outside, of the component of `head`.
  States incoming(BlockId block, BlockId head, bool fromInside) const;
  States allIncoming(BlockId block) const;
  State bottom() const { return State::bottom(instance_.entry.domain()); }
  bool isInside(BlockId block, BlockId head) const;

  const AbstractProgram &program_;
  const AnalysisOptions &options_;
  BlockRunner &runner_;
  const FunctionPlan &plan_;
  Instance &instance_;
  const Widening widening_;
};

} // namespace fathom::statics::abstract
#endif
