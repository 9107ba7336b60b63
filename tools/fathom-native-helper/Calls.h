// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom-native-helper --calls: executes functions for programs that run (runtime/native/stubs.c).
// All calls of one program are executed in one child of this process as it was at its start, so
// that a program sees what its own calls leave in a library and nothing of others: what the engine
// does for the calls of a path.
#ifndef FATHOM_NATIVE_HELPER_CALLS_H
#define FATHOM_NATIVE_HELPER_CALLS_H

namespace fathom::helper {

/// Before anything else: makes sure that this process is not where programs are. Programs run
/// without randomisation, with their stack and what they map at the top of the address space. May
/// start this executable anew. False: this machine does not randomise.
bool moveOutOfTheWay(char **arguments);
/// Descriptor FATHOM_EXTERNAL_SOCKET listens. Does not return.
[[noreturn]] void serveCalls(void *(*find)(const char *name));

} // namespace fathom::helper
#endif
