// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// <ctype.h> on every character, <wctype.h>, locale C, multibyte conversions.
#define _GNU_SOURCE
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
  for (int c = -1; c < 256; c++) {
    unsigned bits = 0;
    int (*const tests[])(int) = {isalpha, isdigit, isalnum, isspace, isupper, islower, ispunct, iscntrl, isgraph, isprint, isxdigit, isblank};
    for (unsigned i = 0; i < 12; i++) bits |= (unsigned)!!tests[i](c) << i;
    printf("%03x%s", bits, c % 16 == 15 ? "\n" : " ");
    if (toupper(c) != c || tolower(c) != c) printf("(%d %d) ", toupper(c), tolower(c));
  }
  for (wint_t c = 0; c < 0x500; c += 13) printf("%d%d%d%d %x ", !!iswalpha(c), !!iswdigit(c), !!iswupper(c), !!iswspace(c), towupper(c));
  puts("");
  printf("%d %d\n", !!iswctype(L'x', wctype("alpha")), (int)towctrans(L'x', wctrans("toupper")));
  printf("%s %s\n", setlocale(LC_ALL, NULL), setlocale(LC_ALL, "C"));
  struct lconv *l = localeconv();
  printf("[%s] [%s] %d [%s] %s\n", l->decimal_point, l->thousands_sep, l->frac_digits, nl_langinfo(RADIXCHAR), nl_langinfo(DAY_2));
  printf("%d\n", setlocale(LC_ALL, "xx_XX.surely-not") != NULL || 1);
  setlocale(LC_ALL, "C.UTF-8");
  wchar_t w[20];
  size_t n = mbstowcs(w, "gr\xc3\xbc\xc3\x9f \xe2\x82\xac", 20);
  printf("%zu", n);
  for (size_t i = 0; i < n && n != (size_t)-1; i++) printf(" %x", (unsigned)w[i]);
  char back[40] = "";
  if (n != (size_t)-1) printf(" %zu", wcstombs(back, w, 40));
  printf(" %d\n", (int)strlen(back));
  mbstate_t state;
  memset(&state, 0, sizeof state);
  wchar_t one;
  printf("%d %d %d\n", (int)mbrtowc(&one, "\xe2\x82\xac", 3, &state), (int)one, (int)mbrtowc(&one, "\xff", 1, &state));
  wchar_t text[64];
  swprintf(text, 64, L"%d %ls %s", 5, L"wide", "narrow");
  printf("%ls %zu %d %d\n", text, wcslen(text), wcscmp(L"a", L"b") < 0, (int)(wcschr(text, L'w') - text));
  wchar_t other[64];
  wcscpy(other, text), wcscat(other, L"!"), wcsncpy(text, other, 3);
  printf("%ls %d %ld %d\n", other, (int)wcsspn(other, L"5 w"), wcstol(L"123x", NULL, 10), wmemcmp(text, other, 3));
  printf("%d\n", (int)wcstod(L"2.5", NULL) + wcswidth(L"abc", 3));
  return 0;
}
