/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Native counterparts of the intrinsics that the harnesses need beside those of
 * runtime/sysroot/native: machine code only, never bitcode, because the engine has its own.
 */
#include <fathom/abi.h>

char *getenv(const char *name);

long __fathom_config(int key) {
  switch (key) {
  case FATHOM_CONFIG_INTERPRETED: return 0;
  case FATHOM_CONFIG_REPLAY: return getenv("FATHOM_REPLAY_KTEST") != 0;
  default: return -1;
  }
}

/* Only the allocator could know, and only for the start of a block: asking it about anything else
 * is undefined. */
unsigned long __fathom_object_size(const void *address) {
  (void)address;
  return 0;
}

void __fathom_prefer(int condition) { (void)condition; }

void __fathom_print(const char *label, unsigned long value) {
  (void)label;
  (void)value;
}
void __fathom_say(const char *message) { (void)message; }
