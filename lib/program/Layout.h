// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an LLVM type lies in slots and in memory: a flat list of scalars.
#ifndef FATHOM_PROGRAM_LAYOUT_H
#define FATHOM_PROGRAM_LAYOUT_H

#include "program/Code.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

#include <memory>
#include <string>

namespace fathom::program {

struct Scalar {
  enum Kind : uint8_t { Int, Pointer, Float };
  Kind kind = Int;
  FpType fp = FpType::Double;
  uint16_t bits = 64;     ///< 1..128
  uint32_t slot = 0;      ///< first slot, from the value's first one
  uint64_t bitOffset = 0; ///< position in memory, from the value's address (a multiple of 8 except
                          ///< in vectors of odd lanes)

  uint32_t slots() const { return bits > 64 ? 2 : 1; }
  bool wide() const { return bits > 64; }
  uint32_t bytes() const { return (bits + 7) / 8; }
};

/// How x86-64 passes a scalar argument. (clang passes 128-bit integers as two words, or by value in
/// memory.)
inline ArgClass argClass(const Scalar &s) {
  if (s.kind != Scalar::Float) return s.wide() ? ArgClass::Memory : ArgClass::Integer;
  return s.fp == FpType::X87 ? ArgClass::Memory : ArgClass::Sse;
}

struct Layout {
  llvm::SmallVector<Scalar, 2> scalars;
  uint32_t slots = 0;
  std::string unsupported; ///< why values of this type cannot be handled; empty: they can
};

/// The scalar as an element of a Shape.
inline uint16_t shapeOf(const Scalar &s) {
  return s.bits | (argClass(s) == ArgClass::Sse ? kShapeSse : 0);
}

/// Layouts of a module's types, computed on first use.
class Layouts {
public:
  explicit Layouts(const llvm::DataLayout &dl) : dl_(dl) {}
  const Layout &of(llvm::Type *type);

private:
  void add(llvm::Type *type, uint64_t bitOffset, Layout &out);
  const llvm::DataLayout &dl_;
  llvm::DenseMap<llvm::Type *, std::unique_ptr<Layout>> cache_;
};

} // namespace fathom::program
#endif
