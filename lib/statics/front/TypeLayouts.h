// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of LLVM's types, and the type that the blocks of an allocation have: LLVM's pointers do
// not say it, but the code that uses them does.
#ifndef FATHOM_STATICS_FRONT_TYPELAYOUTS_H
#define FATHOM_STATICS_FRONT_TYPELAYOUTS_H

#include "statics/front/Layout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Type.h"

namespace fathom::statics {

class TypeLayouts {
public:
  TypeLayouts(const llvm::DataLayout &dl, Layouts &layouts) : dl_(dl), layouts_(layouts) {}
  LayoutId of(llvm::Type *type);

private:
  LayoutId make(llvm::Type *type);
  const llvm::DataLayout &dl_;
  Layouts &layouts_;
  llvm::DenseMap<llvm::Type *, LayoutId> known_;
};

/// The largest structure as which the code uses memory behind this pointer, also in functions it is
/// passed or returned to, and behind pointers that are read where this one was stored; nullptr if
/// no code uses it as one. Any answer is sound (Layout.h).
llvm::Type *structureBehind(const llvm::Value &pointer, const llvm::DataLayout &dl);

} // namespace fathom::statics
#endif
