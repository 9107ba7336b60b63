/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Empty on purpose: _start is in native/start.S, so that the bitcode of crt1.o is free of assembly.
 * An analysis starts at _start_c, with a pointer to argc, argv, envp and auxv in one block.
 */
