#include <stdio.h>
#include <string.h>
#include <stdlib.h>
struct item { char name[8]; int n; };
static unsigned checksum(const unsigned char *p, int n) { unsigned s = 7; for (int i = 0; i < n; i++) s = s * 33 + p[i]; return s; }
int main(void) {
  unsigned char buf[256];
  int n = (int)fread(buf, 1, sizeof buf, stdin);
  if (n < 16) return 1;
  if (memcmp(buf, "FTHM", 4)) return 2;
  unsigned sum; memcpy(&sum, buf + 4, 4);
  if (sum != checksum(buf + 8, 8)) return 3;
  struct item *it = malloc(sizeof *it);
  int depth = 0;
  for (int i = 16; i < n; i++) {
    if (buf[i] == '{') depth++;
    else if (buf[i] == '}') depth--;
    if (depth == 5 && buf[i-1] == 'x') free(it);
    if (depth == 6) it->n = 3;
  }
  if (!strcmp((char *)buf + 8, "SECRET!")) { char small[4]; strcpy(small, (char *)buf + 8); puts(small); }
  return 0;
}
