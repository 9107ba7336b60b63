// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes of memory as points that are sampled: where in its object an access is.
//
// The state of an access binds
//   offset   of its first byte in the object that the pointer came from, in bytes
//   size     of that object in bytes; 0 where the pointer is null
//   length   how many bytes memset, memcpy and memmove touch
// and the variables in the indices, by their names. The object is that of the pointer *before* the
// arithmetic of this function's code: of `p[i]` the one that p points into, so that an index
// beyond the end is seen as such and not as a place in a neighbour. If it is a variable by its
// name, its size is a number of the condition, and no state has it. Otherwise runtime/native/
// objects.c finds it: a global variable, a block of the heap, argv and its strings, or a local
// variable whose address got around. For this, functions keep lists of those while they run
// (trackLocals).
//
// Not known: objects of code without bitcode, of variable length, and blocks of the heap under
// AddressSanitizer. A pointer that arithmetic of earlier steps took out of its object counts for
// the object that it points into now.
#ifndef FATHOM_CAMPAIGN_STATEACCESS_H
#define FATHOM_CAMPAIGN_STATEACCESS_H

#include "campaign/StatePoints.h"
#include "program/SourceNames.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class GlobalVariable;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace fathom::campaign {

/// One range of memory that an instruction touches.
struct SampledAccess {
  llvm::Value *pointer = nullptr;
  llvm::Value *base = nullptr;         ///< without the address arithmetic of this function
  std::optional<uint64_t> objectBytes; ///< base is the start of a variable of this size
  uint64_t bytes = 0;                  ///< that are touched, unless:
  llvm::Value *length = nullptr;

  /// offset, size, length, in this order, as far as the state has them.
  std::vector<std::string> names() const;
  /// What must hold, in the words of psp/Condition.h.
  std::string condition() const;
};

/// The accesses of an instruction to sample: none if it touches no memory, or only memory that is
/// provably inside a variable; two for memcpy and memmove, the written range first.
std::vector<SampledAccess> accessesOf(llvm::Instruction &instruction);

/// The number of bytes that the access of a point touches, read from its condition. Absent: no
/// access, or one of variable length.
std::optional<uint64_t> bytesTouched(const StatePoint &point);

/// The named variables of the indices of an address.
std::vector<program::SourceLeaf> indexLeaves(llvm::Value &address);

/// Defines __fathom_objects, the global variables of the module with their sizes.
void listGlobals(llvm::Module &module);

/// The program's own functions put a record of those local variables whose addresses get around
/// at the head of a list, and take it away when they return (runtime/native/objects.c).
/// \returns  the head: a variable of each thread.
llvm::GlobalVariable *trackLocals(llvm::Module &module);

} // namespace fathom::campaign
#endif
