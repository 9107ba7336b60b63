/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Allocations that fail because they failed on the path that a test stands for
 * (--fail-allocations). Blocks and mappings are numbered from 1 in the order in which they are
 * asked for, as the engine numbers them (State::allocations); what malloc maps for itself is no
 * mapping of the program.
 *
 * Calls of the allocator come here from functions that lib/program/FailAllocations.h puts around
 * it, mappings from machine.c.
 */
#include "allocation.h"

static const unsigned *failing;
static unsigned long failures, asked;
static int inAllocator;

void __fathom_failAllocations(const unsigned *numbers, unsigned long count) {
  failing = numbers;
  failures = count;
}

static int fails(void) {
  asked++;
  if (!failures || *failing != asked) return 0;
  failing++;
  failures--;
  return 1;
}

int __fathom_mappingFails(void) { return !inAllocator && fails(); }

int __fathom_allocation_begins(void) {
  if (fails()) return 1;
  inAllocator++;
  return 0;
}
void __fathom_allocation_ends(void) { inAllocator--; }
