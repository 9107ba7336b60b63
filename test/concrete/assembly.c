// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t -msse4.2 -maes -mpclmul -mbmi -mbmi2 -mpopcnt
// Inline assembly and intrinsics that are executed natively when interpreted: operands of all kinds come in and out as they are.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252ull;
static uint64_t word(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}
static void dump(const char *name, const void *p, unsigned n) {
  const unsigned char *b = p;
  printf("%-12s", name);
  while (n--) printf("%02x", *b++);
  puts("");
}
#define SHOW(name, value) dump(name, &(value), sizeof(value))

struct pair {
  uint32_t first, second;
};
static uint64_t global = 5;

int main(void) {
  for (int i = 0; i < 3; i++) {
    uint64_t a = word(), b = word(), c, d;
    uint32_t e = (uint32_t)a, f;
    uint16_t h = (uint16_t)b;
    uint8_t bit;
    __asm__("rorq $13, %0" : "+r"(a));
    SHOW("ror", a);
    __asm__("rolw $3, %0" : "+r"(h));
    SHOW("rol16", h);
    __asm__("mulq %3" : "=a"(c), "=d"(d) : "a"(a), "rm"(b) : "cc");
    SHOW("mul low", c);
    SHOW("mul high", d);
    __asm__("addq %2, %0\n\tadcq %3, %1" : "+&r"(c), "+r"(d) : "r"(a), "r"(b) : "cc");
    SHOW("adc", d);
    __asm__("btl %2, %1\n\tsetc %0" : "=q"(bit) : "r"(e), "Ir"(7) : "cc");
    SHOW("bt", bit);
    __asm__("xchgb %b0, %h0" : "+Q"(e));
    SHOW("xchg", e);
    __asm__("shldl %%cl, %2, %0" : "=r"(f) : "0"(e), "r"((uint32_t)b), "c"((uint8_t)i + 3) : "cc");
    SHOW("shld", f);

    // Memory: an operand, a member, a global variable, through a pointer.
    struct pair p = {e, f};
    __asm__("notl %0" : "+m"(p.second));
    SHOW("not", p);
    uint64_t old = 11;
    __asm__ volatile("lock; xaddq %0, %1" : "+r"(old), "+m"(global) : : "memory");
    SHOW("xadd", global);
    unsigned char done;
    uint64_t expected = old;
    __asm__ volatile("lock cmpxchgq %3, %1\n\tsete %0" : "=q"(done), "+m"(global), "+a"(expected) : "r"(a) : "memory", "cc");
    SHOW("cmpxchg", expected);
    char text[16];
    void *to = text + 1;
    unsigned long n = 10;
    memset(text, '-', sizeof text);
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"('x' + i) : "memory");
    printf("%.16s %ld %lu\n", text, (long)((char *)to - text), n);
    unsigned long length = ~0ul;
    const char *scan = "nineteen characters";
    __asm__ volatile("repne scasb\n\tnotq %0\n\tdecq %0" : "+c"(length), "+D"(scan) : "a"(0) : "memory", "cc");
    printf("%lu\n", length);

    // Floating-point and vector registers.
    double x = (double)(int64_t)a, y = (double)(int32_t)b, z;
    __asm__("movapd %1, %0\n\taddsd %2, %0" : "=&x"(z) : "x"(x), "x"(y));
    SHOW("addsd", z);
    float s = (float)y;
    __asm__("sqrtss %0, %0" : "+x"(s));
    s = s == s ? s : 1;
    SHOW("sqrtss", s);
    __m128i v = _mm_set_epi64x((long long)a, (long long)b), w = _mm_set1_epi32((int)e);
    __asm__("paddw %1, %0" : "+x"(v) : "x"(w));
    SHOW("paddw", v);
    // Several words, in both directions.
    __m128i low = v, high = w;
    __asm__("punpcklbw %2, %0\n\tpunpckhbw %2, %1" : "+&x"(low), "+&x"(high) : "x"(_mm_set1_epi8(3)));
    SHOW("low", low);
    SHOW("high", high);

    // Intrinsics.
    uint32_t crc = _mm_crc32_u32((uint32_t)a, (uint32_t)b);
    SHOW("crc32", crc);
    __m128i r = _mm_aesenclast_si128(v, w);
    SHOW("aes", r);
    r = _mm_clmulepi64_si128(v, w, 0x10);
    SHOW("clmul", r);
    a = _pdep_u64(b, a) ^ _pext_u64(a, b);
    SHOW("pdep", a);
    int index = _mm_cmpistri(v, _mm_setr_epi8(1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), _SIDD_CMP_EQUAL_ANY);
    SHOW("cmpistri", index);
    __m128 inverse = _mm_rcp_ps(_mm_set1_ps((float)(i + 3)));
    SHOW("rcp", inverse);
  }
  return 0;
}
