// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mappings lie natively where the model has them.
// REQUIRES: replay
// RUN: %fathom-cc -g -w %s -o %t
// RUN: mkdir -p %t-cwd && cd %t-cwd && %fathom explore %t -o %t-out --force -q --sym-arg 1
// RUN: %fathom replay %t %t-out --fail-on-divergence | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: exit status all 2 agree
// CHECK: stdout all 2 agree
#define _GNU_SOURCE
#include <sys/mman.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int c,char**v){ char*p[6]; for(int i=0;i<6;i++){p[i]=mmap(0,5000*(i+1),3,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);printf("%p\n",p[i]);malloc(10);memset(p[i],1,5000);} munmap(p[2],15000); char*q=mmap(0,4000000,3,MAP_PRIVATE|MAP_ANONYMOUS,-1,0); printf("%p\n",q); q=mremap(q,4000000,8000000,MREMAP_MAYMOVE);printf("%p %d\n",q,q[5]); if(v[1][0]=='x')puts("x"); for(int i=0;i<3000;i++){char*z=mmap(0,4096,3,34,-1,0);*z=3;if(i%500==0)printf("%p\n",z);munmap(z,4096);} return 0;}
