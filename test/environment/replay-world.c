// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Process numbers, what is known about files, the order of directories and positions in them are the model's on replay.
// REQUIRES: replay
// RUN: %fathom-cc -g -w %s -o %t
// RUN: mkdir -p %t-cwd && cd %t-cwd && %fathom explore %t -o %t-out --force -q --sym-arg 1 --sym-files 1 4
// RUN: %fathom replay %t %t-out --fail-on-divergence | FileCheck %s
// CHECK: branch traces all 2 agree
// CHECK: exit status all 2 agree
// CHECK: stdout all 2 agree
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>
#include <sys/stat.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <string.h>
#include <errno.h>
#include <sys/types.h>
#include <sys/syscall.h>
// Only of places on the host that nothing changes meanwhile: what was changed a minute ago passes for a file of the test.
static void show(const char*n){struct stat s; if(stat(n,&s)){printf("%s: %d\n",n,errno);return;} printf("%s %o %lu %ld %ld %ld.%09ld %ld %ld %ld %ld\n",n,s.st_mode,s.st_dev,S_ISDIR(s.st_mode)?0:(long)s.st_size,(long)s.st_blocks,s.st_mtim.tv_sec,s.st_mtim.tv_nsec,s.st_atim.tv_sec,s.st_ctim.tv_sec,(long)s.st_blksize,(long)s.st_nlink);}
static void list(const char*n){DIR*d=opendir(n); struct dirent*e; printf("[%s]",n); while(d&&(e=readdir(d)))printf(" %s:%d",e->d_name,e->d_type); if(d){rewinddir(d);int k=0;while(readdir(d))k++;printf(" again %d",k);closedir(d);} puts("");}
int main(int argc,char**argv){
 printf("%d %d %d %d %d %d\n",getpid(),getppid(),getpgrp(),getsid(0),gettid(),getpriority(PRIO_PROCESS,0));
 if(argc>1&&argv[1][0]=='x')puts("x");
 show("A");show(".");show("/etc/passwd");show("/dev/null");
 int fd=open("new",O_CREAT|O_WRONLY,0644); write(fd,"abc",3); close(fd); show("new"); mkdir("dir",0755); show("dir");
 close(open("aaa",O_CREAT|O_WRONLY,0600));
 list(".");list("/usr");list("..");
 show("/usr");list("/usr");
 fd=open("/",O_RDONLY|O_DIRECTORY); printf("%ld ",(long)lseek(fd,0,SEEK_END)); printf("%ld\n",(long)lseek(fd,0,SEEK_SET));
 fd=open(".",O_RDONLY|O_DIRECTORY); printf("%ld ",(long)lseek(fd,0,SEEK_END)); printf("%ld\n",(long)lseek(fd,-5,SEEK_CUR));
 int copy=dup(fd), other=fcntl(fd,F_DUPFD,20), third=dup2(fd,30); char names[64];
 lseek(copy,0,SEEK_SET); long first=syscall(SYS_getdents64,fd,names,sizeof names), second=syscall(SYS_getdents64,third,names,sizeof names);
 long at=lseek(fd,0,SEEK_CUR); printf("%ld %ld, at one place: %d %d",first,second,lseek(copy,0,SEEK_CUR)==at,lseek(other,0,SEEK_CUR)==at);
 close(fd); printf(" %d",lseek(other,0,SEEK_CUR)==at); dup2(open("/",O_RDONLY|O_DIRECTORY),other); printf(" %ld %d\n",(long)lseek(other,0,SEEK_CUR),lseek(third,0,SEEK_CUR)==at);
 struct stat s; fstat(1,&s); printf("%ld\n",(long)s.st_mtim.tv_sec);
 raise(SIGCONT); kill(getpid(),0);
 return 0;}
