// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Files: reading real ones, writing, seeking, unget, line input, temporary files, buffering modes, memory streams.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
  FILE *f = fopen("lines.txt", "r");
  if (!f) return perror("lines.txt"), 1;
  char line[64];
  while (fgets(line, 10, f)) printf("[%s]", line);
  printf("\n%d %d %ld\n", feof(f) != 0, ferror(f), ftell(f));
  rewind(f);
  int c = fgetc(f);
  ungetc('X', f);
  printf("%c %c%c\n", c, getc(f), fgetc(f));
  fseek(f, -4, SEEK_END);
  printf("%zu %.4s %d\n", fread(line, 1, 10, f), line, fgetc(f));
  fseek(f, 6, SEEK_SET);
  char *dynamic = NULL;
  size_t room = 0;
  ssize_t n;
  while ((n = getline(&dynamic, &room, f)) >= 0) printf("%zd:%s|", n, dynamic);
  puts("");
  free(dynamic);
  fclose(f);

  f = fopen("created.txt", "w+");
  fprintf(f, "line %d\nline %d\n", 1, 2);
  fputs("three", f);
  fseek(f, 5, SEEK_SET);
  fputc('9', f);
  fflush(f);
  rewind(f);
  int a, b;
  printf("%d", fscanf(f, "line %d line %d", &a, &b));
  printf(" %d %d\n", a, b);
  fclose(f);
  f = fopen("created.txt", "a");
  fwrite("XYZ", 1, 3, f), printf("%ld\n", ftell(f)), fclose(f);
  struct stat s;
  printf("%d %lld %d\n", stat("created.txt", &s), (long long)s.st_size, S_ISREG(s.st_mode));
  printf("%d %d\n", rename("created.txt", "renamed.txt"), access("created.txt", F_OK));
  int fd = open("renamed.txt", O_RDWR);
  printf("%d %lld\n", (int)read(fd, line, 6), (long long)lseek(fd, 0, SEEK_END));
  printf("%d %d\n", (int)pwrite(fd, "00", 2, 1), (int)pread(fd, line, 8, 0));
  printf("%.8s %d\n", line, ftruncate(fd, 4));
  struct iovec v[2] = {{"ab", 2}, {"cde", 3}};
  printf("%d %lld\n", (int)writev(fd, v, 2), (long long)lseek(fd, 0, SEEK_CUR));
  close(fd);
  printf("%d %d %d\n", unlink("renamed.txt"), open("renamed.txt", O_RDONLY), errno == ENOENT);
  errno = 0;
  printf("%d %d\n", open("lines.txt", O_CREAT | O_EXCL | O_RDWR, 0600), errno == EEXIST);

  f = tmpfile();
  if (!f) return perror("tmpfile"), 1;
  for (int i = 0; i < 1000; i++) fwrite(&i, sizeof i, 1, f);
  fseek(f, 500 * (long)sizeof a, SEEK_SET);
  printf("%d", (int)fread(&a, sizeof a, 1, f));
  printf(" %d\n", a);
  fclose(f);
  char memory[32];
  f = fmemopen(memory, sizeof memory, "w");
  setvbuf(f, NULL, _IONBF, 0), fprintf(f, "in %s", "memory"), fclose(f);
  puts(memory);
  char *grown;
  size_t length;
  f = open_memstream(&grown, &length);
  for (int i = 0; i < 100; i++) fprintf(f, "%d,", i);
  fclose(f);
  printf("%zu %.10s\n", length, grown);
  free(grown);
  f = fopen("bytes.bin", "rb");
  unsigned char all[1000];
  size_t got = fread(all, 1, sizeof all, f);
  unsigned sum = 0;
  for (size_t i = 0; i < got; i++) sum = sum * 31 + all[i];
  printf("%zu %u %d\n", got, sum, feof(f) != 0);
  fclose(f);
  printf("%d %d\n", fopen("no-such-file", "r") == NULL, errno == ENOENT);
  printf("%d %d\n", freopen("lines.txt", "r", stdin) != NULL, getchar());
  return 0;
}
