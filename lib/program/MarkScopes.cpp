// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the lifetime of a local variable begins and ends, in code that was not optimised.
//
// Clang writes lifetime markers only when it optimises, or with cleanups that add branches of their
// own to every early return. But the debug information of unoptimised code says it as well: of each
// variable the block that declares it, and of each instruction the block that it belongs to. Here
// every way into such a block gets llvm.lifetime.start, and every way out llvm.lifetime.end.
//
// Control can enter and leave anywhere (goto, switch, break). So a marker stands where code of the
// one kind begins, not on the edge from the other: at the start of a basic block, or in its middle.
// That works because the engine takes the end of what is dead, and the start of what is alive, for
// nothing. A start that may come from inside of the block is marked: it must not make a variable
// unwritten that promoteLocals keeps in a register.
//
// A variable that code outside of its block uses directly is left alone: an attribute `cleanup`
// does that, and where debug information is wrong it shows in this way.
#include "program/Prepare.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace fathom::program {
namespace {

constexpr StringLiteral kMayBeAlive = "fathom.may-be-alive";

/// The block of the source that an instruction belongs to; null when it says nothing.
const DILocalScope *scopeOf(const Instruction &inst) {
  const DILocation *at = inst.getDebugLoc();
  while (at && at->getInlinedAt()) at = at->getInlinedAt();
  return at ? at->getScope()->getNonLexicalBlockFileScope() : nullptr;
}

bool isInside(const DILocalScope *scope, const DILocalScope *block) {
  while (scope && scope != block)
    scope = isa<DILexicalBlockBase>(scope) ? dyn_cast<DILocalScope>(scope->getScope()) : nullptr;
  return scope;
}

const DILocalVariable *variableOf(AllocaInst &alloca) {
  for (DbgVariableRecord *record : findDVRDeclares(&alloca))
    return record->getDebugLoc()->getInlinedAt() ? nullptr : record->getVariable();
  for (DbgDeclareInst *declare : findDbgDeclares(&alloca))
    return declare->getDebugLoc()->getInlinedAt() ? nullptr : declare->getVariable();
  return nullptr;
}

/// A run of instructions of one block of the source, in a basic block.
struct Stretch {
  Instruction *first;
  const DILocalScope *scope;
};

class ScopeMarker {
public:
  explicit ScopeMarker(Function &f) : f_(f) {}

  void run() {
    MapVector<const DILocalScope *, SmallVector<AllocaInst *, 2>> scopes;
    for (Instruction &inst : f_.getEntryBlock())
      if (auto *alloca = dyn_cast<AllocaInst>(&inst))
        if (const DILocalScope *scope = declaredIn(*alloca)) scopes[scope].push_back(alloca);
    if (scopes.empty()) return;
    for (BasicBlock &block : f_) split(block);
    for (auto &[scope, variables] : scopes) mark(scope, variables);
  }

private:
  /// The block whose end is the end of this variable; null when that is its function's.
  static const DILocalScope *declaredIn(AllocaInst &alloca) {
    const DILocalVariable *variable = variableOf(alloca);
    if (!variable || !alloca.isStaticAlloca() || variable->isParameter()) return nullptr;
    const DILocalScope *scope = variable->getScope()->getNonLexicalBlockFileScope();
    if (!isa<DILexicalBlockBase>(scope)) return nullptr;
    for (const User *user : alloca.users()) {
      auto *inst = cast<Instruction>(user);
      const DILocalScope *at = scopeOf(*inst);
      if (inst->isLifetimeStartOrEnd() || (at && !isInside(at, scope))) return nullptr;
    }
    return scope;
  }

  void split(BasicBlock &block) {
    SmallVector<Stretch, 4> &stretches = stretches_[&block];
    for (Instruction &inst : block) {
      // The branch of `if (T *p = f())` belongs to the block around it, and both sides know p.
      const bool saysNothing =
          isa<DbgInfoIntrinsic>(inst) || (isa<BranchInst, SwitchInst>(inst) && !stretches.empty());
      const DILocalScope *scope = saysNothing ? nullptr : scopeOf(inst);
      if (scope && (stretches.empty() || stretches.back().scope != scope))
        stretches.push_back({&inst, scope});
    }
  }

  /// Whence control can come to a place.
  enum Whence : uint8_t { Nowhere = 0, Outside = 1, Inside = 2, Both = 3 };

  void mark(const DILocalScope *scope, ArrayRef<AllocaInst *> variables) {
    // Basic blocks that say nothing are both what may come before them.
    DenseMap<const BasicBlock *, unsigned> atEnd;
    for (BasicBlock &block : f_) {
      const auto &stretches = stretches_[&block];
      if (!stretches.empty())
        atEnd[&block] = isInside(stretches.back().scope, scope) ? Inside : Outside;
      else
        atEnd[&block] = &block == &f_.getEntryBlock() ? Outside : Nowhere;
    }
    auto before = [&](const BasicBlock &block) {
      unsigned whence = &block == &f_.getEntryBlock() ? Outside : Nowhere;
      for (const BasicBlock *from : predecessors(&block)) whence |= atEnd[from];
      return whence;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock &block : f_)
        if (stretches_[&block].empty()) {
          unsigned &whence = atEnd[&block];
          const unsigned now = whence | before(block);
          changed |= now != whence;
          whence = now;
        }
    }
    for (BasicBlock &block : f_) {
      unsigned whence = before(block);
      Instruction *start = &*block.getFirstNonPHIOrDbgOrAlloca(); // variables come first
      for (const Stretch &stretch : stretches_[&block]) {
        Instruction *at = &stretch == stretches_[&block].begin() ? start : stretch.first;
        if (isa<PHINode>(at)) at = start;
        const bool inside = isInside(stretch.scope, scope);
        if (inside && (whence & Outside))
          place(variables, at, Intrinsic::lifetime_start, whence & Inside);
        if (!inside && (whence & Inside)) place(variables, at, Intrinsic::lifetime_end, false);
        whence = inside ? Inside : Outside;
      }
    }
  }

  static void place(ArrayRef<AllocaInst *> variables, Instruction *before, Intrinsic::ID id,
                    bool mayBeAlive) {
    IRBuilder<> builder(before);
    for (AllocaInst *alloca : variables) {
      CallInst *call = id == Intrinsic::lifetime_start ? builder.CreateLifetimeStart(alloca)
                                                       : builder.CreateLifetimeEnd(alloca);
      if (mayBeAlive) call->setMetadata(kMayBeAlive, MDNode::get(before->getContext(), {}));
    }
  }

  Function &f_;
  DenseMap<const BasicBlock *, SmallVector<Stretch, 4>> stretches_; // looked up only
};

} // namespace

void markScopes(Function &function) {
  const DISubprogram *subprogram = function.getSubprogram();
  if (function.isDeclaration() || !subprogram || subprogram->isOptimized()) return;
  // A second return enters a block that its variables' lifetimes say nothing of.
  if (function.callsFunctionThatReturnsTwice()) return;
  ScopeMarker(function).run();
}

bool mayBeAlive(const Instruction &lifetimeStart) { return lifetimeStart.hasMetadata(kMayBeAlive); }

} // namespace fathom::program
