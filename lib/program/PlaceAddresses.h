// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A native variant sees the engine's addresses. The heap lies where the engine has it
// (runtime/native/heap.c). Functions, variables and locals lie where linker and compiler put them,
// which costs nothing, and their addresses are translated where the program looks at one as a
// number (runtime/native/addresses.c):
//
//   ptrtoint p             ->   __fathom_seen(p)        the engine's address of that place
//   inttoptr i             ->   __fathom_placed(i)      the other way round
//   icmp ult p, q          ->   of both, __fathom_seenBeside(p, q) and (q, p)
//   sub (ptrtoint p), (ptrtoint q)    likewise
//   getelementptr p, i     ->   __fathom_moved(p, that)  where i is a distance between two objects
//
// A local variable that is an object in the engine takes the engine's next stack slot:
//
//   %x = alloca T          ->   %x = alloca {T, padding}; __fathom_local(%x, size, align, frame)
//
// Padding keeps the address after an object apart from the next object's, and from the addresses
// of two elements before that (`array - 2`), which are in no object then: __fathom_seenBeside takes
// them for those of the other pointer's object. Alignments up to 16 are the same here and there.
#ifndef FATHOM_PROGRAM_PLACEADDRESSES_H
#define FATHOM_PROGRAM_PLACEADDRESSES_H

#include "program/EngineAddresses.h"

namespace fathom::program {

/// `module` has numbered locals (numberLocals) and has gone through prepareModule without
/// promotion. Before anything else is instrumented.
void placeAddresses(llvm::Module &module, const EngineAddresses &engine);

} // namespace fathom::program
#endif
