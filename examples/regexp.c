/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A matcher for small regular expressions (c . ^ $ *) run on a symbolic expression. The buffer is not terminated, so
 * that the matcher reads past its end: a bug in this harness, which the exploration reports. Compiled with -DTERMINATED
 * the program has no bug.
 */
#include <klee/klee.h>

static int matchHere(const char *pattern, const char *text);

/* pattern after "c*": any number of c, then the rest */
static int matchStar(char c, const char *pattern, const char *text) {
  do {
    if (matchHere(pattern, text))
      return 1;
  } while (*text != '\0' && (*text++ == c || c == '.'));
  return 0;
}

static int matchHere(const char *pattern, const char *text) {
  if (pattern[0] == '\0')
    return 1;
  if (pattern[1] == '*')
    return matchStar(pattern[0], pattern + 2, text);
  if (pattern[0] == '$' && pattern[1] == '\0')
    return *text == '\0';
  if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text))
    return matchHere(pattern + 1, text + 1);
  return 0;
}

static int match(const char *pattern, const char *text) {
  if (pattern[0] == '^')
    return matchHere(pattern + 1, text);
  do {
    if (matchHere(pattern, text))
      return 1;
  } while (*text++ != '\0');
  return 0;
}

enum { kSize = 7 };

int main(void) {
  char pattern[kSize];
  klee_make_symbolic(pattern, sizeof pattern, "pattern");
#ifdef TERMINATED
  pattern[kSize - 1] = '\0';
#endif
  match(pattern, "hello");
  return 0;
}
