// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that changes whatever file its argument names: the engine and the replay let it change its own files only, and agree
// on the answers.
// REQUIRES: replay, mounts
// RUN: %fathom-cc -g %s -o %t
// RUN: %fathom explore %t -o %t-out --force -q --sym-arg 3 --sym-files 1 1
// RUN: stat -c "%%n %%a %%U" / /* >%t.before
// RUN: %fathom replay %t %t-out --json | FileCheck %s
// RUN: stat -c "%%n %%a %%U" / /* >%t.after
// RUN: diff %t.before %t.after
// CHECK: "confined_by": "read-only mounts"
// CHECK: "tests": {{[1-9][0-9]}}
// CHECK: "exit_status": {
// CHECK: "differ": 0
// CHECK: "stdout_differ": 0,
// CHECK: "divergence": {
// CHECK: "compared": {{[1-9][0-9]}}
// CHECK: "diverged": 0,
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int changes;

static void tell(const char *what, int result) {
  printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
  changes += result >= 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  const char *name = argv[1];
  tell("open", open(name, O_WRONLY));
  tell("create", open(name, O_WRONLY | O_CREAT, 0644));
  tell("mkdir", mkdir(name, 0755));
  tell("chmod", chmod(name, 0600));
  tell("truncate", truncate(name, 1));
  tell("unlink", unlink(name));
  return changes;
}
