// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %explore %s %t.copied bugs= -- --sym-stdin 3
// RUN: %explore %s %t.full --cc=-DFULL bugs= -- --sym-stdin 3
// RUN: %explore %s %t.open --cc=-DOPEN bugs=out-of-bounds-read -- --sym-stdin 3
// Names of files with symbolic bytes: nothing behind the NUL is read, whether it is known which byte that is, or only that there is one. A
// name without a NUL is read to its end, and beyond.
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char line[4] = {0};
  if (read(0, line, 3) != 3) return 1;
#if defined(FULL)
  char *name = malloc(3);
  if (!name) return 1;
  memcpy(name, line, 3);
  if (name[0] && name[1] && name[2]) {
    free(name);
    return 2;
  }
#elif defined(OPEN)
  char *name = malloc(3);
  if (!name) return 1;
  memcpy(name, line, 3);
#else
  char *name = malloc(64);
  if (!name) return 1;
  memcpy(name, line, strlen(line) + 1);
#endif
  int file = open(name, O_RDONLY);
  if (file >= 0) close(file);
  free(name);
  return 0;
}
