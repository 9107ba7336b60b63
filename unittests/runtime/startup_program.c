/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A program for startup.c: it uses libc broadly and prints what it sees.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void onSignal(int signal) { printf("signal %d\n", signal); }

int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++) printf("argv[%d] %s\n", i, argv[i]);
  printf("LANG %s\n", getenv("LANG"));

  char line[64] = "";
  if (fgets(line, sizeof line, stdin)) printf("stdin %s\n", line);
  FILE *file = fopen("A", "r+");
  size_t count = fread(line, 1, sizeof line, file);
  printf("A %.*s\n", (int)count, line);
  rewind(file);
  fputs("written", file);
  fclose(file);
  struct stat info;
  printf("size %d %ld\n", stat("A", &info), (long)info.st_size);

  mkdir("d", 0755);
  chdir("d");
  char *cwd = getcwd(NULL, 0);
  printf("cwd %s\n", cwd);
  free(cwd);
  chdir("..");
  struct dirent **list;
  int entries = scandir(".", &list, NULL, alphasort);
  for (int i = 0; i < entries; i++) {
    printf("entry %s\n", list[i]->d_name);
    free(list[i]);
  }
  free(list);

  signal(SIGUSR1, onSignal);
  raise(SIGUSR1);
  time_t now = time(NULL);
  strftime(line, sizeof line, "%Y-%m-%d", gmtime(&now));
  printf("date %s\n", line);
  printf("missing %d\n", fopen("none", "r") == NULL && errno == ENOENT);
  fputs("to stderr\n", stderr);
  return 5;
}
