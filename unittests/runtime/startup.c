/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A whole program, libc included, on the environment model: the bitcode that fathom-cc leaves
 * (startup_program.c) linked with runtime.bc and made into an object in which only __fathom_entry
 * is visible, so that its libc and ours do not meet.
 */
#define _GNU_SOURCE
#include "mock_engine.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is native in a program: libc's names for the allocator, and assembly that is not reached. */
void *libcMalloc(size_t size) __asm__("__libc_malloc");
void *libcMalloc(size_t size) { return malloc(size); }
void *libcCalloc(size_t count, size_t size) __asm__("__libc_calloc");
void *libcCalloc(size_t count, size_t size) { return calloc(count, size); }
void *libcRealloc(void *old, size_t size) __asm__("__libc_realloc");
void *libcRealloc(void *old, size_t size) { return realloc(old, size); }
void libcFree(void *memory) __asm__("__libc_free");
void libcFree(void *memory) { free(memory); }
void notReachedRestore(void) __asm__("__restore_rt");
void notReachedRestore(void) { abort(); }
void notReachedCancel(void) __asm__("__fathom_syscall_cp");
void notReachedCancel(void) { abort(); }

static const char expected[] =
    "argv[0] program\nargv[1] abc\nargv[2] plain\nLANG C\nstdin abcd\nA abcde\nsize 0 7\n"
    "cwd /tmp/fathom/work/d\nentry .\nentry ..\nentry A\nentry B\nentry d\nsignal 10\n"
    "date 2023-11-14\nmissing 1\n";

static void end(const char *how, int value) {
  tapOk(!strcmp(how, "exit") && value == 5, "the program ends with its status");
  if (!tapOk(mock.outputSize[1] == strlen(expected) &&
                 !memcmp(mock.output[1], expected, strlen(expected)),
             "its output is what it is natively"))
    fwrite(mock.output[1], 1, mock.outputSize[1], stderr);
  tapOk(mock.outputSize[2] == 10 && !memcmp(mock.output[2], "to stderr\n", 10),
        "so is what it writes to standard error");
  tapOk(mock.ledger[0] == 0, "nothing is left out");
  _exit(tapDone());
}

int main(void) {
  char *arguments[] = {"program", "--sym-arg",   "3", "plain", "--sym-stdin",
                       "4",       "--sym-files", "2", "5",     0};
  mock.end = end;
  mockRun(arguments);
  return 1;
}
