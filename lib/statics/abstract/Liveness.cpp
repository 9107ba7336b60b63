// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics/abstract/Liveness.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace fathom::statics::abstract {

namespace {

class Liveness {
public:
  explicit Liveness(Function &function) : function_(function) {
    for (const VarId var : function.variables) number_.try_emplace(var, number_.size());
  }

  void run() {
    const size_t blocks = function_.blocks.size();
    use_.assign(blocks, llvm::BitVector(number_.size()));
    define_ = in_ = use_;
    for (size_t i = 0; i < blocks; ++i) summarise(i);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = blocks; i-- > 0;) {
        llvm::BitVector next = liveOut(i);
        next.reset(define_[i]);
        next |= use_[i];
        changed |= next != in_[i];
        in_[i] = std::move(next);
      }
    }
    // Known at the start of a block: what a predecessor read, defined or let through.
    std::vector<llvm::BitVector> known(blocks, llvm::BitVector(number_.size()));
    for (size_t i = 0; i < blocks; ++i)
      for (const Edge &edge : function_.blocks[i].successors) {
        known[edge.target] |= in_[i];
        known[edge.target] |= define_[i];
        for (const EdgeAssignment &x : edge.assignments)
          known[edge.target].set(number_.lookup(x.dst));
      }
    for (size_t i = 0; i < blocks; ++i) {
      known[i].reset(in_[i]);
      function_.blocks[i].dead.clear();
      for (const unsigned bit : known[i].set_bits())
        function_.blocks[i].dead.push_back(function_.variables[bit]);
    }
  }

private:
  void summarise(size_t i) {
    const Block &block = function_.blocks[i];
    auto use = [&](VarId var) {
      if (auto at = number_.find(var); at != number_.end() && !define_[i].test(at->second))
        use_[i].set(at->second);
    };
    for (const Statement &s : block.statements) {
      forEachUse(s, use);
      if (s.dst != kNoId)
        if (auto at = number_.find(s.dst); at != number_.end()) define_[i].set(at->second);
    }
    if (block.returned && !block.returned->isConstant()) use(block.returned->var);
    for (const Edge &edge : block.successors) forEachUse(edge.condition, use);
  }
  llvm::BitVector liveOut(size_t i) const {
    llvm::BitVector out(number_.size());
    for (const Edge &edge : function_.blocks[i].successors) {
      llvm::BitVector through = in_[edge.target];
      for (const EdgeAssignment &x : edge.assignments)
        if (auto at = number_.find(x.dst); at != number_.end()) through.reset(at->second);
      for (const EdgeAssignment &x : edge.assignments)
        if (!x.value.isConstant() && !x.isUnknown)
          if (auto at = number_.find(x.value.var); at != number_.end()) through.set(at->second);
      out |= through;
    }
    return out;
  }

  Function &function_;
  llvm::DenseMap<VarId, unsigned> number_;
  std::vector<llvm::BitVector> use_, define_, in_;
};

} // namespace

void findDead(AbstractProgram &program) {
  for (Function &function : program.functions)
    if (!function.blocks.empty()) Liveness(function).run();
}

} // namespace fathom::statics::abstract
