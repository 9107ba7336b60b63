/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * long __fathom_syscall(number, a, b, c, d, e, f), and the thread pointer.
 */
.text
.global __fathom_syscall
.type __fathom_syscall,@function
__fathom_syscall:
  mov %rdi, %rax
  mov %rsi, %rdi
  mov %rdx, %rsi
  mov %rcx, %rdx
  mov %r8, %r10
  mov %r9, %r8
  mov 8(%rsp), %r9
  syscall
  ret
.size __fathom_syscall, .-__fathom_syscall

.global __fathom_get_tp
.type __fathom_get_tp,@function
__fathom_get_tp:
  mov %fs:0, %rax
  ret
.size __fathom_get_tp, .-__fathom_get_tp

.global __fathom_set_tp
.type __fathom_set_tp,@function
__fathom_set_tp:
  mov %rdi, %rsi
  mov $0x1002, %edi /* ARCH_SET_FS */
  mov $158, %eax    /* arch_prctl */
  syscall
  ret
.size __fathom_set_tp, .-__fathom_set_tp
.section .note.GNU-stack,"",@progbits
