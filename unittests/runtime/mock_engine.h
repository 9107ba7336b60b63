/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The engine's side of fathom/abi.h for native tests of the environment model: one concrete path.
 */
#ifndef MOCK_ENGINE_H
#define MOCK_ENGINE_H

#include <fathom/abi.h>
#include <stdio.h>

struct mockEngine {
  const char *hostRoot; /* the folder shown to the model as "/"; 0: none */
  const char *cwd, *hostCwd;
  long uid, tty;
  int symbolic; /* every value but 0 counts as symbolic: the code for symbolic paths and numbers
                   runs */
  unsigned long sizedInput; /* the length of inputs of symbolic length; 0: none has one */
  unsigned failures;   /* of the mappings that are asked for, this one from now fails; 0: none */
  unsigned long forks; /* values that were forked over or pinned */
  char output[3][1 << 16];
  unsigned long outputSize[3];
  char ledger[1 << 14];       /* categories and messages, one per line */
  char inputs[1 << 12];       /* what was registered: "kind name size" per line */
  unsigned char seed;         /* first byte handed out by __fathom_make_symbolic, counting up */
  void (*start)(long *stack); /* what _start_c does */
  void (*end)(const char *how, int value); /* exit, killed, unsupported, bug, assume */
};
extern struct mockEngine mock;

void __fathom_entry(long *kernelStack);
/* Calls __fathom_entry with these arguments (NULL at the end) and an environment of one variable.
 */
void mockRun(char *const *arguments);

#endif
