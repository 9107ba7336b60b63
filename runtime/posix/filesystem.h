/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How the start-up code (args.c) fills the file system.
 */
#ifndef FATHOM_POSIX_FILESYSTEM_H
#define FATHOM_POSIX_FILESYSTEM_H

#include "state.h"

/* A file of size bytes, which may be symbolic, in the working directory, or without a name if name
 * is 0. There is room for the most that they can be. Returns its inode. */
int __fathom_addDataFile(const char *name, byte *data, usize size, usize room);
/* Descriptors 0, 1 and 2. Without symbolic input standard input is /dev/null. */
void __fathom_openStandardFiles(byte *input, usize size, usize room, int symbolic);

#endif
