// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --only shows reports of a kind, of a file, or that name a line: of the defect, of its source, or one that follows. What fits nothing is told.
// RUN: %fathom scan %s | FileCheck %s --check-prefix=ALL
// ALL: 2 reports: 1 use-after-free, 1 null-dereference
// RUN: %fathom scan %s --only use-after-free | FileCheck %s --check-prefix=USE
// RUN: %fathom scan %s --only only.c:26 | FileCheck %s --check-prefix=USE
// RUN: %fathom scan %s --only only.c:25 | FileCheck %s --check-prefix=USE
// RUN: %fathom scan %s --only only.c:27 | FileCheck %s --check-prefix=USE
// USE: only.c:26:{{[0-9]+}}: use-after-free
// USE: 1 report: 1 use-after-free
// RUN: %fathom scan %s --only null-dereference --only nosuch 2>&1 | FileCheck %s --check-prefix=NULL
// NULL: --only nosuch: no report has this rule, or this in the path of its file; the rules are null-dereference, use-after-free
// NULL: only.c:31:{{[0-9]+}}: null-dereference
// NULL: 1 report: 1 null-dereference
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom scan %s --only only.c:1 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: --only only.c:1: no report has this rule, or this in the path of its file; in that file, there are only.c:26, only.c:31
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom scan %s --assertions --only x 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: fathom: --only and --assertions exclude each other
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  char *text = malloc(4);
  if (!text) return 1;
  text[0] = text[1] = 'a';
  free(text);
  putchar(text[0]);
  putchar(text[1]);
  char *name = NULL;
  if (argc > 1) name = argv[1];
  if (argc > 2) printf("%d\n", argc);
  putchar(name[0]);
  return 0;
}
