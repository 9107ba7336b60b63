/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the programs of `./dev bench assertions` include: `input(low, high)`, a number between them,
 * and `assert`.
 *
 * For analysers, input is a number from a function without a body, bounded by a branch. With TRUTH,
 * the program runs on every input, each run in a process of its own, and prints what came of each
 * assertion: "line passes fails". With CLANG_ANALYZER, assertions are questions to clang's
 * analyzer.
 */
#include <stdlib.h>
#ifndef TRUTH

int stranger(void);
static int input(int low, int high) {
  int number = stranger();
  if (number < low || number > high) exit(0);
  return number;
}
#ifdef CLANG_ANALYZER
void clang_analyzer_eval(int condition);
#define assert(c) (clang_analyzer_eval((c) != 0), (c) ? (void)0 : exit(1))
#else
#include <assert.h>
#endif

#else

#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { kInputs = 8, kLines = 400 };
static struct {
  int used, number[kInputs], low[kInputs], high[kInputs];
  int outcomes[kLines][2];
} *truth;
static int next;
static int input(int low, int high) {
  int at = next++;
  if (at == kInputs) abort();
  if (at == truth->used) { /* met for the first time with these inputs before it */
    truth->number[at] = truth->low[at] = low;
    truth->high[at] = high;
    truth->used++;
  }
  return truth->number[at];
}
#define assert(c) note(__LINE__, (c) != 0)
static void note(int line, int holds) {
  truth->outcomes[line][holds]++;
  if (!holds) _exit(0);
}
int program(void);
int main(void) {
  truth = mmap(0, sizeof *truth, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (;;) {
    int status;
    next = 0;
    if (fork() == 0) {
      program();
      _exit(0);
    }
    wait(&status);
    if (!WIFEXITED(status)) return 1;
    while (truth->used && truth->number[truth->used - 1] == truth->high[truth->used - 1])
      truth->used--;
    if (!truth->used) break;
    truth->number[truth->used - 1]++;
  }
  for (int line = 0; line < kLines; line++)
    if (truth->outcomes[line][0] || truth->outcomes[line][1])
      printf("%d %d %d\n", line, truth->outcomes[line][1], truth->outcomes[line][0]);
  return 0;
}
#define main(...) program(void)
#endif
