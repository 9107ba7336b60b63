/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The generic __atomic_* functions, which clang emits as calls for atomic objects too large for an
 * instruction. One lock serves all of them.
 */
static int lock;

static void acquire(void) {
  int expected = 0;
  while (!__atomic_compare_exchange_n(&lock, &expected, 1, 1, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    expected = 0;
}

static void release(void) { __atomic_store_n(&lock, 0, __ATOMIC_RELEASE); }

static void copy(unsigned char *to, const unsigned char *from, unsigned long size) {
  while (size--) *to++ = *from++;
}

void fathom_atomic_load(unsigned long size, void *object, void *result,
                        int order) __asm__("__atomic_load");
void fathom_atomic_store(unsigned long size, void *object, void *value,
                         int order) __asm__("__atomic_store");
void fathom_atomic_exchange(unsigned long size, void *object, void *value, void *result,
                            int order) __asm__("__atomic_exchange");
int fathom_atomic_compare_exchange(unsigned long size, unsigned char *object,
                                   unsigned char *expected, void *desired, int success,
                                   int failure) __asm__("__atomic_compare_exchange");

void fathom_atomic_load(unsigned long size, void *object, void *result, int order) {
  acquire();
  copy(result, object, size);
  release();
}

void fathom_atomic_store(unsigned long size, void *object, void *value, int order) {
  acquire();
  copy(object, value, size);
  release();
}

void fathom_atomic_exchange(unsigned long size, void *object, void *value, void *result,
                            int order) {
  acquire();
  copy(result, object, size);
  copy(object, value, size);
  release();
}

int fathom_atomic_compare_exchange(unsigned long size, unsigned char *object,
                                   unsigned char *expected, void *desired, int success,
                                   int failure) {
  acquire();
  unsigned long same = 0;
  while (same < size && object[same] == expected[same]) same++;
  if (same == size)
    copy(object, desired, size);
  else
    copy(expected, object, size);
  release();
  return same == size;
}
