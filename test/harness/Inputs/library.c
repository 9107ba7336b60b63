int sumto(int n) {
  int sum = 0;
  if (n > 10) return -1;
  if (n < 0) return -2;
  for (int i = 0; i < n; i++) sum += i;
  return sum;
}

int quotient(int x, const char *p) {
  if (p[3] == 'x' && x == 7) return 1 / (x - 7);
  return 0;
}
