// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a file of its working directory.
#include <stdio.h>

int main(void) {
  FILE *settings = fopen("settings", "r");
  if (!settings) {
    puts("no settings");
    return 2;
  }
  puts(fgetc(settings) == 'd' ? "known" : "other");
  return getchar() == 'x';
}
