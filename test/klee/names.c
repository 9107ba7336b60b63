// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of inputs may be any words: their tests give the values back by them. A null name is one too, a bad one a bug.
// REQUIRES: replay
// RUN: %fathom-cc -g -w %s -o %t
// RUN: %fathom explore %t -o %t-out --force -q
// RUN: %fathom replay %t %t-out --fail-on-divergence | FileCheck %s
// CHECK: 8 tests and 1 bug replayed
// CHECK: branch traces all 8 agree
// CHECK: stdout all 8 agree
// RUN: FileCheck %s --check-prefix=BUG < %t-out/bugs/000001/bug.json
// BUG: out-of-bounds-read
// Its own tests are seeds that come the same way.
// RUN: %fathom explore %t -o %t-again --force -q --only-seeds --seeds %t-out/tests
// RUN: %fathom replay %t %t-again --fail-on-divergence | FileCheck %s --check-prefix=AGAIN
// AGAIN: 8 tests
#include <klee/klee.h>
#include <stdio.h>
int main(void){ int a,b,c,d,e,f,g,h; 
 klee_make_symbolic(&a,sizeof a,"buf[0]"); klee_make_symbolic(&b,sizeof b,"p->len"); klee_make_symbolic(&c,sizeof c,"let");
 klee_make_symbolic(&d,sizeof d,""); klee_make_symbolic(&e,sizeof e,"größe"); klee_make_symbolic(&f,sizeof f,"buf[0]"); klee_make_symbolic(&g,sizeof g,"buf(0)");
 h=klee_int(0);
 if(a==1){puts("a"); if(b==2){puts("b"); if (c==3){puts("c"); if(d==4){puts("d"); if(e==5){puts("e"); if(f==6){puts("f");if(g==7){puts("g");if(h==8){ char n[3] = {'a','b','c'}; puts("h"); klee_int(n); }}}}}}}}
 return 0;}
