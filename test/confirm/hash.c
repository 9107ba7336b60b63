// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The example of [satracer] Fig. 1: the report is false as the program is, and true with the other condition. Three analysers report it.
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: %fathom-cc -g "-DWHEN=!=" %s -o %t.dir/given && %fathom-cc -g "-DWHEN===" %s -o %t.dir/flipped
// RUN: %fathom scan --all %t.dir/given --kinds use-after-free --sarif %t.dir/given.sarif -q --no-cache
// RUN: %fathom confirm %t.dir/given --reports %t.dir/given.sarif --sarif %t.dir/given-verdicts.sarif --fail-on-findings | FileCheck %s --check-prefix=GIVEN
// GIVEN: refuted: use-after-free
// GIVEN-NEXT: no run of hash_add shows it (one question about {{[0-9]+}} instructions, for all paths at once)
// GIVEN: 1 report: 0 confirmed, 1 refuted, 0 open
// RUN: FileCheck %s --check-prefix=SUPPRESSED < %t.dir/given-verdicts.sarif
// SUPPRESSED: "verdict": "refuted"
// SUPPRESSED: "suppressions"
// SUPPRESSED: "kind": "external"
// RUN: %fathom scan --all %t.dir/flipped --kinds use-after-free --sarif %t.dir/flipped.sarif -q --no-cache
// RUN: %fathom confirm %t.dir/flipped --reports %t.dir/flipped.sarif --sarif %t.dir/flipped-verdicts.sarif | FileCheck %s --check-prefix=FLIPPED
// FLIPPED: confirmed: use-after-free
// FLIPPED-NEXT: feasible from main with an input, without a symptom natively: exit status {{[0-9]+}}
// FLIPPED-NEXT: read of 4 bytes at offset 0 of a 4-byte heap object that was freed
// FLIPPED: freed in hash_add
// FLIPPED: 1 report: 1 confirmed, 0 refuted, 0 open
// RUN: FileCheck %s --check-prefix=FLOW < %t.dir/flipped-verdicts.sarif
// FLOW: "text": "read of 4 bytes at offset 0 of a 4-byte heap object that was freed"
// FLOW: "verdict": "confirmed"
// RUN: not %fathom confirm %t.dir/flipped --reports %t.dir/flipped.sarif -q --fail-on-findings
//
// RUN: cd %t.dir && clang-19 -w "-DWHEN===" --analyze --analyzer-output sarif %s -o clang.sarif 2>/dev/null
// RUN: %fathom confirm %t.dir/flipped --reports %t.dir/clang.sarif | FileCheck %s --check-prefix=CLANG
// CLANG: confirmed: unix.Malloc: Use of memory after it is freed
// RUN: cd %t.dir && gcc "-DWHEN===" -fanalyzer -fdiagnostics-format=json -c %s -o gcc.o 2> gcc.json
// RUN: %fathom confirm %t.dir/flipped --reports %t.dir/gcc.json --only=-Wanalyzer-use-after-free | FileCheck %s --check-prefix=GCC
// GCC: confirmed: -Wanalyzer-use-after-free: use after
// GCC: 1 report: 1 confirmed, 0 refuted, 0 open
#include <stdlib.h>
struct entry { int key; };
struct table { struct entry *slots[8]; };
static struct table *hash_table;
static struct table *get_table(void) { return hash_table; }
static int hash_insert(struct entry *entry, struct entry **matched) {
  struct table *table = get_table();
  for (int i = 0; i < 8; i++) {
    if (!table->slots[i]) {
      table->slots[i] = entry;
      *matched = entry;
      return 0;
    }
  }
  return 1;
}
int hash_add(int key) {
  struct entry *added = NULL;
  struct entry *in = malloc(sizeof *in);
  if (!in) return -1;
  in->key = key;
  int err = hash_insert(in, &added);
  if (err WHEN 0) free(in);
  if (added) return added->key;
  return 0;
}
int main(int argc, char **argv) {
  hash_table = calloc(1, sizeof *hash_table);
  if (!hash_table) return 1;
  return hash_add(argc);
}
