#include <unistd.h>

int main(void) {
  unsigned char c;
  unsigned hash = 1;
  while (read(0, &c, 1) == 1) hash = c > 100 ? hash * 33 + c : hash + 1;
  for (;;) hash = hash * 3 + (hash & 1);
}
