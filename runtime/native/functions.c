/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linked into the variant of a program that executes the program's functions, libc's among them,
 * natively and one by one (program/FunctionsVariant.h): what they give is what they give in the
 * native program. main is not the program's own: libc has been started, and then waits for calls.
 */
#include "external.h"

/* Defined by the module: all functions that have a body, ended by a null name. */
struct function {
  const char *name;
  void *address;
};
extern const struct function __fathom_functions[];

void __fathom_machine_start(long *stack); /* machine.c */
void __fathom_functions_start(long *stack) { __fathom_machine_start(stack); }

/* What the native support library asks of a variant: turns of threads do not end here. */
void __fathom_beginSlice(void) {}
void __fathom_hasTurn(int thread) {}

static void *find(const char *name) {
  for (const struct function *f = __fathom_functions; f->name; f++) {
    const char *a = f->name, *b = name;
    while (*a && *a == *b) a++, b++;
    if (*a == *b) return f->address;
  }
  return 0;
}

int main(void) {
  fathom_external_serve(find);
  return 0;
}

/* As in trace.c: with the frame of the start zeroed, as the ABI wants it. */
__asm__(".text\n.global _start\n.type _start,@function\n_start:\n"
        "  xor %ebp, %ebp\n  mov %rsp, %rdi\n  and $-16, %rsp\n  call _start_c\n  hlt\n"
        ".size _start, .-_start");
