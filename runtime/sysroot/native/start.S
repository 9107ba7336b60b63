/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The entry point of a native program. The stack pointer at entry points to argc, argv, envp, auxv.
 */
.text
.global _start
.type _start,@function
_start:
  xor %ebp, %ebp
  mov %rsp, %rdi
  and $-16, %rsp
  call _start_c
  hlt
.size _start, .-_start
.section .note.GNU-stack,"",@progbits
