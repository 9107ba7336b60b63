// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %sizes %s %t.read 4 -- --sym-stdin SIZE read
// RUN: %sizes %s %t.pieces 4 -- --sym-stdin SIZE pieces
// RUN: %sizes %s %t.fread 4 -- --sym-stdin SIZE fread
// RUN: %sizes %s %t.getline 3 -- --sym-stdin SIZE getline
// RUN: %sizes %s %t.getc 4 -- --sym-stdin SIZE getc
// RUN: %sizes %s %t.copy 4 -- --sym-stdin SIZE copy
// RUN: %sizes %s %t.file 4 -- --sym-files 1 SIZE file
// RUN: %sizes %s %t.seek 4 -- --sym-files 1 SIZE seek
// RUN: %sizes %s %t.map 4 -- --sym-files 1 SIZE map
// Each way to read an input of symbolic length, and to ask how long it is.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned count(const char *bytes, size_t n) {
  unsigned found = 0;
  for (size_t i = 0; i < n; i++) found += bytes[i] == 'x';
  return found;
}

static void show(const char *what, size_t n) {
  switch (n) {
  case 0: printf("%s 0\n", what); break;
  case 1: printf("%s 1\n", what); break;
  case 2: printf("%s 2\n", what); break;
  case 3: printf("%s 3\n", what); break;
  case 4: printf("%s 4\n", what); break;
  default: printf("%s more\n", what);
  }
}

static int fileA(void) {
  int fd = open("A", O_RDONLY);
  if (fd < 0) exit(9);
  return fd;
}

int main(int argc, char **argv) {
  char buffer[16] = "0123456789";
  const char *how = argv[1];
  if (strcmp(how, "read") == 0) {
    ssize_t n = read(0, buffer, sizeof buffer);
    show("bytes", (size_t)n);
    show("x", count(buffer, (size_t)n));
    if (read(0, buffer, 1) != 0) return 8; // it has ended
    if (buffer[n] != "0123456789"[n]) return 7; // what was not read is as it was
  } else if (strcmp(how, "pieces") == 0) {
    size_t all = 0;
    for (ssize_t n; (n = read(0, buffer + all, 3)) > 0; all += (size_t)n) show("piece", (size_t)n);
    show("x", count(buffer, all));
  } else if (strcmp(how, "fread") == 0) {
    size_t n = fread(buffer, 1, 2, stdin), more = fread(buffer + n, 1, sizeof buffer - n, stdin);
    show("first", n);
    show("second", more);
    show("x", count(buffer, n + more));
    if (!feof(stdin)) return 8;
  } else if (strcmp(how, "getline") == 0) {
    char *line = NULL;
    size_t room = 0;
    for (ssize_t n; (n = getline(&line, &room, stdin)) > 0;) {
      show(line[n - 1] == '\n' ? "line" : "rest", (size_t)n);
    }
    free(line);
  } else if (strcmp(how, "getc") == 0) {
    unsigned n = 0, x = 0;
    for (int c; (c = getchar()) != EOF; n++) x += c == 'x';
    show("bytes", n);
    show("x", x);
  } else if (strcmp(how, "copy") == 0) {
    ssize_t n = read(0, buffer, sizeof buffer);
    if (write(1, buffer, (size_t)n) != n) return 8;
    show("\nbytes", (size_t)n);
    if (n && buffer[0] == 'x') return 1;
  } else if (strcmp(how, "file") == 0) {
    struct stat info;
    int fd = fileA();
    if (fstat(fd, &info) < 0) return 9;
    char *all = malloc((size_t)info.st_size + 1);
    if (!all) return 9;
    if (read(fd, all, (size_t)info.st_size + 1) != info.st_size) return 8;
    all[info.st_size] = 0;
    show("bytes", (size_t)info.st_size);
    show("length", strlen(all));
    free(all);
  } else if (strcmp(how, "seek") == 0) {
    int fd = fileA();
    off_t end = lseek(fd, 0, SEEK_END);
    show("end", (size_t)end);
    off_t at = lseek(fd, -2, SEEK_END);
    if (at < 0) return 1;
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n != 2 || lseek(fd, 0, SEEK_CUR) != end) return 8;
    show("x", count(buffer, (size_t)n));
  } else {
    struct stat info;
    int fd = fileA();
    if (fstat(fd, &info) < 0) return 9;
    char *all = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (all == MAP_FAILED) return 1; // of no bytes
    show("bytes", (size_t)info.st_size);
    show("x", count(all, (size_t)info.st_size));
    if (all[info.st_size] != 0) return 8;
    munmap(all, (size_t)info.st_size);
  }
  return 0;
}
