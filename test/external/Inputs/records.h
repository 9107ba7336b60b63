/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
struct tree {
  struct tree *left, *right;
  struct {
    int *visits;
    char name[8];
    double weight;
  } inner;
};
struct large {
  long words[4];
};

double weigh(struct tree *t);
double mixed(signed char a, unsigned char b, short c, unsigned d, long e, float f, double g,
             const char *h, int i, int j, double k, double l, double m, double n, double o, double p,
             double q);
float half(float x);
signed char negative(signed char x);
long through_pipe(const char *from, char *to, unsigned long size);
unsigned reverse(unsigned char *bytes, unsigned long size);
int calls(void);
int sum(int count, ...);
long first(struct large value);
