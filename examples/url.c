// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A URL is taken apart in a buffer that is as long as the URL: scheme, host, port, path. Run it with
// --memory symbolic-size=40 --merge pattern: each of the loops leaves one state for all lengths.
#include <fathom.h>
#include <stdio.h>
#include <stdlib.h>

struct url {
  size_t scheme, host, port, path; // where each ends
};

static int parse(const char *s, size_t n, struct url *u) {
  size_t i = 0;
  while (i < n && s[i] >= 'a' && s[i] <= 'z') i++;
  u->scheme = i;
  if (i == 0 || i + 3 > n || s[i] != ':' || s[i + 1] != '/' || s[i + 2] != '/') return 1;
  i += 3;
  while (i < n && s[i] != ':' && s[i] != '/') i++;
  u->host = i;
  if (i < n && s[i] == ':') {
    i++;
    while (i < n && s[i] >= '0' && s[i] <= '9') i++;
  }
  u->port = i;
  while (i < n && s[i] != '#') i++;
  u->path = i;
  return 0;
}

int main(void) {
  size_t n = fathom_size("n");
  fathom_assume(n >= 1 && n <= 30);
  char *text = malloc(n);
  if (!text) return 1;
  fathom_symbolic(text, n, "text");
  struct url u = {0, 0, 0, 0};
  int status = parse(text, n, &u);
  if (status)
    puts("no URL");
  else if (u.port - u.host > 6)
    puts("the port is too long");
  else
    puts(u.path < n ? "a fragment" : "fine");
  free(text);
  return status;
}
