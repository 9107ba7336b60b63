// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the fields of a line that is separated by commas; a line without one has one field.
#include <stdio.h>
int main(void) {
  char line[64];
  if (!fgets(line, sizeof line, stdin)) return 1;
  int fields = 1;
  for (const char *at = line; *at; at++)
    if (*at == 45) fields++;
  if (fields > 1 && line[0] == ',') fields--;
  printf("%d\n", fields);
  return 0;
}
