// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a graph of blocks to nested structures. After N. Ramsey, "Beyond Relooper" (ICFP 2022): the
// dominator tree says what stands inside of what. A block's children in it are
//
//   inside of its branch   where control comes only from there, or where it is one of the ways out
//                          of the branch and not what all paths come to (postdominators tell)
//   after its branch       the others: where ways meet again
//   after a loop           those that belong to no cycle of it and are met again, or that the
//                          branch leads to that ends the loop
//
// Departs from it: there are no multi-level exits. Each block stands in one place, which is run
// through to its end; where two ways never meet again, because one of them leaves, the longer one
// stands after the branch, as it does in the source. A loop is a natural loop, and one two-way
// branch that leaves it is the loop's own condition: its header's, its latch's, or else the first.
// A cycle without a header that dominates it is not seen as a loop.
#include "program/Structures.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>

namespace fathom::program {

using namespace llvm;

namespace {

class Structurer {
public:
  Structurer(Function &f, const std::function<void(BasicBlock &, Flow &)> &calls)
      : f_(f), calls_(calls), dominators_(f), postdominators_(f), loops_(dominators_) {
    uint32_t next = 0;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&f)) order_[block] = next++;
    for (Loop *loop : loops_.getLoopsInPreorder()) chooseCondition(*loop);
    dominators_.updateDFSNumbers();
  }
  void run(FlowFunction &out);

private:
  using Blocks = SmallVector<BasicBlock *, 4>;
  /// A loop whose body is being written, and what comes after it.
  struct Open {
    Loop *loop;
    Blocks behind;
  };
  struct Children {
    DenseSet<BasicBlock *> inside; ///< ways out of the block's branch
    Blocks behind;
  };

  void chooseCondition(Loop &loop);
  bool endsLoop(BasicBlock &block) const;
  Children classify(BasicBlock &block);
  void place(BasicBlock &block, Flow &out);
  void placeLoopless(BasicBlock &block, Flow &out);
  void branch(BasicBlock &block, const Children &children, Flow &out);
  void statements(BasicBlock &block, Flow &out);
  Flow alternative(BasicBlock *block, const Children &children);
  unsigned blocksBelow(BasicBlock *block) const {
    const DomTreeNode *node = dominators_.getNode(block);
    return node->getDFSNumOut() - node->getDFSNumIn();
  }

  Function &f_;
  const std::function<void(BasicBlock &, Flow &)> &calls_;
  DominatorTree dominators_;
  PostDominatorTree postdominators_;
  LoopInfo loops_;
  DenseMap<BasicBlock *, uint32_t> order_; ///< reverse postorder; without unreachable blocks
  DenseMap<Loop *, BasicBlock *> condition_;
  std::vector<Open> open_;
  DenseSet<std::pair<const void *, unsigned>> linesSeen_;
};

/// Switches aside, both ways of which the block may go; null and null if it goes one.
std::pair<BasicBlock *, BasicBlock *> twoWays(BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return {};
  return {branch->getSuccessor(0), branch->getSuccessor(1)};
}

void Structurer::chooseCondition(Loop &loop) {
  SmallVector<BasicBlock *, 8> exiting;
  loop.getExitingBlocks(exiting);
  llvm::sort(exiting, [&](BasicBlock *a, BasicBlock *b) { return order_[a] < order_[b]; });
  auto rank = [&](BasicBlock *b) {
    return b == loop.getHeader() ? 0 : b == loop.getLoopLatch() ? 1 : 2;
  };
  BasicBlock *best = nullptr;
  for (BasicBlock *block : exiting)
    if (twoWays(*block).first && loops_.getLoopFor(block) == &loop &&
        (!best || rank(block) < rank(best)))
      best = block;
  condition_[&loop] = best;
}

bool Structurer::endsLoop(BasicBlock &block) const {
  Loop *loop = loops_.getLoopFor(&block);
  return loop && condition_.lookup(loop) == &block;
}

/// Sorts the block's children in the dominator tree; those that belong after a loop go there.
Structurer::Children Structurer::classify(BasicBlock &block) {
  Children children;
  bool ends = endsLoop(block);
  for (DomTreeNode *node : dominators_.getNode(&block)->children()) {
    BasicBlock *child = node->getBlock();
    bool way = is_contained(successors(&block), child);
    bool alone = child->hasNPredecessors(1);
    bool inside = way && (alone || !postdominators_.dominates(child, &block));
    auto left = std::find_if(open_.begin(), open_.end(),
                             [&](const Open &o) { return !o.loop->contains(child); });
    if (left != open_.end() && (!inside || ends || !alone))
      left->behind.push_back(child);
    else if (inside)
      children.inside.insert(child);
    else
      children.behind.push_back(child);
  }
  if (auto [yes, no] = twoWays(block); yes && !ends && children.behind.empty() &&
                                       children.inside.contains(yes) &&
                                       children.inside.contains(no)) {
    BasicBlock *longer = blocksBelow(yes) > blocksBelow(no) ? yes : no;
    children.inside.erase(longer);
    children.behind.push_back(longer);
  }
  return children;
}

void Structurer::statements(BasicBlock &block, Flow &out) {
  uint32_t lines = 0;
  for (Instruction &instruction : block) {
    const DILocation *at = instruction.getDebugLoc();
    if (!at || isa<DbgInfoIntrinsic>(instruction) || !at->getLine()) continue;
    lines += linesSeen_.insert({at->getScope()->getFile(), at->getLine()}).second;
  }
  Flow calls;
  calls_(block, calls);
  // Calls and conditions will be lines of their own.
  auto others = static_cast<uint32_t>(calls.children.size()) + (succ_size(&block) > 1);
  lines = lines > others ? lines - others : 0;
  if (!f_.getSubprogram()) // no debug information: what changes memory
    lines =
        static_cast<uint32_t>(count_if(block, [](Instruction &i) { return isa<StoreInst>(i); }));
  if (lines) out.children.push_back({.kind = Flow::Statements, .value = lines});
  std::move(calls.children.begin(), calls.children.end(), std::back_inserter(out.children));
}

void Structurer::place(BasicBlock &block, Flow &out) {
  Loop *loop = loops_.getLoopFor(&block);
  if (!loop || loop->getHeader() != &block) return placeLoopless(block, out);
  open_.push_back({loop, {}});
  Flow body;
  placeLoopless(block, body);
  Blocks behind = std::move(open_.back().behind);
  open_.pop_back();
  Flow node{.kind = Flow::Loop};
  node.children.push_back(std::move(body));
  out.children.push_back(std::move(node));
  llvm::sort(behind, [&](BasicBlock *a, BasicBlock *b) { return order_[a] < order_[b]; });
  for (BasicBlock *next : behind) place(*next, out);
}

void Structurer::placeLoopless(BasicBlock &block, Flow &out) {
  statements(block, out);
  Children children = classify(block);
  branch(block, children, out);
  llvm::sort(children.behind, [&](BasicBlock *a, BasicBlock *b) { return order_[a] < order_[b]; });
  for (BasicBlock *next : children.behind) place(*next, out);
}

Flow Structurer::alternative(BasicBlock *block, const Children &children) {
  Flow sequence;
  if (children.inside.contains(block)) place(*block, sequence);
  return sequence;
}

/// A conditional for what the block's branch decides.
void Structurer::branch(BasicBlock &block, const Children &children, Flow &out) {
  Flow choice{.kind = Flow::Choice};
  Flow otherwise;
  if (auto *inst = dyn_cast<SwitchInst>(block.getTerminator())) {
    MapVector<BasicBlock *, uint32_t> labels;
    for (auto &label : inst->cases())
      if (label.getCaseSuccessor() != inst->getDefaultDest()) labels[label.getCaseSuccessor()]++;
    choice.isSwitch = true;
    for (auto [way, count] : labels) {
      choice.labels.push_back(count);
      choice.children.push_back(alternative(way, children));
    }
    otherwise = alternative(inst->getDefaultDest(), children);
  } else if (auto [yes, no] = twoWays(block); yes && !endsLoop(block)) {
    Flow first = alternative(yes, children);
    otherwise = alternative(no, children);
    // A way without anything in it is the one that is not tested for.
    if (first.children.empty()) std::swap(first, otherwise);
    choice.labels.push_back(1);
    choice.children.push_back(std::move(first));
  }
  if (choice.labels.empty()) {
    // One way, or the loop's condition: what follows is on this level.
    std::move(otherwise.children.begin(), otherwise.children.end(),
              std::back_inserter(out.children));
    if (!isa<SwitchInst>(block.getTerminator()))
      for (BasicBlock *next : successors(&block))
        if (children.inside.contains(next)) place(*next, out);
    return;
  }
  choice.lastIsElse = !otherwise.children.empty();
  if (choice.lastIsElse) choice.children.push_back(std::move(otherwise));
  out.children.push_back(std::move(choice));
}

void Structurer::run(FlowFunction &out) {
  for (const auto &[block, number] : order_) {
    if (auto *inst = dyn_cast<SwitchInst>(block->getTerminator()))
      out.complexity += inst->getNumCases();
    else if (twoWays(*block).first)
      out.complexity++;
  }
  out.loops = static_cast<uint32_t>(loops_.getLoopsInPreorder().size());
  place(f_.getEntryBlock(), out.body);
  out.lines = static_cast<uint32_t>(linesSeen_.size());
}

} // namespace

void structureFunction(Function &function, FlowFunction &out,
                       const std::function<void(BasicBlock &, Flow &)> &calls) {
  Structurer(function, calls).run(out);
}

} // namespace fathom::program
