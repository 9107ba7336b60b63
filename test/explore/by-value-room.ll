; Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %explore %s %t paths_completed=0 bugs= ledger=bound-size -- --max-stack 200000
; RUN: FileCheck %s <%t.out/ledger.json
; CHECK: no address space left for local variables and arguments
; RUN: %explore %s %t.stack paths_completed=0 bugs=stack-overflow -- --max-stack 200000 --max-stack-bytes 1000
;
; A structure that is passed by value and finds no room ends the path. It is never the caller's own, which the callee would write to.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-musl"

%S = type { [16 x i8] }
@kept = global %S zeroinitializer

; So large an alignment that there are addresses for some thousands.
define void @down(ptr byval(%S) align 2147483648 %s, i32 %n) {
  store i8 1, ptr %s
  %again = icmp ult i32 %n, 100000
  br i1 %again, label %more, label %end
more:
  %next = add i32 %n, 1
  call void @down(ptr byval(%S) align 2147483648 @kept, i32 %next)
  br label %end
end:
  ret void
}

define i32 @main() {
  call void @down(ptr byval(%S) align 2147483648 @kept, i32 0)
  %byte = load i8, ptr @kept
  %status = zext i8 %byte to i32
  ret i32 %status
}
