/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef FATHOM_POSIX_ARGS_H
#define FATHOM_POSIX_ARGS_H

#include "state.h"

enum { kMaxArguments = 1024, kMaxVariables = 64 };

/* The command line after the options for symbolic inputs have been taken out of it. */
struct fathom_arguments {
  int count;
  char *values[kMaxArguments];
  int symbolicVariables; /* were asked for: then all variables are inputs */
  int numVariables;
  char *variables[kMaxVariables]; /* the symbolic ones that are set */
};

/* Reads the options, creates the symbolic inputs and the standard descriptors, and registers every
 * input. */
void __fathom_readArguments(int argc, char **argv, struct fathom_arguments *out);

#endif
