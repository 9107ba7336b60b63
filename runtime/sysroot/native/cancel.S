/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * musl's own, under the name that programs know it by: its signal handler looks for its addresses.
 */
.text
.global __fathom_cancellable_syscall
.type __fathom_cancellable_syscall,@function
__fathom_cancellable_syscall:
  jmp __syscall_cp_asm
.size __fathom_cancellable_syscall, .-__fathom_cancellable_syscall
.section .note.GNU-stack,"",@progbits
