// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Atomic operations of every kind and width in one thread.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define WIDTH(T)                                                                                                         \
  do {                                                                                                                   \
    _Atomic T v = (T)100;                                                                                                \
    T expected = (T)90;                                                                                                  \
    printf(#T ": %lld", (long long)atomic_fetch_add(&v, (T)27));                                                         \
    printf(" %lld", (long long)atomic_fetch_sub(&v, (T)30));                                                             \
    printf(" %lld", (long long)atomic_fetch_and(&v, (T)0x77));                                                           \
    printf(" %lld", (long long)atomic_fetch_or(&v, (T)0x08));                                                            \
    printf(" %lld", (long long)atomic_fetch_xor(&v, (T)0x55));                                                           \
    printf(" %d", atomic_compare_exchange_strong(&v, &expected, (T)1));                                                  \
    printf(" %lld", (long long)expected);                                                                                \
    printf(" %d", atomic_compare_exchange_strong(&v, &expected, (T)3));                                                  \
    printf(" %lld", (long long)atomic_exchange(&v, (T)9));                                                               \
    atomic_store_explicit(&v, (T)11, memory_order_release);                                                              \
    printf(" %lld\n", (long long)atomic_load_explicit(&v, memory_order_acquire));                                        \
  } while (0)

int main(void) {
  WIDTH(char);
  WIDTH(unsigned char);
  WIDTH(short);
  WIDTH(int);
  WIDTH(unsigned);
  WIDTH(long);
  WIDTH(long long);
  _Atomic(int *) pointer;
  int array[4] = {1, 2, 3, 4};
  atomic_init(&pointer, array);
  atomic_fetch_add(&pointer, 2);
  printf("%d\n", *atomic_load(&pointer));
  atomic_flag flag = ATOMIC_FLAG_INIT;
  printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_acq_rel);
  int plain = 5;
  printf("%d %d %d\n", __sync_fetch_and_add(&plain, 3), __sync_val_compare_and_swap(&plain, 8, 20), __sync_lock_test_and_set(&plain, 7));
  printf("%d %d\n", __atomic_fetch_nand(&plain, 6, __ATOMIC_SEQ_CST), __atomic_add_fetch(&plain, 1, __ATOMIC_RELAXED));
  printf("%d %d\n", __atomic_fetch_min(&plain, -100, __ATOMIC_RELAXED), __atomic_fetch_max(&plain, 50, __ATOMIC_RELAXED));
  _Atomic double d = 1.5;
  d += 2.25;
  printf("%g\n", (double)d);
  struct pair { int a, b; };
  _Atomic struct pair p = (struct pair){1, 2};
  struct pair q = atomic_load(&p);
  q.a += 10;
  atomic_store(&p, q);
  q = atomic_load(&p);
  printf("%d %d\n", q.a, plain);
  return 0;
}
