// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of a module can end by an exception.
#ifndef FATHOM_PROGRAM_MAYTHROW_H
#define FATHOM_PROGRAM_MAYTHROW_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class CallBase;
class Function;
class FunctionType;
class LandingPadInst;
class Module;
} // namespace llvm

namespace fathom::program {

/// By what functions do, not by their attributes: an exception passes through C. A call through a
/// pointer may come to any function of its type whose address is taken. In C, a call can have
/// another type than the function (no prototype, a cast): it may come to any. Functions of libc
/// call back into the program only what they were given as an argument (qsort's comparison).
/// O(instructions).
class MayThrow {
public:
  /// \param thrower  the function that begins to unwind; null: none does
  MayThrow(const llvm::Module &module, const llvm::Function *thrower);

  bool call(const llvm::CallBase &call) const;
  bool function(const llvm::Function &f) const { return functions_.contains(&f); }
  const llvm::Function *thrower() const { return thrower_; }

private:
  const llvm::Function *thrower_;
  llvm::DenseSet<const llvm::Function *> functions_;
  llvm::DenseSet<const llvm::FunctionType *> types_; ///< of functions that pointers may lead to
};

/// Does it have a `catch (...)`?
bool catchesAll(const llvm::LandingPadInst &pad);

} // namespace fathom::program
#endif
