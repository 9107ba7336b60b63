// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates terms for up to 256 assignments at once. The terms are compiled into a linear sequence
// of instructions (BatchKernels.h), each of which is one loop over all assignments, so that what an
// interpreter costs is paid once per 256 values: an operation on an int takes about 0.1 ns per
// assignment, where the Evaluator takes 10.
//
//   BatchEvaluator batch;
//   if (!batch.compile(inputs, roots)) ...     // O(size of the terms)
//   fill batch.input<uint8_t>(0) ...           // one value per lane
//   batch.run(lanes);                          // or root by root: runRoot(0, lanes), ...
//   read batch.root<uint8_t>(0) ...
//
// Inputs are what compilation does not look behind: bytes of symbolic arrays, and whole terms whose
// values the caller has at hand. Guarantee: agrees with Evaluator on every term it supports, except
// in lanes that it calls unknown.
#ifndef FATHOM_EXPR_BATCHEVALUATOR_H
#define FATHOM_EXPR_BATCHEVALUATOR_H

#include "expr/BatchKernels.h"

#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

namespace fathom::expr {

class BatchEvaluator {
public:
  static constexpr unsigned kLanes = kBatchLanes;

  struct Input {
    ExprPtr term;              ///< A term of at most kMaxLaneWidth bits, or a SymbolArray:
    uint64_t index = 0;        ///< then this byte of it.
    bool mayBeUnknown = false; ///< A term that is unknown in lanes which the caller fills in, too.
    bool isByte() const { return term->isArray(); }
    LaneType lanes() const { return isByte() ? LaneType::U8 : laneTypeOf(term->width()); }
  };

  static constexpr size_t kMaxInstructions = 250'000;

  /// Replaces what was compiled before. False, and nothing to run, when a term is wider than
  /// kMaxLaneWidth or when it takes more than about `maxInstructions`. `trackUnknown`: not all
  /// bytes need be inputs; it is found out in which lanes a root depends on one that is not.
  /// Otherwise a byte read at a constant index must be an input (else: false), and a read of a
  /// symbolic array at another index sees the bytes that are, and 0 elsewhere. Overwrites values
  /// that Evaluators keep in the terms (see TermNotes).
  bool compile(std::span<const Input> inputs, std::span<const ExprPtr> roots,
               bool trackUnknown = false, size_t maxInstructions = kMaxInstructions);

  size_t numInputs() const { return inputs_.size(); }
  size_t numRoots() const { return roots_.size(); }
  /// Input i: kLanes elements of its lane type, for the caller to fill; run() keeps them.
  template <typename T> T *input(size_t i) { return at<T>(inputs_[i].value); }
  LaneType inputLanes(size_t i) const { return inputs_[i].value.lanes; }
  /// Root i, once it was run.
  template <typename T> const T *root(size_t i) const { return at<T>(roots_[i].value); }
  LaneType rootLanes(size_t i) const { return roots_[i].value.lanes; }
  const std::byte *rootBytes(size_t i) const { return buffer_.get() + roots_[i].value.offset; }
  std::byte *inputBytes(size_t i) { return buffer_.get() + inputs_[i].value.offset; }

  /// 1 in lanes in which root i (of which the value then means nothing) or input i is unknown;
  /// null: known in all lanes.
  const uint8_t *rootUnknown(size_t i) const {
    return roots_[i].mayBeUnknown ? at<uint8_t>(roots_[i].unknown) : nullptr;
  }
  uint8_t *inputUnknown(size_t i) {
    return inputs_[i].mayBeUnknown ? at<uint8_t>(inputs_[i].unknown) : nullptr;
  }

  /// Computes all roots in lanes 0 .. lanes-1.
  void run(unsigned lanes, LaneKernels kernels = LaneKernels::Best) {
    runLanes(code_, buffer_.get(), lanes, kernels);
  }
  /// Computes root i; the roots before it must have been computed on the same inputs.
  void runRoot(size_t i, unsigned lanes) {
    const uint32_t from = i ? roots_[i - 1].codeEnd : 0;
    runLanes(std::span(code_).subspan(from, roots_[i].codeEnd - from), buffer_.get(), lanes);
  }

  /// What one lane of run() costs, in units of laneCost().
  uint64_t cost() const { return cost_; }
  /// The same for runRoot(i).
  uint64_t rootCost(size_t i) const { return roots_[i].cost; }
  size_t numInstructions() const { return code_.size(); }
  /// Bytes of lanes that run() works on.
  size_t bufferSize() const { return bufferSize_; }

private:
  friend class BatchCompiler;
  struct Place {
    uint32_t offset; // into buffer_
    LaneType lanes;
  };
  struct InputPlaces {
    Place value{}, unknown{};
    bool mayBeUnknown = false;
  };
  struct Root {
    Place value{}, unknown{};
    bool mayBeUnknown = false;
    uint32_t codeEnd = 0; // its instructions start where those of the root before it end
    uint64_t cost = 0;
  };
  struct Free {
    void operator()(std::byte *p) const { std::free(p); }
  };
  template <typename T> T *at(Place p) const {
    assert(sizeof(T) == laneBytes(p.lanes) && "another lane type");
    return reinterpret_cast<T *>(buffer_.get() + p.offset);
  }

  std::vector<LaneInstruction> code_;
  std::vector<InputPlaces> inputs_;
  std::vector<Root> roots_;
  std::unique_ptr<std::byte, Free> buffer_;
  size_t bufferSize_ = 0;
  size_t capacity_ = 0; // of buffer_; it only grows
  uint64_t cost_ = 0;
};

} // namespace fathom::expr
#endif
