// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A replayed program sees the engine's addresses of everything: it prints, compares and hashes them.
// REQUIRES: replay
// RUN: %fathom-cc -g -w %s -o %t
// RUN: mkdir -p %t-cwd && cd %t-cwd && %fathom explore %t -o %t-out --force -q --sym-arg 1
// RUN: %fathom replay %t %t-out --fail-on-divergence | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: exit status all 2 agree
// CHECK: stdout all 2 agree
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <alloca.h>
#include <stdint.h>
#include <setjmp.h>
static char g1[40], g2[8]; const char *lit="hello"; int zero; struct big {char c[100];};
jmp_buf jb;
static void show(const char*w,const void*p){printf("%s %p\n",w,p);}
static void byval(struct big b,int d){show("byval",&b);if(d){char x[3];show("x",x);byval(b,d-1);}}
static void va(const char*f,...){char buf[16];show("vabuf",buf);}
static void vla(int n){for(int i=0;i<3;i++){char b[n+i];show("vla",b);}char*c=alloca(33);show("alloca",c);}
static void jumper(int n){int a[4];show("jumper",a);if(n)jumper(n-1);else longjmp(jb,1);}
int main(int argc,char**argv){
 int loc; show("loc",&loc);show("g1",g1);show("g1e",g1+40);show("g2",g2);show("lit",lit);show("main",(void*)main);show("zero",&zero);show("printf",(void*)printf);
 struct big b={0}; byval(b,2); va("",1,2.0); vla(5);
 if(!setjmp(jb)) jumper(3); show("loc2",&b);{int q;show("q",&q);}
 void*p[2000]; for(int i=0;i<1500;i++){p[i]=malloc(i);} show("m0",p[0]);show("m1499",p[1499]); for(int i=0;i<1500;i+=2)free(p[i]); for(int i=0;i<1500;i+=2){p[i]=malloc(8);} show("m0",p[0]);show("m",p[1498]);
 void*r=realloc(p[3],100000);show("r",r);void*a=aligned_alloc(4096,10);show("aa",a);void*big=malloc(5000000);show("big",big);memset(big,1,5000000);free(big);show("big2",malloc(5000000));
 for(int i=0;i<3000;i++)vla(3);
 uintptr_t u=(uintptr_t)g2; char*back=(char*)u; *back=7; if(g2[0]!=7)puts("BAD"); u=(uintptr_t)&loc; *(int*)u=5; if(loc!=5)puts("BAD2");
 void(*f)(const char*,const void*)=(void(*)(const char*,const void*))(uintptr_t)show; f("f",(void*)f);
 if(g1<(char*)p[0])puts("lt"); if((char*)&loc<(char*)p[1])puts("lt2"); if((char*)main<g1)puts("lt3");
 if(argv[1][0]=='x')puts("x");
 return 0;}
