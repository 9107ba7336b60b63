// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots of local variables are used again as in the engine, also after longjmp and with many at a time.
// REQUIRES: replay
// RUN: %fathom-cc -g -w %s -o %t
// RUN: mkdir -p %t-cwd && cd %t-cwd && %fathom explore %t -o %t-out --force -q --sym-arg 1
// RUN: %fathom replay %t %t-out --fail-on-divergence | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: exit status all 2 agree
// CHECK: stdout all 2 agree
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>
static void show(const char*w,const void*p){printf("%s %p\n",w,p);}
static int deep(int n){int a[3];if(n)return deep(n-1)+(a[0]=n);show("deep",a);return 0;}
static void leaf(int i){char b[9];if(i%97==0)show("leaf",b);}
static void vla(int n){for(int i=0;i<3;i++){char b[n+i];if(n%50==0)show("vla",b);}}
struct s{char c[60];};
static struct s ret(int n){struct s x={0};x.c[0]=n;return x;}
static void va(const char*f,...){__builtin_va_list ap;__builtin_va_start(ap,f);char buf[16];if(__builtin_va_arg(ap,int)%97==0)show("va",buf);__builtin_va_end(ap);}
jmp_buf jb;
int main(int argc,char**argv){
 int q; show("q",&q);
 for(int i=0;i<900;i++)leaf(i);
 deep(300); for(int i=0;i<900;i++)leaf(i);
 deep(800); for(int i=0;i<1500;i++)leaf(i);
 for(int i=0;i<400;i++)vla(i+1);
 for(int i=0;i<700;i++)va("",i);
 for(volatile int i=0;i<700;i++){ if(!setjmp(jb)){ char b[4]; if(i%97==0)show("b",b); deep(i%5); longjmp(jb,1);} }
 for(int i=0;i<700;i++){struct s y=ret(i); if(i%97==0)show("y",&y);}
 for(int i=0;i<300;i++){ if(i%5==0) printf("%d %s %p\n",i,"abc",(void*)&q);}
 char*p=strdup("x"); show("p",p);
 if(argv[1][0]=='x')puts("x");
 return 0;}
