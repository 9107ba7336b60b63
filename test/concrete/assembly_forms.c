// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t -mpopcnt -mlzcnt -mbmi -mbmi2 -madx
// Instructions of inline assembly on general registers and memory, in all widths and forms of operands, on random values: results and
// flags are the processor's. test/explore/assembly-forms.test has the same statements translated, and none executed.
#include <stdint.h>
#include <stdio.h>

static uint64_t state = 88172645463325252ull, digest;
static uint64_t word(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}
// Random, and often one of those where carries and signs change.
static uint64_t operand(void) {
  static const uint64_t kEdges[] = {0, 1, ~0ull, 1ull << 63, ~0ull >> 1, 0x80, 0x7f, 0x8000, 0x7fff, 0x80000000, 0x7fffffff, 0xff, 0xffff, 0xffffffff};
  const uint64_t w = word();
  return w % 3 == 0 ? kEdges[(w >> 8) % (sizeof kEdges / sizeof *kEdges)] : w % 3 == 1 ? w >> 8 : (w >> 8) % 70;
}
static void mix(uint64_t v) { digest = (digest ^ v) * 0x9e3779b97f4a7c15ull, digest ^= digest >> 29; }
#define BEGIN digest = 0; for (int round = 0; round < 40; round++) {
#define END(name) } printf("%-14s%016llx\n", name, (unsigned long long)digest);

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

// The flags that an instruction defines, as outputs.
#define ALL_FLAGS "=@ccc"(c), "=@ccz"(z), "=@ccs"(s), "=@cco"(o), "=@ccp"(p)
#define FLAGS int c, z, s, o, p
#define MIX_FLAGS mix((u64)(c | z << 1 | s << 2 | o << 3 | p << 4))

// Two operands: register to register, constant, to memory and from memory.
#define BINARY(op, letter, type, modifier)                                                                                           \
  BEGIN type x = (type)operand(), y = (type)operand(), m = (type)operand();                                                          \
  FLAGS;                                                                                                                             \
  __asm__(op letter " %" modifier "6, %" modifier "0" : "+r"(x), ALL_FLAGS : "r"(y));                                                \
  mix(x), MIX_FLAGS;                                                                                                                 \
  __asm__(op letter " $17, %0" : "+r"(x), ALL_FLAGS);                                                                                \
  mix(x), MIX_FLAGS;                                                                                                                 \
  __asm__(op letter " $-3, %0" : "+m"(m), ALL_FLAGS);                                                                                \
  mix(m), MIX_FLAGS;                                                                                                                 \
  __asm__(op letter " %6, %0" : "+m"(m), ALL_FLAGS : "ri"((type)5));                                                                 \
  mix(m), MIX_FLAGS;                                                                                                                 \
  __asm__(op letter " %6, %0" : "+r"(x), ALL_FLAGS : "m"(m));                                                                        \
  mix(x), MIX_FLAGS;                                                                                                                 \
  END(op letter)
#define BINARY_WIDTHS(op) BINARY(op, "b", u8, "b") BINARY(op, "w", u16, "w") BINARY(op, "l", u32, "k") BINARY(op, "q", u64, "q")

#define LOCKED(op, letter, type)                                                                                                     \
  BEGIN type y = (type)operand(), m = (type)operand();                                                                               \
  FLAGS;                                                                                                                             \
  __asm__ volatile("lock; " op letter " %6, %0" : "+m"(m), ALL_FLAGS : "r"(y) : "memory");                                           \
  mix(m), MIX_FLAGS;                                                                                                                 \
  END("lock " op letter)
#define LOCKED_WIDTHS(op) LOCKED(op, "b", u8) LOCKED(op, "w", u16) LOCKED(op, "l", u32) LOCKED(op, "q", u64)

// A carry comes in.
#define CARRY(op, letter, type)                                                                                                      \
  BEGIN type x = (type)operand(), y = (type)operand(), in = (type)operand();                                                         \
  FLAGS;                                                                                                                             \
  __asm__("add" letter " %6, %6\n\t" op letter " %7, %0" : "+&r"(x), ALL_FLAGS, "+&r"(in) : "r"(y));                                 \
  mix(x), mix(in), MIX_FLAGS;                                                                                                        \
  END(op letter)
#define CARRY_WIDTHS(op) CARRY(op, "b", u8) CARRY(op, "w", u16) CARRY(op, "l", u32) CARRY(op, "q", u64)

// The carry flag survives inc and dec, and all flags not and mov.
#define UNARY(op, letter, type)                                                                                                      \
  BEGIN type x = (type)operand(), in = (type)operand(), m = (type)operand();                                                         \
  FLAGS;                                                                                                                             \
  __asm__("add" letter " %6, %6; " op letter " %0" : "+r"(x), ALL_FLAGS, "+&r"(in));                                                 \
  mix(x), MIX_FLAGS;                                                                                                                 \
  __asm__("add" letter " %6, %6; " op letter " %0" : "+m"(m), ALL_FLAGS, "+&r"(in));                                                 \
  mix(m), MIX_FLAGS;                                                                                                                 \
  END(op letter)
#define UNARY_WIDTHS(op) UNARY(op, "b", u8) UNARY(op, "w", u16) UNARY(op, "l", u32) UNARY(op, "q", u64)

// By a constant, by one, by %cl; a count of 0 keeps the flags. Where it is not 1, overflow is undefined, and where no bit is left, so is carry.
#define SHIFT(op, letter, type, keeps)                                                                                               \
  BEGIN type x = (type)operand(), y = (type)operand(), in = (type)operand();                                                         \
  u8 n = (u8)operand();                                                                                                              \
  FLAGS;                                                                                                                             \
  __asm__("add" letter " %6, %6; " op letter " $1, %0" : "+r"(x), ALL_FLAGS, "+&r"(in));                                             \
  mix(x), MIX_FLAGS;                                                                                                                 \
  __asm__("add" letter " %6, %6; " op letter " %0" : "+m"(y), ALL_FLAGS, "+&r"(in));                                                 \
  mix(y), MIX_FLAGS;                                                                                                                 \
  __asm__("add" letter " %2, %2; " op letter " $5, %0" : "+r"(x), "=@ccc"(c), "+&r"(in));                                            \
  mix(x), mix((u64)c);                                                                                                               \
  __asm__("andb %7, %%cl; add" letter " %5, %5; " op letter " %%cl, %0"                                                              \
          : "+r"(x), "=@ccc"(c), "=@ccz"(z), "=@ccs"(s), "=@ccp"(p), "+&r"(in), "+c"(n)                                              \
          : "i"(8 * sizeof(type) - 1));                                                                                              \
  o = 0;                                                                                                                             \
  mix(x), MIX_FLAGS;                                                                                                                 \
  n = (u8)operand();                                                                                                                 \
  __asm__(op letter " %%cl, %0" : "+r"(x) : "c"(n) : "cc");                                                                          \
  mix(x);                                                                                                                            \
  __asm__("add" letter " %4, %4; " op letter " %%cl, %0" : "+r"(x), "=@ccz"(z), "=@ccs"(s), "=@ccp"(p), "+&r"(in) : "c"(n));         \
  c = 0, mix(x), MIX_FLAGS;                                                                                                          \
  END(op letter)
#define SHIFT_WIDTHS(op) SHIFT(op, "b", u8, ) SHIFT(op, "w", u16, ) SHIFT(op, "l", u32, ) SHIFT(op, "q", u64, )

#define THROUGH_CARRY(op, letter, type)                                                                                              \
  BEGIN type x = (type)operand(), y = (type)operand();                                                                               \
  int c, o;                                                                                                                          \
  __asm__("add" letter " %0, %0; " op letter " $1, %1; " op letter " %0" : "+&r"(x), "+&r"(y), "=@ccc"(c), "=@cco"(o));              \
  mix(x), mix(y), mix((u64)(c | o << 1));                                                                                            \
  END(op letter)

#define DOUBLE_SHIFT(op, letter, type, count)                                                                                        \
  BEGIN type x = (type)operand(), y = (type)operand();                                                                               \
  u8 n = (u8)operand();                                                                                                              \
  int c, z;                                                                                                                          \
  __asm__(op letter " %3, %4, %0" : "+r"(x), "=@ccc"(c), "=@ccz"(z) : "i"(count), "r"(y));                                           \
  mix(x), mix((u64)(c | z << 1));                                                                                                    \
  if (sizeof(type) > 2) __asm__(op "l %%cl, %k2, %k0" : "+r"(x) : "c"(n), "r"(y) : "cc");                                            \
  mix(x);                                                                                                                            \
  if (sizeof(type) > 4) __asm__(op "q %q2, %q0" : "+r"(x) : "c"(n), "r"(y) : "cc");                                                  \
  mix(x);                                                                                                                            \
  END(op letter)

static u64 field[5];
#define BIT_TEST(op, letter, type)                                                                                                   \
  BEGIN type x = (type)operand(), n = (type)operand(), m = (type)operand();                                                          \
  int c, z;                                                                                                                          \
  __asm__("cmp" letter " %4, %0; " op letter " %3, %0" : "+r"(x), "=@ccc"(c), "=@ccz"(z) : "r"(n), "r"(m));                          \
  mix(x), mix((u64)(c | z << 1));                                                                                                    \
  __asm__(op letter " $11, %0" : "+r"(x), "=@ccc"(c));                                                                               \
  mix(x), mix((u64)c);                                                                                                               \
  __asm__(op letter " $9, %0" : "+m"(m), "=@ccc"(c));                                                                                \
  mix(m), mix((u64)c);                                                                                                               \
  END(op letter)
// A register counts on beyond the operand.
#define FAR_BIT(op, letter, type)                                                                                                    \
  BEGIN type n = (type)((int)(word() % 160) - 80);                                                                                   \
  int c;                                                                                                                             \
  __asm__ volatile(op letter " %2, %0" : "+m"(field[2]), "=@ccc"(c) : "r"(n) : "memory");                                            \
  for (int i = 0; i < 5; i++) mix(field[i]);                                                                                         \
  mix((u64)c);                                                                                                                       \
  END(op letter " far")

#define SCAN(op, letter, type)                                                                                                       \
  BEGIN type x = (type)operand(), r = (type)operand();                                                                               \
  int z;                                                                                                                             \
  __asm__(op letter " %2, %0" : "+r"(r), "=@ccz"(z) : "r"(x));                                                                       \
  mix(r), mix((u64)z);                                                                                                               \
  if (x) {                                                                                                                           \
    type q;                                                                                                                          \
    __asm__(op " %1, %0" : "=r"(q) : "r"(x) : "cc");                                                                                 \
    mix(q);                                                                                                                          \
    __asm__(op letter " %1, %0" : "=r"(q) : "m"(x) : "cc");                                                                          \
    mix(q);                                                                                                                          \
  }                                                                                                                                  \
  END(op letter)
#define COUNT(op, letter, type)                                                                                                      \
  BEGIN type x = (type)operand(), r;                                                                                                 \
  int z;                                                                                                                             \
  __asm__(op letter " %2, %0" : "=r"(r), "=@ccz"(z) : "rm"(x));                                                                      \
  mix(r), mix((u64)z);                                                                                                               \
  END(op letter)

#define PRODUCT(op, letter, type)                                                                                                    \
  BEGIN type a = (type)operand(), d, x = (type)operand();                                                                            \
  int c, o;                                                                                                                          \
  __asm__(op letter " %4" : "+a"(a), "=d"(d), "=@ccc"(c), "=@cco"(o) : "rm"(x));                                                     \
  mix(a), mix(d), mix((u64)(c | o << 1));                                                                                            \
  END(op letter)
#define QUOTIENT(type, signedType, letter)                                                                                           \
  BEGIN type a = (type)operand(), x = (type)(operand() | 1), d = (type)(operand() % x), r, q;                                        \
  __asm__("div" letter " %4" : "=a"(q), "=d"(r) : "0"(a), "1"(d), "r"(x) : "cc");                                                    \
  mix(q), mix(r);                                                                                                                    \
  if (x != (type)-1 || (type)(a << 1)) {                                                                                                  \
    __asm__("mov" letter " %2, %0; " SIGN_##signedType "; idiv" letter " %3" : "=&a"(q), "=&d"(r) : "r"(a), "r"(x) : "cc");          \
    mix(q), mix(r);                                                                                                                  \
  }                                                                                                                                  \
  END("div" letter)
#define SIGN_i16 "cwtd"
#define SIGN_i32 "cltd"
#define SIGN_i64 "cqto"

#define CONDITION(cc, letter, type)                                                                                                  \
  BEGIN type x = (type)operand(), y = word() % 3 ? (type)operand() : x, m = (type)operand();                                         \
  u8 b;                                                                                                                              \
  int direct;                                                                                                                        \
  __asm__("cmp" letter " %3, %2; set" cc " %b0" : "=q"(b), "=@cc" cc(direct) : "r"(x), "r"(y));                                      \
  mix(b), mix((u64)direct);                                                                                                          \
  __asm__("add" letter " %2, %0\n\tset" cc " %b1" : "+r"(x), "=&q"(b) : "r"(y) : "cc");                                              \
  mix(x), mix(b);                                                                                                                    \
  if (sizeof(type) > 1) {                                                                                                            \
    u32 w = (u32)x;                                                                                                                  \
    __asm__("test" letter " %2, %2; cmov" cc " %3, %0; cmov" cc "l %1, %0" : "+&r"(w) : "r"((u32)m), "r"(y), "r"((u32)y) : "cc");    \
    mix(w);                                                                                                                          \
  }                                                                                                                                  \
  END(cc letter)
#define CONDITIONS(letter, type)                                                                                                     \
  CONDITION("o", letter, type) CONDITION("no", letter, type) CONDITION("b", letter, type) CONDITION("ae", letter, type)              \
  CONDITION("e", letter, type) CONDITION("nz", letter, type) CONDITION("na", letter, type) CONDITION("a", letter, type)              \
  CONDITION("s", letter, type) CONDITION("ns", letter, type) CONDITION("p", letter, type) CONDITION("np", letter, type)              \
  CONDITION("l", letter, type) CONDITION("ge", letter, type) CONDITION("le", letter, type) CONDITION("g", letter, type)

#define EXCHANGE(letter, type)                                                                                                       \
  BEGIN type x = (type)operand(), y = (type)operand(), m = word() % 2 ? y : (type)operand();                                         \
  u8 done;                                                                                                                           \
  __asm__("xchg" letter " %0, %1" : "+r"(x), "+r"(y));                                                                               \
  mix(x), mix(y);                                                                                                                    \
  __asm__ volatile("lock; cmpxchg" letter " %3, %1\n\tsete %0" : "=q"(done), "+m"(m), "+a"(y) : "r"(x) : "memory", "cc");            \
  mix(m), mix(y), mix(done);                                                                                                         \
  __asm__("cmpxchg" letter " %2, %0" : "+r"(x), "+a"(y) : "r"(m) : "cc");                                                            \
  mix(x), mix(y);                                                                                                                    \
  __asm__ volatile("xchg" letter " %0, %1" : "+r"(x), "+m"(m) : : "memory");                                                         \
  mix(x), mix(m);                                                                                                                    \
  __asm__ volatile("lock\n\txadd" letter " %0, %1" : "+r"(x), "+m"(m) : : "memory", "cc");                                           \
  mix(x), mix(m);                                                                                                                    \
  __asm__ volatile("lock inc" letter " %0; lock\n dec" letter " %0; lock not" letter " %0" : "+m"(m) : : "memory", "cc");            \
  mix(m);                                                                                                                            \
  END("exchange" letter)

// Jumps forward: over one instruction, to an end and into another branch, with flags from before.
#define SCAN_OR(op, letter, type)                                                                                                    \
  BEGIN type x = (type)operand(), r;                                                                                                 \
  __asm__(op letter " %1, %0\n\tjnz 1f\n\tmov" letter " $-1, %0\n1:" : "=r"(r) : "rm"(x) : "cc");                                      \
  mix(r);                                                                                                                            \
  END(op " or -1")
#define BRANCHES(cc, letter, type)                                                                                                   \
  BEGIN type x = (type)operand(), y = word() % 3 ? (type)operand() : x, r = 3;                                                       \
  FLAGS;                                                                                                                             \
  __asm__("cmp" letter " %7, %6; j" cc " 2f; add" letter " %7, %0; jmp 1f\n2: sub" letter " %6, %0; js .Lend%=; inc" letter " %0\n"    \
          ".Lend%=:\n1:\tj" cc " 1f; not" letter " %0; 1: "                                                                           \
          : "+&r"(r), ALL_FLAGS                                                                                                      \
          : "r"(x), "r"(y));                                                                                                         \
  mix(r), MIX_FLAGS;                                                                                                                 \
  END("j" cc letter)
#define BRANCHES_WIDTHS(cc) BRANCHES(cc, "b", u8) BRANCHES(cc, "w", u16) BRANCHES(cc, "l", u32) BRANCHES(cc, "q", u64)

// Copies and fills of units, one and many, also onto what is copied.
#define STRINGS(letter, type)                                                                                                        \
  BEGIN u64 room[20];                                                                                                                \
  for (int i = 0; i < 20; i++) room[i] = operand();                                                                                  \
  u64 n = word() % 6, unit = operand();                                                                                              \
  u8 *from = (u8 *)(room + 4) + word() % 9, *to = word() % 2 ? from + word() % 9 : (u8 *)room + word() % 50, *b = to, *f = from;     \
  __asm__ volatile("rep movs" letter : "+D"(to), "+S"(from), "+c"(n) : : "memory");                                                  \
  mix((u64)(to - b)), mix((u64)(from - f)), mix(n);                                                                                  \
  __asm__ volatile("cld\n\tmovs" letter : "+D"(to), "+S"(from) : : "memory");                                                        \
  mix((u64)(to - b)), mix((u64)(from - f));                                                                                          \
  n = word() % 3;                                                                                                                    \
  __asm__ volatile("cld; rep; stos" letter "\n\tstos" letter : "+D"(to), "+c"(n) : "a"(unit) : "memory");                            \
  mix((u64)(to - b)), mix(n);                                                                                                        \
  for (int i = 0; i < 20; i++) mix(room[i]);                                                                                         \
  END("movs, stos" letter)

int main(void) {
  SCAN_OR("bsf", "w", u16)
  SCAN_OR("bsf", "l", u32)
  SCAN_OR("bsr", "q", u64)
  BRANCHES_WIDTHS("z")
  BRANCHES_WIDTHS("a")
  BRANCHES_WIDTHS("l")
  BRANCHES_WIDTHS("ns")
  STRINGS("b", u8)
  STRINGS("w", u16)
  STRINGS("l", u32)
  STRINGS("q", u64)
  BINARY_WIDTHS("add")
  BINARY_WIDTHS("sub")
  BINARY_WIDTHS("and")
  BINARY_WIDTHS("or")
  BINARY_WIDTHS("xor")
  BINARY_WIDTHS("cmp")
  LOCKED_WIDTHS("add")
  LOCKED_WIDTHS("sub")
  LOCKED_WIDTHS("and")
  LOCKED_WIDTHS("or")
  LOCKED_WIDTHS("xor")
  CARRY_WIDTHS("adc")
  CARRY_WIDTHS("sbb")
  UNARY_WIDTHS("inc")
  UNARY_WIDTHS("dec")
  UNARY_WIDTHS("neg")
  UNARY_WIDTHS("not")
  SHIFT_WIDTHS("shl")
  SHIFT_WIDTHS("shr")
  SHIFT_WIDTHS("sar")
  SHIFT_WIDTHS("rol")
  SHIFT_WIDTHS("ror")
  THROUGH_CARRY("rcl", "b", u8)
  THROUGH_CARRY("rcl", "w", u16)
  THROUGH_CARRY("rcl", "l", u32)
  THROUGH_CARRY("rcl", "q", u64)
  THROUGH_CARRY("rcr", "b", u8)
  THROUGH_CARRY("rcr", "w", u16)
  THROUGH_CARRY("rcr", "l", u32)
  THROUGH_CARRY("rcr", "q", u64)
  DOUBLE_SHIFT("shld", "w", u16, 5)
  DOUBLE_SHIFT("shld", "l", u32, 1)
  DOUBLE_SHIFT("shld", "q", u64, 47)
  DOUBLE_SHIFT("shrd", "w", u16, 15)
  DOUBLE_SHIFT("shrd", "l", u32, 9)
  DOUBLE_SHIFT("shrd", "q", u64, 1)
  BIT_TEST("bt", "w", u16)
  BIT_TEST("bt", "l", u32)
  BIT_TEST("bt", "q", u64)
  BIT_TEST("bts", "w", u16)
  BIT_TEST("bts", "l", u32)
  BIT_TEST("bts", "q", u64)
  BIT_TEST("btr", "l", u32)
  BIT_TEST("btr", "q", u64)
  BIT_TEST("btc", "l", u32)
  BIT_TEST("btc", "q", u64)
  FAR_BIT("bt", "w", u16)
  FAR_BIT("bt", "q", u64)
  FAR_BIT("bts", "l", u32)
  FAR_BIT("btr", "q", u64)
  FAR_BIT("btc", "w", u16)
  FAR_BIT("lock; bts", "q", u64)
  FAR_BIT("lock; btr", "l", u32)
  FAR_BIT("lock; btc", "q", u64)
  SCAN("bsf", "w", u16)
  SCAN("bsf", "l", u32)
  SCAN("bsf", "q", u64)
  SCAN("bsr", "w", u16)
  SCAN("bsr", "l", u32)
  SCAN("bsr", "q", u64)
  COUNT("tzcnt", "w", u16)
  COUNT("tzcnt", "l", u32)
  COUNT("tzcnt", "q", u64)
  COUNT("rep; bsf", "l", u32)
  COUNT("lzcnt", "w", u16)
  COUNT("lzcnt", "l", u32)
  COUNT("lzcnt", "q", u64)
  COUNT("popcnt", "w", u16)
  COUNT("popcnt", "l", u32)
  COUNT("popcnt", "q", u64)
  PRODUCT("mul", "w", u16)
  PRODUCT("mul", "l", u32)
  PRODUCT("mul", "q", u64)
  PRODUCT("imul", "w", u16)
  PRODUCT("imul", "l", u32)
  PRODUCT("imul", "q", u64)
  QUOTIENT(u16, i16, "w")
  QUOTIENT(u32, i32, "l")
  QUOTIENT(u64, i64, "q")
  CONDITIONS("b", u8)
  CONDITIONS("w", u16)
  CONDITIONS("l", u32)
  CONDITIONS("q", u64)
  EXCHANGE("b", u8)
  EXCHANGE("w", u16)
  EXCHANGE("l", u32)
  EXCHANGE("q", u64)

  BEGIN u64 x = operand(), y = operand(), z, r;
  int32_t narrow = (int32_t)operand();
  u16 h = (u16)operand();
  u8 b = (u8)operand();
  int c, o;
  // Products of two and three operands, of bytes, and without flags.
  __asm__("imulq %3, %0" : "+r"(x), "=@ccc"(c), "=@cco"(o) : "rm"(y));
  mix(x), mix((u64)(c | o << 1));
  __asm__("imull $-7, %k1, %k0" : "=r"(z) : "r"(x) : "cc");
  mix(z);
  __asm__("mulb %b2" : "=a"(h) : "0"(h), "q"(b) : "cc");
  mix(h);
  b |= 1, h = (u16)(h % (b << 7));
  __asm__("divb %1" : "+a"(h) : "q"(b) : "cc");
  mix(h);
  __asm__("mulx %3, %0, %1" : "=r"(z), "=r"(r) : "d"(x), "rm"(y));
  mix(z), mix(r);
  // Moves that extend, parts of registers, and addresses.
  __asm__("movzbl %b1, %k0; movsbq %b1, %1" : "=&r"(z), "+q"(y));
  mix(z), mix(y);
  __asm__("movswl %w1, %k0; movslq %k0, %0" : "=r"(z) : "r"(x));
  mix(z);
  __asm__("movb %h1, %b0; xchgb %b1, %h1; movb $7, %h0" : "+Q"(z), "+Q"(y));
  mix(z), mix(y);
  __asm__("leaq -5(%1,%2,8), %0; leal 3(%q1), %k2" : "=&r"(z), "+r"(x), "+r"(y));
  mix(z), mix(y);
  u64 table[4] = {word(), word(), word(), word()}, *at = table;
  __asm__("movq 8(%1), %0; addq (%1,%2,8), %0; addq $16, %1" : "=&r"(z), "+r"(at) : "r"(3ul), "m"(table));
  mix(z), mix((u64)(at - table));
  // Registers by name, the accumulator's sign, swaps of bytes.
  __asm__("movl %1, %%eax; cltq; movq %%rax, %0; cqto; xorq %%rdx, %0" : "=r"(z) : "r"(narrow) : "rax", "rdx", "cc");
  mix(z);
  __asm__("bswapq %0; bswap %k1" : "+r"(x), "+r"(narrow));
  mix(x), mix((u64)narrow);
  // A difference of what was never written, long sums, flags by hand.
  __asm__("cmpq %2, %1; sbbq %0, %0" : "=&r"(z) : "r"(x), "r"(y) : "cc");
  mix(z);
  __asm__("xorl %k0, %k0; stc; adcq %1, %0; cmc; adcq $0, %0; clc; sbbq $1, %0" : "=&r"(z) : "r"(x) : "cc");
  mix(z);
  u64 low = word(), middle = word(), high = word();
  __asm__("addq %3, %0\n\tadcq %4, %1 # the middle\n\t/* and the rest */ adcq $0, %2" : "+&r"(low), "+&r"(middle), "+&r"(high) : "r"(x), "rm"(y) : "cc");
  mix(low), mix(middle), mix(high);
  __asm__("xorl %k2, %k2; adcxq %3, %0; adoxq %3, %1; adcxq %2, %0; adoxq %2, %1" : "+&r"(low), "+&r"(middle), "=&r"(z) : "r"(x) : "cc");
  mix(low), mix(middle);
  __asm__("rorxq $13, %1, %0; shlxq %2, %0, %0; sarx %2, %0, %0; shrxl %k2, %k0, %k0; andnl %k1, %k0, %k0" : "=&r"(z) : "r"(x), "r"(y) : "cc");
  mix(z);
  // An exchange that fails leaves a register as it is, its upper half too; one that succeeds does so with the accumulator.
  for (u64 i = 0; i < 2; i++) {
    u64 a = word(), from = word(), to = i ? a ^ 1ull << 40 : word() | 1ull << 50;
    __asm__("cmpxchgl %k2, %k1" : "+a"(a), "+r"(to) : "r"(from) : "cc");
    mix(a), mix(to);
  }
  // A sum whose address is made of the register that it exchanges.
  u64 cell[2] = {word(), 0}, *where = cell;
  __asm__ volatile("xaddq %0, (%0)" : "+r"(where) : : "memory", "cc");
  mix((u64)where), mix(cell[0] - (u64)cell);
  // A 32-bit shift by a count that is 0 at times: the flags are those before.
  u8 count = (u8)(operand() & 3), equal;
  __asm__("cmpl %k0, %k0; shll %%cl, %k0; setz %1" : "+&r"(x), "=&q"(equal) : "c"(count) : "cc");
  mix(x), mix(equal);
  // Barriers among others.
  __asm__ volatile("mov %1, %0; lock; orl $0,(%%rsp)" : "=m"(z) : "r"(x) : "memory", "cc");
  __asm__ volatile("lock; addq $0,0(%%rsp)" : : : "memory", "cc");
  __asm__ volatile("mfence; notq %0; pause" : "+r"(z) : : "memory");
  mix(z);
  END("mixed")
  return 0;
}
