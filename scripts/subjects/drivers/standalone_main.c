/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * main for drivers that another compiler than fathom-cc builds: each file named, or standard input.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void one(FILE *file) {
  size_t used = 0, room = 4096, got;
  uint8_t *data = malloc(room);
  while ((got = fread(data + used, 1, room - used, file)) > 0) {
    used += got;
    if (used == room) data = realloc(data, room *= 2);
  }
  LLVMFuzzerTestOneInput(data, used);
  free(data);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (!file) return perror(argv[i]), 1;
    one(file);
    fclose(file);
  }
  if (argc == 1) one(stdin);
  return 0;
}
