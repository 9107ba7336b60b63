// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PROGRAM.bc looks like: no inline assembly, only the functions of the contract undefined, libc marked, code
// not optimised whatever -O says, constructors in an ordinary array.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %fathom-cc -O3 -D_FORTIFY_SOURCE=2 -fPIC -flto %s -o program
// RUN: llvm-dis program.bc -o program.ll
// RUN: FileCheck %s --input-file=program.ll
// RUN: not grep -E " asm (sideeffect)?|^module asm" program.ll
// RUN: FileCheck %s --input-file=program.ll --check-prefix=LIBC
// RUN: llvm-nm --undefined-only program.bc | FileCheck %s --check-prefix=UNDEFINED
// RUN: ./program | FileCheck %s --check-prefix=OUTPUT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor(200))) static void second(void) { puts("second"); }
__attribute__((constructor(101))) static void first(void) { puts("first"); }
__attribute__((destructor)) static void last(void) { puts("last"); }

// CHECK: @fathom.init_array = internal constant [2 x ptr] [ptr @first, ptr @second]
// CHECK: @fathom.fini_array = internal constant [1 x ptr] [ptr @last]
// CHECK-NOT: llvm.global_ctors
// CHECK: define dso_local i32 @main({{.*}} #[[MAIN:[0-9]+]]
// CHECK: alloca ptr
// CHECK: call i64 @strlen
// CHECK-NOT: attributes #[[MAIN]] = { {{.*}}optnone
// CHECK: !fathom.version = !{![[VERSION:[0-9]+]]}
// CHECK-NOT: !fathom.missing
// CHECK: ![[VERSION]] = !{!"{{[0-9.]+}}", i32 1}

// LIBC: define {{.*}}@strlen({{.*}} #[[STRLEN:[0-9]+]]
// LIBC: attributes #[[STRLEN]] = { {{.*}}"fathom-libc"

// OUTPUT: first
// OUTPUT-NEXT: second
// OUTPUT-NEXT: 5
// OUTPUT-NEXT: last
int main(int argc, char **argv) {
  char *copy = strdup(argc > 1 ? argv[1] : "hello");
  printf("%zu\n", strlen(copy));
  free(copy);
  return 0;
}

// UNDEFINED-NOT: {{ }}U {{(__init_array_start|__init_array_end|_init|_fini)}}
// UNDEFINED: U __fathom_get_tp
// UNDEFINED: U __fathom_set_tp
// UNDEFINED: U __fathom_syscall
// UNDEFINED-NOT: {{ }}U {{(str|mem|print|write|puts)}}
// UNDEFINED: U free
// UNDEFINED: U malloc
