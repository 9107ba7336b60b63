; Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
target triple = "x86_64-unknown-linux-gnu"

define i32 @branch(i32 %n) {
  %x = add i32 %n, undef
  %c = icmp eq i32 %x, 7
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 0
}

define i32 @frozen(i32 %n) {
  %f = freeze i32 undef
  %x = add i32 %n, %f
  %c = icmp eq i32 %x, 7
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 0
}

define internal i32 @is(i32 %x) {
  %c = icmp eq i32 %x, 7
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 0
}

define i32 @argument() {
  %r = call i32 @is(i32 undef)
  ret i32 %r
}

define i32 @memory() {
  %p = alloca [4 x i32]
  %x = load volatile i32, ptr %p
  %r = call i32 @is(i32 %x)
  ret i32 %r
}
