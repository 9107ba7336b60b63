// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints settings by their names, and a line of standard input. Some of what fathom scan reports is
// true (docs/warnings.md). -DNEXT: the next version, with one more defect.
#include <stdio.h>
#include <string.h>

struct setting {
  const char *name, *value;
};

static const struct setting settings[] = {{"host", "localhost"}, {"port", "80"}};

static const struct setting *find(const char *name) {
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    if (strcmp(settings[i].name, name) == 0) return &settings[i];
  return NULL;
}

// The third word, if there are three.
static void print_unit(int count, char **words) {
  const char *unit = NULL;
  if (count > 3) unit = words[3];
  if (count / 2 > 1) printf(" %c", *unit);
}

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  printf("%s", find(argv[1])->value);
#ifdef NEXT
  const char *dot = strchr(argv[1], '.');
  printf(", %c", *dot);
#endif
  print_unit(argc, argv);

  char line[64];
  if (!fgets(line, sizeof line, stdin)) return 0;
  char *comma = strrchr(line, ',');
  if (strlen(line) > 20) *comma = 0; // long lines end at their last comma
  printf(": %s", line);
  return 0;
}
