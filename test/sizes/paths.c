// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %sizes %s %t.whole 2 -- --sym-arg SIZE --sym-files 1 0
// RUN: %sizes %s %t.part 2 -- x --sym-arg SIZE --sym-files 1 0
// RUN: %fathom-cc -g -DUNENDED %s -o %t && rm -rf %t.out
// RUN: %fathom explore %t --memory symbolic-size=16 -o %t.out | FileCheck %s
// Names of files that are arguments of symbolic length, or what is behind a sign in one: the model reads no further than they go.
// CHECK: bugs          1
// CHECK: out-of-bounds-read in main
#include <fathom.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct stat info;
#ifdef UNENDED // a name of which nothing says where it ends
  size_t n = fathom_size("n");
  fathom_assume(n >= 1 && n <= 2);
  char *name = malloc(n);
  if (!name) return 1;
  fathom_symbolic(name, n, "name");
  int found = stat(name, &info);
  free(name);
  return found;
#else
  const char *name = argv[argc - 1];
  if (argc > 2 && *name == '@') name++;
  if (stat(name, &info) < 0) return 1;
  int fd = open(name, O_RDONLY);
  printf("%d %d\n", fd < 0, S_ISDIR(info.st_mode));
  return 0;
#endif
}
