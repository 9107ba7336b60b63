// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A round of the second loop writes one to six bytes, so states that have read as much have written differently much and never join: there are exponentially many, which all
// wait at the loop's header. The loop is left while there are some hundreds, and paths come to the end (before, not one of them did).
// RUN: %fathom-cc -g %s -o %t.program
// RUN: %fathom explore %t.program -o %t --force --json --search dfs --memory symbolic-size=104 --merge pattern --max-instructions 50000 | FileCheck %s
// CHECK: "paths_completed": {{[1-9]}}
#include <fathom.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  size_t n = fathom_size("n");
  fathom_assume(n <= 10);
  char *text = malloc(n + 1);
  fathom_symbolic(text, n, "text");
  text[n] = 0;
  int size = 0;
  for (const char *from = text; *from; from++, size++) {
    if (*from == '&') size += 4;
    else if (*from == '<' || *from == '>') size += 3;
    else if (*from == '"') size += 5;
  }
  char *out = malloc((size_t)size + 1), *to = out;
  for (const char *from = text; *from; from++) {
    switch (*from) {
    case '&': memcpy(to, "&amp;", 5), to += 5; break;
    case '<': memcpy(to, "&lt;", 4), to += 4; break;
    case '>': memcpy(to, "&gt;", 4), to += 4; break;
    case '"': memcpy(to, "&quot;", 6), to += 6; break;
    default: *to++ = *from;
    }
  }
  *to = 0;
  return out[0] == '&';
}
