// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Boolean circuits with sharing: equal gates are one gate, constants are folded, and inversion
// costs nothing (it is a bit of the wire). Words are vectors of wires, least significant first;
// their arithmetic is that of SMT-LIB's bit-vectors.
#ifndef FATHOM_SOLVER_CIRCUIT_H
#define FATHOM_SOLVER_CIRCUIT_H

#include <cstdint>
#include <span>
#include <vector>

namespace fathom::solver {

/// Output of a gate, or its inverse: gate * 2 + inverted. Gate 0 is the constant false.
using Wire = uint32_t;
using Word = std::vector<Wire>;
inline constexpr Wire kFalse = 0, kTrue = 1;

struct Gate {
  enum Kind : uint32_t { Input, And, Xor, Mux, Majority } kind = Input;
  /// And, Xor: two; Mux: selector, then, else; Majority: three (the carry of an adder).
  Wire in[3] = {0, 0, 0};
  bool operator==(const Gate &) const = default;
};

class Circuit {
public:
  Circuit() { clear(); }
  void clear();
  size_t size() const { return gates_.size(); }
  const Gate &gate(uint32_t index) const { return gates_[index]; }

  Wire input();
  Wire land(Wire a, Wire b);
  Wire lor(Wire a, Wire b) { return land(a ^ 1, b ^ 1) ^ 1; }
  Wire lxor(Wire a, Wire b);
  Wire mux(Wire selector, Wire then, Wire otherwise);
  Wire majority(Wire a, Wire b, Wire c);

  Word mux(Wire selector, const Word &then, const Word &otherwise);
  /// a + b + carry; `carry` becomes the carry out.
  Word add(const Word &a, const Word &b, Wire &carry);
  Word subtract(const Word &a, const Word &b);
  Word negate(const Word &a) { return subtract(Word(a.size(), kFalse), a); }
  Word multiply(const Word &a, const Word &b);
  /// Division by zero: quotient all ones, remainder the dividend.
  void divide(const Word &dividend, const Word &divisor, Word &quotient, Word &remainder);
  /// Rounds to zero; the remainder has the sign of the dividend.
  void divideSigned(const Word &dividend, const Word &divisor, Word &quotient, Word &remainder);
  Word shiftLeft(const Word &a, const Word &amount);
  Word shiftRight(const Word &a, const Word &amount, Wire fill);
  Wire equal(const Word &a, const Word &b);
  Wire less(const Word &a, const Word &b); ///< unsigned
  Wire lessSigned(Word a, Word b);

private:
  Wire make(Gate gate);
  void growTable();
  Word shift(const Word &a, const Word &amount, Wire fill, bool left);

  std::vector<Gate> gates_;
  std::vector<uint32_t> table_; // of gates that are not inputs: open addressing, 0 is free
};

} // namespace fathom::solver
#endif
