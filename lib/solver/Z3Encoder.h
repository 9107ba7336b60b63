// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the Z3 adapter: terms to Z3 terms.
//
// Every byte of a symbolic array that is read at a constant index is a bit-vector variable of its
// own ("in@3"), and reads at other indices become trees of ites over those bytes, so that
// practically all queries are pure QF_BV and go to bit-blasting and SAT. Only a symbolic array that
// is too large for that is a Z3 array; its byte variables are then tied to it by equations
// (`sideConditions`).
//
// Floating-point operations are in Z3Floats.cpp.
//
// Width-1 terms live in two sorts, Bool and (_ BitVec 1), as in expr/Print.cpp.
#ifndef FATHOM_SOLVER_Z3ENCODER_H
#define FATHOM_SOLVER_Z3ENCODER_H

#include "solver/Support.h"

#include <z3.h>

#include <unordered_map>

namespace fathom::solver {

class Z3Encoder {
public:
  Z3Encoder(Z3_context z3, const expr::ExprContext &context) : z3_(z3), context_(context) {}
  ~Z3Encoder() { clear(); }
  Z3Encoder(const Z3Encoder &) = delete;
  Z3Encoder &operator=(const Z3Encoder &) = delete;

  /// A constraint as a Z3 Bool. Owned by this encoder; valid until clear().
  Z3_ast constraint(ExprPtr e) { return asBool(translate(e)); }
  /// A bit-vector term (width 1: (_ BitVec 1)).
  Z3_ast vector(ExprPtr e) { return asVector(translate(e)); }
  /// The variable of one input byte.
  Z3_ast byteVariable(Cell cell);
  /// Equations that tie the byte variables among `support` to Z3 arrays in use. Empty in the pure
  /// QF_BV case.
  std::vector<Z3_ast> sideConditions(const Support &support);
  /// The Z3 array of a symbol that is encoded as one, else null.
  Z3_ast arrayOf(uint32_t symbol) const;
  size_t size() const { return cache_.size(); }
  void clear();

private:
  Z3_ast translate(ExprPtr root);
  Z3_ast translateNode(ExprPtr e);
  Z3_ast translateRead(ExprPtr e);
  Z3_ast translateForall(ExprPtr e);
  Z3_ast readBase(ExprPtr array, ExprPtr index, Z3_ast z3Index);
  Z3_ast binary(ExprPtr e, Z3_ast a, Z3_ast b);
  /// A byte of what an external operation gives, of which nothing is known: a variable for each
  /// application. A model need not be one of the terms, then; that there is none holds.
  Z3_ast resultVariable(ExprPtr apply, uint64_t index);
  Z3_ast constant(ExprPtr e, bool asBoolean);
  Z3_ast number(uint64_t value, unsigned width);
  Z3_ast asBool(Z3_ast a);
  Z3_ast asVector(Z3_ast a);
  bool isBool(Z3_ast a) const;
  Z3_ast get(ExprPtr e, bool wantBool);
  // --- floating point (Z3Floats.cpp)
  Z3_ast translateFloat(ExprPtr e);
  Z3_ast asFloat(ExprPtr e, unsigned depth = 0);
  Z3_ast floatResult(ExprPtr e);
  Z3_ast floatBits(ExprPtr e, Z3_ast value);
  Z3_ast floatConstant(uint64_t bits, unsigned width);
  Z3_sort floatSort(unsigned width);
  Z3_ast roundingMode(expr::Rounding rounding);
  Z3_ast isNaN(ExprPtr e);
  Z3_ast quiet(ExprPtr e);
  Z3_ast convertedNaN(ExprPtr from, unsigned width);
  Z3_ast compareBits(ExprPtr e);
  Z3_ast fits(ExprPtr number, unsigned width, bool isSigned);

  /// Keeps a reference until clear().
  Z3_ast keep(Z3_ast a);

  Z3_context z3_;
  const expr::ExprContext &context_;
  llvm::DenseMap<ExprPtr, Z3_ast> cache_;                        // looked up only
  llvm::DenseMap<ExprPtr, Z3_ast> floats_;                       // as numbers; looked up only
  std::unordered_map<uint64_t, Z3_ast> bytes_;                   // Cell::key -> variable
  std::unordered_map<uint32_t, Z3_ast> arrays_;                  // symbol index -> array
  llvm::DenseMap<std::pair<ExprPtr, uint64_t>, Z3_ast> results_; // looked up only
  uint64_t nextResult_ = 0;
  std::vector<Z3_ast> kept_;
};

} // namespace fathom::solver
#endif
