// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be told from the text of an inline assembly statement.
#ifndef FATHOM_PROGRAM_ASSEMBLYTEXT_H
#define FATHOM_PROGRAM_ASSEMBLYTEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class InlineAsm;
}

namespace fathom::program {

/// Where a text has alternatives for several dialects, that of the first: AT&T's.
std::string assemblyOfFirstDialect(llvm::StringRef text);
/// "addq $5,${1:q}\n\tadcq $3,${0:q}" -> "addq $5,$1;adcq $3,$0": one AT&T text for all spellings.
std::string normalizedAssembly(llvm::StringRef text);
/// As a message shows it.
std::string oneLineAssembly(llvm::StringRef text);
/// Without an effect on a single-threaded program that sees no hardware: barriers, hints.
bool isAssemblyWithoutEffect(llvm::StringRef text);
/// <cpuid.h>: the instruction, with or without saving %rbx around it.
bool isCpuid(llvm::StringRef text);
/// Why the statement cannot be outlined into a function that is executed in another process, where
/// its result must depend on its operands alone. "": it can be. When in doubt, it cannot.
std::string whyNotOutlined(const llvm::InlineAsm &assembly);

} // namespace fathom::program
#endif
