// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// A small byte-code machine and a tokenizer: the shapes of code that interpreters and parsers have.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { PUSH, ADD, MUL, SUB, DUP, SWAP, JNZ, PRINT, CALL, RET, HALT };
static void run(const int *code) {
  int stack[64], *sp = stack, calls[16], *cp = calls;
  for (const int *pc = code;;) {
    switch (*pc++) {
    case PUSH: *sp++ = *pc++; break;
    case ADD: sp--, sp[-1] += *sp; break;
    case MUL: sp--, sp[-1] *= *sp; break;
    case SUB: sp--, sp[-1] -= *sp; break;
    case DUP: *sp = sp[-1], sp++; break;
    case SWAP: { int t = sp[-1]; sp[-1] = sp[-2], sp[-2] = t; break; }
    case JNZ: if (*--sp) pc = code + *pc; else pc++; break;
    case PRINT: printf("%d ", *--sp); break;
    case CALL: *cp++ = (int)(pc + 1 - code), pc = code + *pc; break;
    case RET: pc = code + *--cp; break;
    case HALT: puts(""); return;
    }
  }
}
static double expression(const char **p);
static double primary(const char **p) {
  while (isspace((unsigned char)**p)) ++*p;
  if (**p == '(') { ++*p; double v = expression(p); if (**p == ')') ++*p; return v; }
  if (**p == '-') { ++*p; return -primary(p); }
  char *end;
  double v = strtod(*p, &end);
  *p = end;
  return v;
}
static double term(const char **p) {
  double v = primary(p);
  for (;;) {
    while (isspace((unsigned char)**p)) ++*p;
    if (**p == '*') ++*p, v *= primary(p);
    else if (**p == '/') ++*p, v /= primary(p);
    else return v;
  }
}
static double expression(const char **p) {
  double v = term(p);
  for (;;) {
    if (**p == '+') ++*p, v += term(p);
    else if (**p == '-') ++*p, v -= term(p);
    else return v;
  }
}
int main(void) {
  const int code[] = {PUSH, 10, DUP, PRINT, PUSH, 1, SUB, DUP, JNZ, 2, PUSH, 6, CALL, 17, PRINT, HALT, HALT, DUP, MUL, RET};
  run(code);
  const char *texts[] = {"1+2*3", "(1+2)*3", "-4*(2.5-1)/3", "1/3", "2*(3+(4-(5*6)))"};
  for (int i = 0; i < 5; i++) { const char *p = texts[i]; printf("%s = %.10g [%s]\n", texts[i], expression(&p), p); }
  return 0;
}
