// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats that are no constants (bad...), and their correct twins (good...), which have no report.
//
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds format-string --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: 20 reports: 20 format-string
#define _GNU_SOURCE
#include <err.h>
#include <libintl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>
#include <unistd.h>
#define _(text) gettext(text)

// What the program is started with.
static void badArgument(char **argv) {
  // CHECK-DAG: format-string.c:[[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be an argument of the program
  printf(argv[1]);
}
static void goodArgument(char **argv) { printf("%s", argv[1]); }
static void badVariable(int n) {
  // CHECK-DAG: [[# @LINE + 2]]:{{[0-9]+}}: format-string: the format of syslog is no constant: it may be text that getenv returns
  const char *text = getenv("TEXT");
  syslog(LOG_ERR, text ? text : "none");
}
static void goodVariable(int n) { syslog(LOG_ERR, getenv("TEXT") ? "given" : "none"); }

// What it reads.
static void badRead(void) {
  char line[80];
  if (!fgets(line, sizeof line, stdin)) return;
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of fprintf is no constant: it may be text that fgets puts into bad{{[A-Z][a-z]*}}.line
  fprintf(stderr, line);
}
static void goodRead(void) {
  char line[80];
  if (fgets(line, sizeof line, stdin)) fprintf(stderr, "%s", line);
}
static void badReadHere(void) {
  static char block[80];
  if (read(0, block, sizeof block - 1) > 0)
    // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of dprintf is no constant: it may be text that read puts into badReadHere.block
    dprintf(1, block);
}
static void badLine(void) {
  char *line = NULL;
  size_t size = 0;
  if (getline(&line, &size, stdin) < 0) return;
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of warnx is no constant: it may be text that getline makes
  warnx(line);
  free(line);
}

// A copy, and what is made of a copy; a message that is made first, and then printed as a format.
static void badCopy(char **argv) {
  char *copy = strdup(argv[2]);
  if (!copy) return;
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be text that strdup puts into memory
  printf(copy);
  free(copy);
}
static void goodCopy(void) {
  char *copy = strdup("%d\n");
  if (!copy) return;
  printf(copy, 1);
  free(copy);
}
static void badMessage(char **argv) {
  char message[100];
  snprintf(message, sizeof message, "cannot open %s", argv[1]);
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of syslog is no constant: it may be text that snprintf puts into bad{{[A-Z][a-z]*}}.message
  syslog(LOG_ERR, message);
}
static void goodMessage(int width, int n) {
  char format[20];
  snprintf(format, sizeof format, "%%%d%s\n", width, n > 2 ? "d" : "x");
  printf(format, n);
}
static void badAllocated(char **argv) {
  char *message;
  if (asprintf(&message, "no %s", argv[1]) < 0) return;
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of err is no constant: it may be text that asprintf makes
  err(1, message);
}
static void goodAllocated(int width, int n) {
  char *format;
  if (asprintf(&format, "%%%dd\n", width) < 0) return;
  printf(format, n);
  free(format);
}
static void badCharacter(char **argv) {
  char format[] = "%d\n";
  format[1] = argv[1][0];
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be text that the program puts into bad{{[A-Z][a-z]*}}.format
  printf(format, 1);
}
static void goodCharacter(int n) {
  char format[] = "%d\n";
  format[1] = n > 2 ? 'x' : 'd';
  printf(format, n);
}
// Copies in a circle: what comes into one of them is in both.
static void badExchange(void) {
  static char first[80], second[80];
  strcpy(first, second);
  strcpy(second, first);
  if (!fgets(first, sizeof first, stdin)) return;
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be text that fgets puts into badExchange.first
  printf(first);
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be text that strcpy puts into badExchange.second
  printf(second);
}
static void goodExchange(void) {
  static char first[80], second[80];
  strcpy(first, second);
  strcpy(second, first);
  strcpy(first, "%d\n");
  printf(first, 1);
  printf(second, 1);
}
static void badCharacters(char **argv) {
  static char first[80], second[80];
  first[0] = second[0];
  second[0] = first[0];
  first[0] = argv[1][0];
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be text that the program puts into badCharacters.first
  printf(first);
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be text that the program puts into badCharacters.second
  printf(second);
}

// Literals: chosen, in tables, translated, in variables and members.
static const char *const table[] = {"one\n", "two %d\n"};
static char *variableTable[] = {"three\n", "four\n"};
static char text[] = "text\n";
struct style {
  const char *name, *format;
};
static struct style styles[] = {{"plain", "%d\n"}, {"hex", "%x\n"}};
static void goodLiterals(int n) {
  const char *format = n > 1 ? "a %d\n" : "b %d\n";
  printf(format, n);
  printf(table[n & 1], n);
  printf(variableTable[n & 1]);
  printf(text);
  printf(styles[n & 1].format, n);
  printf(_("hello %d\n"), n);
  printf(ngettext("%d file\n", "%d files\n", n), n);
  printf(dgettext("domain", n > 1 ? "x\n" : "y\n"));
  printf(strchr("a: %d\n", '%'), n);
}
static void badTranslation(char **argv) {
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be an argument of the program
  printf(_(argv[1]));
}

// A parameter: the callers are judged.
static void say(int level, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(level ? stderr : stdout, format, arguments);
  va_end(arguments);
}
static void sayTwice(const char *format) {
  say(0, format);
  say(1, format ? format : "default");
}
static void badCaller(char **argv) {
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of say is no constant: it may be an argument of the program
  say(0, argv[1]);
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of sayTwice is no constant: it may be an argument of the program
  sayTwice(argv[2]);
}
static void goodCaller(char **argv) {
  say(0, "%s", argv[1]);
  say(1, _("none\n"));
  sayTwice("twice\n");
}

// Through memory and pointers.
struct logger {
  const char *format;
  void (*say)(int level, const char *format, ...);
};
static void logWith(struct logger *l, int n) {
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be an argument of the program
  printf(l->format, n);
}
static void logOther(struct logger *l, int n) { printf(l->format, n); }
static void badMembers(char **argv) {
  struct logger l = {argv[1], say};
  logWith(&l, 1);
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of say is no constant: it may be an argument of the program
  l.say(1, argv[1]);
}
static void goodMembers(int n) {
  struct logger l = {n > 2 ? "a %d\n" : "b %d\n", say};
  logOther(&l, n);
  l.say(1, "%d\n", n);
}
static const char *chosen = "%d\n";
static void badGlobal(int n) {
  // CHECK-DAG: [[# @LINE + 1]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be an argument of the program
  printf(chosen, n);
}

// One format, several calls: one report.
static void badTwice(char **argv, int n) {
  const char *format = argv[1];
  // CHECK-DAG: [[# @LINE + 2]]:{{[0-9]+}}: format-string: the format of printf is no constant: it may be an argument of the program
  if (n > 2)
    printf(format, n);
  else
    printf(format, 1);
}

int main(int argc, char **argv) {
  if (argc > 3) chosen = argv[3];
  badArgument(argv);
  goodArgument(argv);
  badVariable(argc);
  goodVariable(argc);
  badRead();
  goodRead();
  badReadHere();
  badLine();
  badCopy(argv);
  goodCopy();
  badMessage(argv);
  goodMessage(argc, 3);
  goodAllocated(argc, 3);
  badCharacter(argv);
  badExchange();
  goodExchange();
  badCharacters(argv);
  goodCharacter(argc);
  goodLiterals(argc);
  badTranslation(argv);
  badCaller(argv);
  goodCaller(argv);
  badMembers(argv);
  goodMembers(argc);
  badGlobal(argc);
  badTwice(argv, argc);
  badAllocated(argv);
  return 0;
}
