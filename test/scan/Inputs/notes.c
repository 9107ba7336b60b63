#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct note { int length; char *text; };

static struct note *parse(const char *line) {
  struct note *n = malloc(sizeof *n);
  const char *colon = strchr(line, ':');
  if (!colon) return NULL;
  n->length = atoi(line);
  if (n->length < 0) return NULL;
  n->text = malloc(n->length);
  strcpy(n->text, colon + 1);
  return n;
}

static int sum(const struct note *n) {
  int total = 0;
  for (int i = 0; i <= n->length; i++) total += n->text[i];
  return total;
}

int main(void) {
  char line[64];
  if (!fgets(line, sizeof line, stdin)) return 1;
  struct note *n = parse(line);
  printf("%d %s\n", n->length, n->text);
  for (int i = 0; i < n->length; i++) n->text[i] ^= 1;
  printf("%d\n", sum(n));
  free(n->text);
  free(n);
  return 0;
}
