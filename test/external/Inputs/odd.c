/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What replayed test programs call and have no code of: a pow that is not the C library's, and a
 * function that changes a file.
 */
#include <fcntl.h>
#include <unistd.h>

double pow(double x, double y) { return x + y; }

/* 1 if the file could be made. */
int leave(const char *path) {
  int file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (file < 0) return 0;
  close(file);
  return 1;
}
