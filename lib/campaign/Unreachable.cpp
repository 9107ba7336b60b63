// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Unreachable.h"

#include "campaign/ConditionTerms.h"
#include "program/Load.h"
#include "program/Prepare.h"
#include "solver/Chain.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <algorithm>
#include <map>

using namespace llvm;

namespace fathom::campaign {

using expr::ExprPtr;

namespace {

bool isOwn(const Function &function) {
  return !function.isDeclaration() && program::isOwnFunction(function);
}

/// Edges of one function that are never taken: (block, number of the successor).
using DeadEdges = std::map<const BasicBlock *, std::vector<bool>>;

/// Asks a solver about the conditions of one function.
class Conditions {
public:
  explicit Conditions(Function &function)
      : tree_(function), terms_(context_, function),
        chain_(solver::makeChain(context_, options())) {}

  /// By successor. `terminator`: a conditional branch or a switch, of a block that the entry leads
  /// to.
  std::vector<bool> neverTaken(const Instruction &terminator) {
    solver::PathCondition path = leadingTo(*terminator.getParent());
    std::vector<bool> never;
    for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
      never.push_back(isImpossible(path, conditionFor(terminator, i)));
    return never;
  }
  bool isReachable(const BasicBlock &block) const { return tree_.isReachableFromEntry(&block); }

private:
  /// Limits for one block: dominators that are visited, nearest first, and conditions of branches
  /// that are collected from them.
  static constexpr unsigned kMaxDominators = 64, kMaxConditions = 8;
  /// Limit for one function: further sides count as possible.
  static constexpr unsigned kMaxQueries = 4000;

  static solver::SolverOptions options() {
    solver::SolverOptions options;
    // Nothing is enumerated: where two sides are possible, circuits say so at once.
    options.useStages({"witness", "domains", "guided", "external"}, false);
    // Steps, not time: the same on every machine. What needs a search is left unknown.
    options.satGates = 20'000;
    options.satConflicts = 300;
    options.z3ResourceLimit = 20'000;
    return options;
  }

  /// The condition under which control goes to the successor. Null: it cannot be a term.
  ExprPtr conditionFor(const Instruction &terminator, unsigned successor) {
    if (auto *branch = dyn_cast<BranchInst>(&terminator)) {
      ExprPtr condition = terms_.term(*branch->getCondition());
      return successor == 0 ? condition : context_.bvNot(condition);
    }
    auto &inst = *cast<SwitchInst>(&terminator);
    if (inst.getCondition()->getType()->getIntegerBitWidth() > 64) return nullptr;
    ExprPtr value = terms_.term(*inst.getCondition());
    auto isLabel = [&](const auto &label) {
      return context_.eq(value,
                         context_.constant(label.getCaseValue()->getZExtValue(), value->width()));
    };
    if (successor) return isLabel(*SwitchInst::ConstCaseIt::fromSuccessorIndex(&inst, successor));
    ExprPtr result = context_.trueExpr();
    for (const auto &label : inst.cases())
      result = context_.bvAnd(result, context_.bvNot(isLabel(label)));
    return result;
  }

  /// The conditions of branches one of whose edges dominates the block. Their operands still have
  /// the values that they had at the branch: a value cannot be computed anew between a branch that
  /// it dominates and a block that the branch dominates.
  solver::PathCondition leadingTo(const BasicBlock &block) {
    solver::PathCondition path;
    unsigned dominators = kMaxDominators, conditions = kMaxConditions;
    const BasicBlock *below = &block; // the edge that dominates leads to the last dominator
    for (auto *node = tree_.getNode(&block)->getIDom(); node && dominators && conditions;
         below = node->getBlock(), node = node->getIDom(), --dominators) {
      const Instruction &terminator = *node->getBlock()->getTerminator();
      if (below->getSinglePredecessor() != node->getBlock() || terminator.getNumSuccessors() < 2 ||
          !isa<BranchInst, SwitchInst>(terminator))
        continue;
      for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
        if (terminator.getSuccessor(i) == below)
          if (ExprPtr condition = conditionFor(terminator, i)) path.add(condition), --conditions;
    }
    return path;
  }

  bool isImpossible(const solver::PathCondition &path, ExprPtr goal) {
    if (!goal || queries_ == kMaxQueries) return false;
    ++queries_;
    solver::Query query{.path = path, .goal = goal, .needModel = false};
    return chain_->check(query).kind == solver::AnswerKind::Unsat;
  }

  DominatorTree tree_;
  expr::ExprContext context_;
  ConditionTerms terms_;
  std::unique_ptr<solver::FeasibilityOracle> chain_;
  unsigned queries_ = 0;
};

DeadEdges deadEdges(Function &function) {
  DeadEdges dead;
  Conditions conditions(function);
  for (BasicBlock &block : function) {
    const Instruction &terminator = *block.getTerminator();
    if (terminator.getNumSuccessors() < 2 || !isa<BranchInst, SwitchInst>(terminator) ||
        !conditions.isReachable(block))
      continue;
    std::vector<bool> never = conditions.neverTaken(terminator);
    if (std::find(never.begin(), never.end(), true) != never.end())
      dead.emplace(&block, std::move(never));
  }
  return dead;
}

/// The blocks that are reachable from their function's entry without dead edges, and the functions
/// that can be called.
class Reached {
public:
  explicit Reached(Module &module) : module_(module) {
    ValueToValueMapTy copies;
    std::unique_ptr<Module> copy = CloneModule(module, copies);
    for (Function &function : module) {
      if (!isOwn(function)) continue;
      auto &twin = *cast<Function>(copies[&function]);
      program::promoteLocals(twin); // blocks stay as they are
      DeadEdges dead = deadEdges(twin);
      for (BasicBlock &block : function)
        if (auto found = dead.find(cast<BasicBlock>(copies[&block])); found != dead.end())
          dead_.emplace(&block, std::move(found->second));
      enterBlocks(function);
    }
    enterFunctions();
  }

  bool isNever(const Instruction &terminator, unsigned successor) const {
    auto found = dead_.find(terminator.getParent());
    return found != dead_.end() && found->second[successor];
  }

  Unreachable why(const BasicBlock &block) const {
    if (!functions_.count(block.getParent())) return Unreachable::Uncalled;
    return blocks_.count(&block) ? Unreachable::No : Unreachable::Behind;
  }

private:
  void enterBlocks(const Function &function) {
    SmallVector<const BasicBlock *, 32> todo{&function.getEntryBlock()};
    blocks_.insert(todo.back());
    while (!todo.empty()) {
      const Instruction &terminator = *todo.pop_back_val()->getTerminator();
      for (unsigned i = 0; i < terminator.getNumSuccessors(); ++i)
        if (!isNever(terminator, i) && blocks_.insert(terminator.getSuccessor(i)).second)
          todo.push_back(terminator.getSuccessor(i));
    }
  }

  void enterFunctions() {
    std::vector<const Function *> todo;
    auto enter = [&](const Function &function) {
      if (!function.isDeclaration() && functions_.insert(&function).second)
        todo.push_back(&function);
    };
    for (const Function &function : module_)
      if (!program::isOwnFunction(function) || function.hasAddressTaken() ||
          function.getName() == "main" ||
          StringRef(module_.getModuleInlineAsm()).contains(function.getName()))
        enter(function);
    while (!todo.empty()) {
      const Function &function = *todo.back();
      todo.pop_back();
      for (const BasicBlock &block : function) {
        if (isOwn(function) && !blocks_.count(&block)) continue;
        for (const Instruction &instruction : block)
          if (auto *call = dyn_cast<CallBase>(&instruction))
            if (const Function *callee = call->getCalledFunction()) enter(*callee);
      }
    }
  }

  Module &module_;
  DeadEdges dead_; ///< of all functions
  SmallPtrSet<const BasicBlock *, 32> blocks_;
  SmallPtrSet<const Function *, 32> functions_;
};

} // namespace

UnreachableElements unreachableElements(Module &module) {
  Reached reached(module);
  UnreachableElements elements;
  for (const Function &function : module)
    if (isOwn(function))
      for (const BasicBlock &block : function) elements.blocks.push_back(reached.why(block));
  program::forEachBranch(module, [&](const Instruction &terminator, uint32_t) {
    if (!program::isOwnBranch(terminator)) return;
    // As collectBranches numbers sides: one when the condition holds; a switch's by their targets.
    std::vector<uint32_t> sides{1, 0};
    if (auto *inst = dyn_cast<SwitchInst>(&terminator)) sides = program::switchSides(*inst);
    const size_t base = elements.sides.size();
    const Unreachable block = reached.why(*terminator.getParent());
    elements.sides.resize(base + program::numSides(terminator),
                          block == Unreachable::No ? Unreachable::Condition : block);
    for (unsigned i = 0; i < sides.size(); ++i)
      if (block == Unreachable::No && !reached.isNever(terminator, i))
        elements.sides[base + sides[i]] = Unreachable::No;
  });
  return elements;
}

} // namespace fathom::campaign
