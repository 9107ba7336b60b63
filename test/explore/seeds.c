// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeds are followed first: an input that only luck would find in so few instructions is found from
// one nearby. They close no path and open none.
// RUN: %fathom-cc -g %s -o %t
// RUN: rm -rf %t.raw %t.afl %t.empty && mkdir -p %t.raw %t.afl/default/queue/.state %t.empty
// RUN: python3 -c "open('%t.raw/a', 'wb').write(b'zazzzzzazzzazzzz'); open('%t.raw/b', 'wb').write(b'short')"
// RUN: cp %t.raw/a %t.afl/default/queue/id:000000
// RUN: cp %t.raw/b %t.afl/default/queue/.state/other
// RUN: cp %t.raw/b %t.afl/default/fuzzer_stats

// Without seeds not in this time:
// RUN: %explore %t %t.none stop=max-instructions ledger\>0 bugs= -- --sym-stdin 16 --max-instructions 150000

// RUN: %explore %t %t.r stop=max-instructions ledger\>0 bugs=abort:51 seeds_followed=2 -- --sym-stdin 16 --max-instructions 150000 --seeds %t.raw --afl-queue
// RUN: %explore %t %t.a stop=max-instructions ledger\>0 bugs=abort:51 seeds_followed=1 -- --sym-stdin 16 --max-instructions 150000 --seeds %t.afl
// A run that ends on the way of the seeds, and goes on: they are still followed first.
// RUN: rm -rf %t.s
// RUN: %fathom explore %t -o %t.s -q --sym-stdin 16 --seeds %t.raw --max-instructions 10000
// RUN: FileCheck %s --check-prefix=FOLLOWED0 <%t.s/stats.json
// FOLLOWED0: "seeds_followed": 0,
// FOLLOWED0-NEXT: "last_seed_seconds": 0,
// RUN: %fathom explore %t -o %t.s -q --sym-stdin 16 --seeds %t.raw --max-instructions 60000 --resume
// RUN: FileCheck %s --check-prefix=FOLLOWED2 <%t.s/stats.json
// FOLLOWED2: "seeds_followed": 2,
// FOLLOWED2-NEXT: "last_seed_seconds": {{0\.[0-9]*[1-9]|[1-9]}}
// FOLLOWED2: "bugs": 1,
// When the last of them was at its end stays known in a run that goes on, and lies within it.
// RUN: cp %t.s/stats.json %t.before
// RUN: %fathom explore %t -o %t.s -q --sym-stdin 16 --seeds %t.raw --max-instructions 80000 --resume
// RUN: python3 -c "import json; a, b = (json.load(open(f)) for f in ('%t.before', '%t.s/stats.json')); assert b['last_seed_seconds'] == a['last_seed_seconds'] <= a['wall_seconds'] < b['wall_seconds'], (a, b)"
// What we found is a seed as well:
// RUN: ls %t.r.out/queue | FileCheck %s --check-prefix=QUEUE
// QUEUE: id:000001,src:fathom
// RUN: %explore %t %t.k stop=max-instructions ledger\>0 bugs=abort:51 seeds_followed\>1 -- --sym-stdin 16 --max-instructions 200000 --seeds %t.r.out

// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom explore %t -o %t.x --seeds %t.empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: fathom: --seeds: {{.*}}.empty: holds no input
// RUN: sh %S/../cli/Inputs/fails.sh 2 %fathom explore %t -o %t.x --seeds %t.nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: fathom: --seeds: {{.*}}.nowhere: no such folder
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  unsigned char in[16] = {0};
  unsigned sum = 0;
  if (read(0, in, sizeof in) < 0) return 1;
  for (int i = 0; i < 16; i++) {
    sum <<= 1;
    if (in[i] > 'm') sum |= 1;
  }
  if (sum == 0xbeef) abort(); // zazzzzzazzzazzzz
  return (int)(sum & 15);
}
