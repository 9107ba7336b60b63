/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * long __fathom_clone(function, stack, flags, argument, parentTid, threadPointer, clearTid)
 * void __fathom_unmap_self(base, size)
 */
.text
.global __fathom_clone
.type __fathom_clone,@function
__fathom_clone:
  and $-16, %rsi
  sub $16, %rsi     /* the new thread takes these two from its stack */
  mov %rdi, (%rsi)
  mov %rcx, 8(%rsi)
  mov %rdx, %rdi    /* flags; the stack is in its place */
  mov %r8, %rdx
  mov %r9, %r8
  mov 8(%rsp), %r10
  mov $56, %eax     /* clone */
  syscall
  test %eax, %eax
  jz 1f
  ret
1:
  xor %ebp, %ebp
  pop %rax
  pop %rdi
  call *%rax
  mov %eax, %edi
  mov $60, %eax     /* exit */
  syscall
  hlt
.size __fathom_clone, .-__fathom_clone

.global __fathom_unmap_self
.type __fathom_unmap_self,@function
__fathom_unmap_self:
  mov $11, %eax     /* munmap: nothing may be put on the stack from here on */
  syscall
  xor %edi, %edi
  mov $60, %eax     /* exit */
  syscall
  hlt
.size __fathom_unmap_self, .-__fathom_unmap_self
.section .note.GNU-stack,"",@progbits
