// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %concrete %s %t
// Calendar arithmetic in UTC: gmtime, timegm, mktime, strftime, strptime, difftime, asctime.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void) {
  static const long long times[] = {0, 1, 86399, 951782400, 1078012800, 1700000000, 4102444800, -1, -86401, 68256000000LL, 253402300799LL, -2208988800LL};
  for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
    time_t t = (time_t)times[i];
    struct tm tm = *gmtime(&t), local;
    localtime_r(&t, &local);
    char text[200];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %a %A %b %B %U %W %V %G %u %w %y %C %e %I %p %D %F %T %R %r %n%t%% %s %Z %z", &tm);
    printf("%lld: %s\n", times[i], text);
    printf("%d %d %s", (int)(timegm(&tm) == t), (int)(mktime(&local) == t), asctime(&tm));
  }
  struct tm odd = {.tm_year = 123, .tm_mon = 14, .tm_mday = -3, .tm_hour = 30, .tm_min = 75, .tm_sec = -10};
  time_t t = mktime(&odd);
  printf("%lld %d-%d-%d %d %d\n", (long long)t, odd.tm_year, odd.tm_mon, odd.tm_mday, odd.tm_wday, odd.tm_yday);
  struct tm parsed;
  memset(&parsed, 0, sizeof parsed);
  const char *rest = strptime("2024-02-29 13:14:15 rest", "%Y-%m-%d %H:%M:%S", &parsed);
  printf("%s %d %d %d %d\n", rest, parsed.tm_year, parsed.tm_yday, parsed.tm_wday, parsed.tm_hour);
  printf("%g %s %s %ld\n", difftime(100, 40), ctime(&(time_t){0}), tzname[0], timezone);
  printf("%d %d\n", time(NULL) > 1000000000, clock() >= 0);
  return 0;
}
