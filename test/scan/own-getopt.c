// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's own getopt: whether an option has an argument stands in a text, so that nothing says that optarg is null.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}1 report: 1 null-dereference
#include <stdlib.h>
#include <string.h>

char *rpl_optarg;
static int next = 1;

int rpl_getopt(int argc, char **argv, const char *options) {
  rpl_optarg = NULL;
  if (next >= argc || argv[next][0] != '-') return -1;
  const char option = argv[next++][1];
  const char *found = strchr(options, option);
  if (!found) return '?';
  if (found[1] == ':' && next < argc) rpl_optarg = argv[next++];
  return option;
}

// Any other function is followed.
static char *lookedUp(int argc, char **argv, const char *options) { return argc > 3 ? argv[3] : NULL; }

int main(int argc, char **argv) {
  int sum = 0;
  for (int option; (option = rpl_getopt(argc, argv, "ab:")) != -1;)
    if (option == 'b') sum += atoi(rpl_optarg) + rpl_optarg[0];
  // CHECK: own-getopt.c:[[@LINE+1]]:{{.*}} null-dereference
  return sum + lookedUp(argc, argv, "x")[0];
}
