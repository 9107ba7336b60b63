// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions without code in a native variant. Each gets a body that hands its arguments to
// __fathom_external_call (runtime/native/stubs.c), which has it executed by a process with the
// libraries that were explored with. What can be passed is what the engine passes (ForeignType).
//
//   declare double @pow(double, double)     ->     define double @pow(double %x, double %y) {
//                                                    two struct fathom_argument on the stack
//                                                    call i64 @__fathom_external_call(...)
//
// Calls with variable arguments know their types: each list of types is a stub of its own. A
// function that cannot be called gets a body that says so and ends the process, as the engine ends
// the path.
#ifndef FATHOM_PROGRAM_CALLSTUBS_H
#define FATHOM_PROGRAM_CALLSTUBS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace fathom::program {

/// A function without code that the program uses.
struct ForeignFunction {
  std::string name;
  std::string refused; ///< why it, or some calls of it, cannot be executed; empty: all can
};

/// \param isLinked  is there code of this name among what the variant is linked with?
/// \returns         in the order of the module. Weak functions without a definition stay null.
std::vector<ForeignFunction> defineCallStubs(llvm::Module &module,
                                             llvm::function_ref<bool(llvm::StringRef)> isLinked);

} // namespace fathom::program
#endif
