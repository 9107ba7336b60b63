/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Runs one text of SQL on an empty database in memory. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kMaxSteps = 2000 /* of a thousand instructions each: an input takes milliseconds */ };

static int countSteps(void *steps) { return ++*(int *)steps > kMaxSteps; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  sqlite3 *database;
  int steps = 0;
  if (sqlite3_open(":memory:", &database) == SQLITE_OK) {
    sqlite3_progress_handler(database, 1000, countSteps, &steps);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 100000);
    sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 25000);
    char *text = malloc(size + 1);
    if (text) {
      memcpy(text, data, size);
      text[size] = 0;
      sqlite3_exec(database, text, NULL, NULL, NULL);
    }
    free(text);
  }
  sqlite3_close(database);
  return 0;
}
