// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of a program's calls before the analysis: the call graph, what a function may
// touch, and which calls are analysed in their callers' states.
//
// The cost of analysing every call in its caller's state is the size of the program's call tree:
// small for a small program, and prohibitive for a large one. The plan estimates it: a function
// costs its statements, those in loops several times, and the statements of the calls that are
// followed. A call is followed if its callee costs at most a limit, and the limit is the greatest
// one with which the whole analysis stays within the budget. All other calls share one analysis per
// function.
#ifndef FATHOM_STATICS_ABSTRACT_CALLPLAN_H
#define FATHOM_STATICS_ABSTRACT_CALLPLAN_H

#include "statics/abstract/Fixpoint.h"

#include "llvm/ADT/BitVector.h"

#include <map>
#include <vector>

namespace fathom::statics::abstract {

/// Objects that functions, or their callees, name. No other function touches those of them that do
/// not escape.
struct Touched {
  llvm::BitVector objects;
  std::vector<ObjectId> ownObjects; ///< those that do not escape
  std::vector<VarId> sizes;         ///< of heap objects that may be made
};

class CallPlan {
public:
  CallPlan(const AbstractProgram &program, const std::vector<FunctionPlan> &plans,
           uint64_t mostStatements);

  /// Is a call of it analysed in its caller's state, unless it is active there already?
  bool isFollowed(FunctionId callee) const { return cost_[callee] <= limit_; }
  /// Did the budget allow to follow every such call?
  bool followsAll() const;
  /// Can several calls of it be active at a time?
  bool isRecursive(FunctionId function) const { return recursive_.test(function); }
  const llvm::BitVector &recursive() const { return recursive_; }
  /// Callees have lower ranks than their callers, but for recursion.
  uint32_t rank(FunctionId function) const { return rank_[function]; }
  /// Functions whose address is taken: code outside may call them.
  const std::vector<FunctionId> &addressTaken() const { return addressTaken_; }

  const Touched &touchedBy(const std::vector<FunctionId> &functions);
  /// The part of a state that goes to a call that is not followed, and comes back: without
  /// parameters and result.
  const Boundary &entryOf(FunctionId function);
  const Boundary &exitOf(FunctionId function);

private:
  void findCalls();
  void findCycles();
  double computeCosts(double limit);
  double costOf(FunctionId function, double limit, bool withCycle) const;
  bool mayCallOutside(const Statement &s) const;
  Boundary boundaryOf(FunctionId function, bool isEntry);

  const AbstractProgram &program_;
  std::vector<FunctionId> addressTaken_;
  std::vector<std::vector<FunctionId>> callees_; ///< each once; through pointers too
  std::vector<std::vector<ObjectId>> named_;     ///< by function: objects that its code names
  std::vector<std::vector<double>> weights_;     ///< by function and block
  llvm::BitVector recursive_;
  std::vector<FunctionId> component_; ///< one of the functions that call each other
  std::vector<uint32_t> rank_;
  std::vector<FunctionId> order_; ///< by rank
  std::vector<double> cost_;
  double limit_ = 0;
  std::map<std::vector<FunctionId>, Touched> touched_;
  std::map<FunctionId, Boundary> entries_, exits_;
};

} // namespace fathom::statics::abstract
#endif
