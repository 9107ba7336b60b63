// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that processes share: what one input leaves there, the next must not find.
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  char text[16] = "";
  int *count = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (count == MAP_FAILED) return 1;
  read(0, text, sizeof text);
  if (++*count > 1) abort();
  return text[0] == 'x';
}
