// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flag or mode that only constants are stored to is one of these at any time, whatever calls lie between: no report needs another number.
//
// RUN: %fathom-cc -g -O1 -o %t %s
// RUN: %fathom scan %t --no-cache > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}6 reports: 6 null-dereference
//
// In a library, others may write what they see, also if only one function is looked at.
// RUN: %fathom scan %S/Inputs/visible.c --no-cache --entry get | FileCheck %s --check-prefix=VISIBLE
// VISIBLE: visible.c:{{.*}} null-dereference
// VISIBLE-NOT: null-dereference
// VISIBLE: 1 report
#include <stdlib.h>
#include <string.h>

int never; // stays 0
int mode;  // 0, 2, 5
int level; // anything
int shown; // its address is passed on
static int isQuiet;
static signed char sign = -1;

static int *lookup(const char *name) { return strchr(name, 'x') ? NULL : &level; }

// Anything may be written in it, by what is known of it.
void outside(void (*call)(void)) { call(); }
static void nothing(void) { level++; }
static void setMode(int argc) {
  if (argc > 1) mode = 2;
  if (argc > 2) mode = argc > 3 ? 5 : 0;
  isQuiet = argc == 4;
  if (argc == 5) sign = 1;
}
static void setLevel(const char *text) { level = atoi(text); }
static void setTo(int *variable, const char *text) { *variable = atoi(text); }

static int goodNever(const char *name) {
  int *p = never ? NULL : &level;
  outside(nothing);
  if (never) p = lookup(name);
  return *p;
}

static int goodMode(void) {
  outside(nothing);
  int *p = mode == 3 || mode > 5 || mode < 0 ? NULL : &level;
  outside(nothing);
  return *p;
}

static int badMode(void) {
  outside(nothing);
  int *p = mode == 5 ? NULL : &level;
  outside(nothing);
  // CHECK-DAG: stored-numbers.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}

static int goodQuiet(void) {
  int *p = isQuiet > 1 ? NULL : &level;
  return *p;
}

static int badQuiet(void) {
  int *p = isQuiet > 0 ? NULL : &level;
  // CHECK-DAG: stored-numbers.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}

static int goodSign(void) {
  int *p = sign == 0 ? NULL : &level;
  return *p;
}

static int badSign(void) {
  int *p = sign == -1 ? NULL : &level;
  // CHECK-DAG: stored-numbers.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}

static int badLevel(void) {
  int *p = level == 7 ? NULL : &shown;
  // CHECK-DAG: stored-numbers.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}

static int badShown(void) {
  int *p = shown == 7 ? NULL : &level;
  // CHECK-DAG: stored-numbers.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}

// What it holds is computed from what it held.
static int uses;
static void enter(void) { __sync_fetch_and_add(&uses, 1); }

static int badUses(void) {
  enter();
  enter();
  int *p = uses == 2 ? NULL : &level;
  // CHECK-DAG: stored-numbers.c:[[@LINE+1]]:{{.*}} null-dereference
  return *p;
}

// No null pointer.
static char *sentinel = (char *)-1;

static int goodSentinel(void) {
  int *p = sentinel == NULL ? NULL : &level;
  return *p;
}

int main(int argc, char **argv) {
  setMode(argc);
  setLevel(argv[0]);
  setTo(&shown, argv[0]);
  return goodNever(argv[0]) + goodMode() + badMode() + goodQuiet() + badQuiet() + goodSign() + badSign() + badLevel() + badShown() + badUses() + goodSentinel();
}
