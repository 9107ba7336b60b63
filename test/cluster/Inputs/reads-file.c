// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As many paths as the file of the host has different bytes, and one.
#include <dirent.h>
#include <fathom.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv) {
  char known[64];
  unsigned char in;
  struct stat st;
  int fd = open(argv[1], O_RDONLY);
  if (fd < 0 || stat(argv[1], &st)) return 99;
  long n = read(fd, known, sizeof known);
  if (n != st.st_size) return 98;
  int entries = 0;
  DIR *d = opendir("data");
  while (d && readdir(d)) entries++;
  if (entries != 4) return 97; // two, and . and ..
  fathom_bytes(&in, 1, "in");
  for (int i = 0; i < n; i++)
    if (in == known[i]) return i;
  return 50;
}
