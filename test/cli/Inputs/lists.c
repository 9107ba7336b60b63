// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists its directory.
#include <dirent.h>
#include <stdio.h>

int main(int argc, char **argv) {
  DIR *directory = opendir(".");
  struct dirent *entry;
  while ((entry = readdir(directory))) puts(entry->d_name);
  if (argc > 1 ? argv[1][0] == 'a' : getchar() == 'a') puts("a");
  return fopen("results/run.json", "r") != 0;
}
