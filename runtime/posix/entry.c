/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a path begins: the engine calls __fathom_entry with the stack block that the kernel would
 * have made (argc, argv, NULL, environment, NULL, auxiliary vector), and libc's start-up code is
 * entered with a block of the same form in which symbolic inputs have taken the place of the
 * options that asked for them.
 */
#include "args.h"
#include "syscalls.h"
#include <linux/auxvec.h>

void _start_c(long *stack); /* libc's, in crt1 */

void __fathom_entry(long *kernelStack) {
  static struct fathom_arguments arguments;
  static byte randomSeed[16];
  int argc = (int)kernelStack[0];
  char **argv = (char **)(kernelStack + 1), **environment = argv + argc + 1;

  __fathom_setTid(0, kPid);
  __fathom_idsInit();
  __fathom_filesystemInit();
  __fathom_readArguments(argc, argv, &arguments);
  __fathom_randomBytes(randomSeed, sizeof randomSeed);

  /* No AT_PHDR (the program's headers are not in its memory) and no AT_SYSINFO_EHDR (no vdso: time
   * is a system call). */
  const unsigned long auxiliary[][2] = {
      {AT_PAGESZ, 4096},
      {AT_CLKTCK, 100},
      {AT_UID, __fathom_uid},
      {AT_EUID, __fathom_uid},
      {AT_GID, __fathom_gid},
      {AT_EGID, __fathom_gid},
      {AT_SECURE, 0},
      {AT_RANDOM, (unsigned long)randomSeed},
      {AT_EXECFN, arguments.count ? (unsigned long)arguments.values[0] : 0},
      {AT_NULL, 0},
  };
  usize variables = 0;
  while (environment[variables]) variables++;
  usize symbolic = (usize)arguments.numVariables;
  usize words =
      1 + (usize)arguments.count + 1 + symbolic + variables + 1 + sizeof auxiliary / sizeof(long);
  long *stack = __fathom_alloc(words * sizeof *stack, "initial stack");
  usize at = 0;
  stack[at++] = arguments.count;
  for (int i = 0; i <= arguments.count; i++) stack[at++] = (long)arguments.values[i];
  for (usize i = 0; i < symbolic; i++) stack[at++] = (long)arguments.variables[i];
  for (usize i = 0; i <= variables; i++) {
    if (environment[i] && arguments.symbolicVariables)
      __fathom_input(FATHOM_INPUT_ENV, "environ", environment[i], fathomLength(environment[i]) + 1);
    stack[at++] = (long)environment[i];
  }
  fathomCopy(stack + at, auxiliary, sizeof auxiliary);
  _start_c(stack);
}
