// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %fathom-cc -g %s -o %t
// RUN: %differential --stdin %S/Inputs/lines.txt %t
// RUN: %differential --stdin %S/Inputs/bytes.bin %t
// RUN: %differential %t
// Standard input: characters, lines, numbers, end of file.
#include <stdio.h>
#include <unistd.h>
int main(void) {
  int c, lines = 0, bytes = 0;
  unsigned sum = 0;
  while ((c = getchar()) != EOF) bytes++, lines += c == '\n', sum = sum * 33 + (unsigned)c;
  printf("%d %d %u %d %d\n", bytes, lines, sum, feof(stdin) != 0, getchar());
  char more[4];
  printf("%d %d\n", (int)read(0, more, 4), (int)lseek(0, 0, SEEK_CUR) == bytes);
  return lines;
}
