// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of prepareModule (Load.h), each testable alone. None deletes or exploits undefined
// behaviour.
#ifndef FATHOM_PROGRAM_PREPARE_H
#define FATHOM_PROGRAM_PREPARE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Module;
class Type;
} // namespace llvm

namespace fathom::program {

enum class ForeignType : uint8_t;

/// Defines what a linker would: __init_array_start and its like from llvm.global_ctors, so that
/// libc's own start-up code runs constructors; empty _init and _fini.
void defineLinkerSymbols(llvm::Module &module);

/// Exceptions become returns, and landing pads ordinary blocks (LowerExceptions.cpp). REQUIRES for
/// a program with exceptions that it has libc++abi of our sysroot.
void lowerExceptions(llvm::Module &module);
/// In place of it for analyses that join what a function does: an exception is a choice before the
/// call (SeparateExceptions.cpp).
void separateExceptions(llvm::Module &module);
/// Is it one of the branches that these two made?
bool isUnwindBranch(const llvm::Instruction &terminator);

/// Inline assembly that is known becomes instructions (LowerAssembly.cpp).
void lowerAssembly(llvm::Module &module);

/// Integers of more than 128 bits become words of 64 (LowerWideIntegers.cpp).
void lowerWideIntegers(llvm::Module &module);

/// __builtin_setjmp and its like, and frames' addresses, in terms of what the engine knows
/// (LowerFrames.cpp).
void lowerFrames(llvm::Module &module);

/// Intrinsics of x86 that have a meaning in ordinary instructions become those
/// (LowerIntrinsics.cpp).
void lowerIntrinsics(llvm::Module &module);

/// Other inline assembly and intrinsics of x86 in the program's own code become calls of functions,
/// which are declared, or defined (OutlineAssembly.cpp).
void outlineAssembly(llvm::Module &module, bool define);

/// Takes out what C does not evaluate: operands of __builtin_constant_p and its like.
void dropUnevaluated(llvm::Function &function);

/// Makes libc's memcpy report ranges that overlap.
void addOverlapCheck(llvm::Module &module);

/// Says where the lifetimes of local variables of inner blocks begin and end, with LLVM's
/// intrinsics: in functions with debug information that are not optimised.
void markScopes(llvm::Function &function);
/// A start of a lifetime that control can also reach from inside of it: then it is none.
bool mayBeAlive(const llvm::Instruction &lifetimeStart);

/// Turns local variables whose address is not taken into SSA values. A read that may see a variable
/// before its first store yields a marker call (isUninitMarker), which decodes to Op::Uninit,
/// instead of undef. Functions that call setjmp keep their variables in memory: a second return
/// must find them as they are.
void promoteLocals(llvm::Function &function);

/// Is this (a call of) a marker made by promoteLocals?
bool isUninitMarker(const llvm::Function &function);
bool isUninitMarker(const llvm::CallBase &call);
/// How a value of this type crosses to a function without code (Code.h).
ForeignType foreignType(const llvm::Type *type);

/// The source variable a marker stands for.
llvm::StringRef uninitVariable(const llvm::CallBase &marker);

} // namespace fathom::program
#endif
