// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// POSIX regular expressions, fnmatch, glob patterns, wordexp-free parsing with getopt and getopt_long, getsubopt.
#define _GNU_SOURCE
#include <fnmatch.h>
#include <getopt.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void match(const char *pattern, const char *text, int flags) {
  regex_t r;
  int error = regcomp(&r, pattern, flags);
  if (error) {
    char message[80];
    regerror(error, &r, message, sizeof message);
    printf("%s: %s\n", pattern, message);
    return;
  }
  regmatch_t m[4];
  int found = regexec(&r, text, 4, m, 0) == 0;
  printf("%s on %s: %d", pattern, text, found);
  if (found)
    for (size_t i = 0; i <= r.re_nsub && i < 4; i++) printf(" %d-%d", (int)m[i].rm_so, (int)m[i].rm_eo);
  puts("");
  regfree(&r);
}

int main(int argc, char **argv) {
  match("abc", "xxabcxx", 0), match("^a.*z$", "a to z", 0), match("(a|b)+c", "ababc", REG_EXTENDED), match("[[:digit:]]{2,3}", "x12345", REG_EXTENDED);
  match("\\(a*\\)b\\1", "aabaa", 0), match("(foo|foobar)(bar)?", "foobar", REG_EXTENDED), match("HeLLo", "say hello", REG_ICASE), match("a{2", "aa", REG_EXTENDED);
  match("[z-a]", "x", 0), match("(", "x", REG_EXTENDED), match("x*", "", 0), match("^$", "", 0), match("[^a-c]+", "abcdefabc", REG_EXTENDED);
  printf("%d %d %d %d\n", fnmatch("*.c", "file.c", 0), fnmatch("*.c", "file.h", 0), fnmatch("[a-c]?x*", "bqxyz", 0), fnmatch("*", ".hidden", FNM_PERIOD));
  char *arguments[] = {"prog", "-a", "-bvalue", "-c", "next", "--long=5", "--flag", "file1", "-a", "--unknown", "--", "-x", NULL};
  int flag = 0, option;
  const struct option longs[] = {{"long", required_argument, NULL, 'l'}, {"flag", no_argument, &flag, 7}, {0}};
  opterr = 0;
  while ((option = getopt_long(12, arguments, "ab:c:", longs, NULL)) != -1)
    printf("%c(%s) ", option ? option : '0', optarg ? optarg : "-");
  printf("flag %d rest", flag);
  for (int i = optind; i < 12; i++) printf(" %s", arguments[i]);
  puts("");
  optind = 1;
  char *more[] = {"p", "-xy", "-z", NULL};
  while ((option = getopt(3, more, "xz:")) != -1) printf("%c", option);
  puts("");
  char text[] = "ro,size=5,bad", *p = text, *value;
  char *const keys[] = {"ro", "size", NULL};
  while (*p) {
    int which = getsubopt(&p, keys, &value);
    printf("%d:%s ", which, value ? value : "-");
  }
  puts("");
  return argc;
}
