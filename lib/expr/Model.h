// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assignment of bytes to symbolic arrays, and the evaluator of terms under it.
#ifndef FATHOM_EXPR_MODEL_H
#define FATHOM_EXPR_MODEL_H

#include "expr/Expr.h"

#include <memory>
#include <span>

namespace llvm {
class APInt;
}

namespace fathom::expr {

/// Bytes for symbolic arrays. What is not assigned is 0. Value type; copying shares unchanged
/// arrays.
class Model {
public:
  uint8_t byte(ExprPtr symbol, uint64_t index) const;
  void setByte(ExprPtr symbol, uint64_t index, uint8_t value);
  /// All the bytes of a symbol (its declared size; unassigned ones 0).
  std::vector<uint8_t> bytes(ExprPtr symbol) const;
  /// Do both share the bytes of a symbol? Equal bytes may be kept twice: then they do not.
  bool shares(ExprPtr symbol, const Model &other) const {
    return arrayAt(symbol) == other.arrayAt(symbol);
  }
  bool operator==(const Model &) const;
  size_t sizeBytes() const; ///< memory that it takes, what it shares included

private:
  friend class Evaluator;
  const std::vector<uint8_t> *arrayAt(ExprPtr symbol) const {
    const size_t at = symbol->array().index;
    return at < arrays_.size() ? arrays_[at].get() : nullptr;
  }

  // Indexed by ArrayInfo::index; may be shorter than the number of symbols, and each array than its
  // size.
  std::vector<std::shared_ptr<const std::vector<uint8_t>>> arrays_;
};

/// Evaluates terms under one model at a time. Values are cached in the nodes themselves under an
/// epoch, so evaluating a term costs only what was not evaluated yet under this model: O(new
/// nodes). Several evaluators may work on the same terms in turn: every setModel that changes
/// something takes an epoch that no evaluator of the process used before (and restarts the caches
/// when the 32-bit counter wraps).
class Evaluator {
public:
  /// The model must outlive its use here. Invalidates the cache unless it is the same object *and*
  /// `version`.
  void setModel(const Model &model, uint64_t version);
  /// width <= 64: the value, zero-extended. Where the term has applications of external operations
  /// (kHasApply) this executes them, which takes as long as they do.
  uint64_t eval(ExprPtr e);
  /// The value of an open term of at most 64 bits (kIsOpen), such as the body of a Forall, for one
  /// number.
  uint64_t evalAt(ExprPtr e, uint64_t number);
  /// Any width; word 0 is the least significant.
  void evalWide(ExprPtr e, std::span<uint64_t> words);
  bool isTrue(ExprPtr e) { return eval(e) == 1; }
  /// The bytes of an array that is an Apply's input: stores at constant indices on a table.
  std::vector<uint8_t> evalInput(ExprPtr array);

private:
  void refresh(); // a new epoch
  void begin(ExprPtr e);
  bool isReady(ExprPtr e) const;
  uint64_t
  value(ExprPtr e); // cached, or computed; a place in wide_ when the term is wider than 64 bits
  uint64_t compute(ExprPtr e);
  uint64_t computeRead(ExprPtr e);
  uint64_t computeApply(ExprPtr e);
  uint64_t computeOnWide(ExprPtr e);
  uint64_t computeFloat(ExprPtr e);
  uint64_t computeForall(ExprPtr e);
  bool isKnown(ExprPtr e) const;
  void computeDeep(ExprPtr e);
  llvm::APInt wideValue(ExprPtr e);
  uint64_t keepWide(const llvm::APInt &v);
  const Model *model_ = nullptr;
  uint64_t version_ = 0;
  uint32_t epoch_ = 0;
  uint32_t generation_ = 0;
  uint64_t bound_ = 0;           // what the innermost Forall that is being evaluated counts
  uint32_t boundEpoch_ = 0;      // of the values of open terms for this number
  std::vector<uint64_t> wide_;   // values of terms wider than 64 bits in this epoch
  std::vector<uint8_t> applied_; // results of external operations in this epoch
};

} // namespace fathom::expr
#endif
