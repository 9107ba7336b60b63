/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A record is read only if its checksum fits, and the checksum is a library's: there is no code to look into.
 *
 *   fathom-cc -g checksum.c -o checksum -Wl,--unresolved-symbols=ignore-all
 *   fathom explore checksum --load libz.so.1 --sym-stdin 6
 *   fathom replay checksum fathom-out
 */
#include <stdio.h>
#include <unistd.h>

unsigned long crc32(unsigned long crc, const unsigned char *data, unsigned size); /* zlib's */

int main(void) {
  unsigned char record[6]; /* four bytes, and the low half of their checksum */
  if (read(0, record, sizeof record) != sizeof record) return 2;
  if ((crc32(0, record, 4) & 0xffff) != (unsigned)(record[4] | record[5] << 8)) {
    puts("damaged");
    return 1;
  }
  int share = record[0] - '0';
  printf("%d each\n", 100 / share);
  return 0;
}
