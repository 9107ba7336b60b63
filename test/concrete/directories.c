// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Directories: reading, making, removing, walking; paths; the working directory.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char seen[8][64]; // the order of a directory's entries is the file system's
static int count;
static int visit(const char *path, const struct stat *s, int type, struct FTW *f) {
  snprintf(seen[count++], sizeof *seen, "%s %d %d", path, type, f->level);
  return 0;
}
static int byName(const void *a, const void *b) { return strcmp(a, b); }
static int plain(const struct dirent *d) { return d->d_name[0] != '.'; }

int main(void) {
  struct dirent **names;
  int n = scandir("folder", &names, plain, alphasort);
  for (int i = 0; i < n; i++) printf("%s %d ", names[i]->d_name, names[i]->d_type == DT_DIR), free(names[i]);
  free(names);
  printf("%d\n", n);
  DIR *d = opendir("folder");
  int dots = 0, others = 0;
  for (struct dirent *e; (e = readdir(d));) *(e->d_name) == '.' ? dots++ : others++;
  rewinddir(d);
  printf("%d %d %d\n", dots, others, readdir(d) != NULL);
  closedir(d);
  printf("%d %d\n", opendir("nothing") == NULL, errno == ENOENT);
  printf("%d %d\n", mkdir("made", 0755), mkdir("made", 0755));
  FILE *f = fopen("made/file", "w");
  fputs("x", f), fclose(f);
  printf("%d %d\n", rmdir("made"), errno == ENOTEMPTY);
  struct stat s;
  printf("%d %d %o\n", stat("made", &s), S_ISDIR(s.st_mode), s.st_mode & 0777);
  printf("%d %d %d\n", chdir("made"), access("file", R_OK), chdir(".."));
  printf("%d %d\n", symlink("file", "made/link"), (int)readlink("made/link", (char[16]){0}, 16));
  printf("%d %d\n", unlink("made/link"), link("made/file", "made/hard"));
  printf("%d %d %d\n", unlink("made/file"), unlink("made/hard"), rmdir("made"));
  nftw("folder", visit, 5, FTW_PHYS);
  qsort(seen, (size_t)count, sizeof *seen, byName);
  for (int i = 0; i < count; i++) puts(seen[i]);
  glob_t g;
  if (glob("folder/*.txt", 0, NULL, &g) == 0)
    for (size_t i = 0; i < g.gl_pathc; i++) puts(g.gl_pathv[i]);
  globfree(&g);
  char a[] = "/usr/lib/file.c", b[] = "/usr/lib/file.c";
  printf("%s %s\n", dirname(a), basename(b));
  char *cwd = getcwd(NULL, 0);
  printf("%d\n", cwd && cwd[0] == '/');
  free(cwd);
  char *real = realpath("folder/../lines.txt", NULL);
  printf("%s\n", real ? strrchr(real, '/') : "none");
  free(real);
  return 0;
}
