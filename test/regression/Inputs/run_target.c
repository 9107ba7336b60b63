/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Calls a fuzz target on the files that it is given, as projects without libFuzzer do. */
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  static uint8_t data[4096];
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (!file) return 1;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
  }
  return 0;
}
