// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program may have a macro of its own named __unused, as BSD's headers do: libc's headers have no member of this name.
//
// RUN: %fathom-cc -o %t %s && %t
#define __unused __attribute__((unused))
#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <utmpx.h>

int main(int argc __unused, char **argv __unused) {
  struct stat s;
  return stat("/", &s);
}
