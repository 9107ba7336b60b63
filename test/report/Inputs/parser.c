/* A parser of small numbers, with a bug, a branch that is never taken, and a comment that tries to end the page's script:
 * </script><script>document.title = "broken out"</script><img src=x onerror="document.title='broken out'"> */
#include <stdio.h>
#include <stdlib.h>

static int digits(const char *text, int size) {
  int value = 0;
  for (int i = 0; i < size && text[i] >= '0' && text[i] <= '9'; i++)
    value = value * 10 + (text[i] - '0');
  return value;
}

static int never(int value) {
  if (value > 3)
    puts("three </script>");
  return value;
}

int main(void) {
  char text[4] = {0};
  int size = (int)fread(text, 1, sizeof text, stdin);
  if (size < 2)
    return 1;
  if (text[0] == '<' && text[1] == '!')
    return 100 / (text[2] - text[3]);
  int value = digits(text, size);
  if (!(value < 10000))
    return never(value);
  return value > 100;
}
