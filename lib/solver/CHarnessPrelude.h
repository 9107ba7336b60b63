// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to CHarness.cpp: what every harness begins with. The operations mean what expr/Fold.h and
// expr/FloatFold.h say. One exception is ffma: it does not choose among NaNs as they do, and of 16
// bits it rounds twice. Each model is checked by the Evaluator afterwards.
#ifndef FATHOM_SOLVER_CHARNESSPRELUDE_H
#define FATHOM_SOLVER_CHARNESSPRELUDE_H

namespace fathom::solver {

inline constexpr const char *kCHarnessPrelude = R"(#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef uint8_t u8;
typedef uint64_t u64;

/* Words of w bits are kept without a sign, in 64 bits. */
#define MASK(w) (~(u64)0 >> (64 - (w)))
#define CUT(v, w) ((u64)(v) & MASK(w))
#define SIGNED(v, w) ((int64_t)((u64)(v) << (64 - (w))) >> (64 - (w)))
/* A byte of an array; 0 past its end. */
#define AT(array, index) ((u64)(index) < sizeof(array) ? (array)[(u64)(index)] : 0)

static inline u64 udiv(u64 a, u64 b, int w) { return b ? a / b : MASK(w); }
static inline u64 urem(u64 a, u64 b) { return b ? a % b : a; }
static inline u64 sdiv(u64 a, u64 b, int w) {
  int64_t x = SIGNED(a, w), y = SIGNED(b, w);
  return y == 0 ? (x < 0 ? 1 : MASK(w)) : y == -1 ? CUT(0 - a, w) : CUT(x / y, w);
}
static inline u64 srem(u64 a, u64 b, int w) {
  int64_t x = SIGNED(a, w), y = SIGNED(b, w);
  return y == 0 ? a : y == -1 ? 0 : CUT(x % y, w);
}
static inline u64 shl(u64 a, u64 b, int w) { return b < (u64)w ? CUT(a << b, w) : 0; }
static inline u64 lshr(u64 a, u64 b, int w) { return b < (u64)w ? a >> b : 0; }
static inline u64 ashr(u64 a, u64 b, int w) {
  return CUT(SIGNED(a, w) >> (b < (u64)w ? b : (u64)w - 1), w);
}

/* Floating-point operations on bit patterns. NaNs: the first operand that is one, made quiet. */
#define FLOATS(T, U, W, QUIET, NONE)                                             \
  static inline T num##W(u64 v) { U u = (U)v; T x; memcpy(&x, &u, sizeof x); return x; } \
  static inline u64 bits##W(T x) { U u; memcpy(&u, &x, sizeof u); return u; }    \
  static inline u64 made##W(T r, u64 a, u64 b) {                                 \
    if (r == r) return bits##W(r);                                               \
    if (num##W(a) != num##W(a)) return a | QUIET;                                \
    return num##W(b) != num##W(b) ? b | QUIET : NONE;                            \
  }                                                                              \
  static inline u64 fadd##W(u64 a, u64 b) { return made##W((T)(num##W(a) + num##W(b)), a, b); } \
  static inline u64 fsub##W(u64 a, u64 b) { return made##W((T)(num##W(a) - num##W(b)), a, b); } \
  static inline u64 fmul##W(u64 a, u64 b) { return made##W((T)(num##W(a) * num##W(b)), a, b); } \
  static inline u64 fdiv##W(u64 a, u64 b) { return made##W((T)(num##W(a) / num##W(b)), a, b); } \
  static inline u64 fsqrt##W(u64 a) { return made##W((T)sqrt(num##W(a)), a, a); } \
  static inline u64 ffma##W(u64 a, u64 b, u64 c) {                               \
    return W == 64 ? bits##W((T)fma(num##W(a), num##W(b), num##W(c)))            \
                   : bits##W((T)fmaf((float)num##W(a), (float)num##W(b), (float)num##W(c))); \
  }                                                                              \
  static inline u64 ftos##W(u64 a, int w) {                                      \
    double v = trunc((double)num##W(a)), most = ldexp(1, w - 1);                 \
    return v >= -most && v < most ? CUT((int64_t)v, w) : (u64)1 << (w - 1);      \
  }                                                                              \
  static inline u64 ftou##W(u64 a, int w) {                                      \
    double v = trunc((double)num##W(a));                                         \
    return v >= 0 && v < ldexp(1, w) ? (u64)v : (u64)1 << (w - 1);               \
  }
FLOATS(_Float16, uint16_t, 16, 0x200ull, 0xfe00ull)
FLOATS(float, uint32_t, 32, 0x400000ull, 0xffc00000ull)
FLOATS(double, uint64_t, 64, 0x8000000000000ull, 0xfff8000000000000ull)

/* AFL++'s persistent mode, with the input in shared memory. */
int __afl_sharedmem_fuzzing = 1;
extern unsigned *__afl_fuzz_len;
extern u8 *__afl_fuzz_ptr;
int __afl_persistent_loop(unsigned);
__attribute__((used)) static volatile const char *persistent = "##SIG_AFL_PERSISTENT##";

/* When something happened for the first time, as a file in the folder that is asked for. */
static void note(const char *what) {
  const char *folder = getenv("FATHOM_AFL_TIMES");
  char text[4096];
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (!folder || snprintf(text, sizeof text, "%s/%s", folder, what) >= (int)sizeof text) return;
  const int file = open(text, O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (file < 0) return;
  const int n = snprintf(text, sizeof text, "%lld\n", now.tv_sec * 1000000000ll + now.tv_nsec);
  if (write(file, text, (size_t)n) != n) _exit(1);
  close(file);
}

/* Only found() may crash: an external operation that crashes or hangs makes the input no model. */
static void exitQuietly(int signal) { (void)signal; _exit(0); }
static void found(void) {
  note("found");
  signal(SIGTRAP, SIG_DFL);
  raise(SIGTRAP);
}
)";

} // namespace fathom::solver
#endif
