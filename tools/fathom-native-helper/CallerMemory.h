// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of another process, at its own addresses, for one call of a function: pages are
// fetched when the function touches them, and changed ones go back in the end. So pointers of any
// depth mean the same on both sides, and no description of them is needed.
//
//   if (!attach(pid, room, error)) ...     // the other process waits meanwhile
//   prefetch(word);                        // for each argument
//   call();
//   if (!writeBack()) ...
//   detach();
//
// All of the other process's mappings are reserved here, without access; a fault in one of them
// fetches pages, to be read only; a fault when one is written keeps a copy to compare it with. A
// fault anywhere else, a write to what is read only there, and a jump into its code are what they
// would be there: the end of this process by SIGSEGV.
//
// Departs from shared memory: a system call that a library makes on such memory fails with EFAULT
// where nothing was fetched yet, as the kernel does not ask our handler. prefetch() is against
// that.
//
// One call at a time in a process; no heap, because that belongs to the libraries. Cost: a read of
// /proc/PID/maps and a system call for each mapping, two for each 64 KB that are read, two for each
// page written.
#ifndef FATHOM_NATIVE_HELPER_CALLERMEMORY_H
#define FATHOM_NATIVE_HELPER_CALLERMEMORY_H

#include <cstdint>
#include <sys/types.h>

namespace fathom::helper {

/// \param room    Bytes that this process may map beside what it has now and the reservations.
/// \param error   errno; 0: something of this process is at one of the addresses.
bool attach(pid_t process, uint64_t room, int &error);
/// What lies at this address and up to 64 KB after it, if it is one: fetched as if it were written.
void prefetch(uint64_t address);
/// False: the other process is gone, or what was writable no longer is.
bool writeBack();
/// The addresses are free again: what a library keeps of them is fetched anew in the next call.
void detach();

} // namespace fathom::helper
#endif
