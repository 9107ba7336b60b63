// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access that may be outside is told in words: where in which object it is, and the numbers that it depends on. A copy that reads too
// much is a read, and each of its ends is certain to fail or not. What fread and read return is at most what they were asked for.
// RUN: %fathom-cc -g -o %t %s
// RUN: %fathom scan --all %t --kinds out-of-bounds-read,out-of-bounds-write,division-by-zero > %t.out
// RUN: FileCheck %s < %t.out
// RUN: tail -n 1 %t.out | FileCheck %s --check-prefix=COUNT
// RUN: %fathom scan %t --assertions -v 2>/dev/null | FileCheck %s --check-prefix=COUNTS
// COUNT: 11 reports: 5 out-of-bounds-read, 5 out-of-bounds-write, 1 division-by-zero
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int readBad(unsigned n) {
  char from[4] = "abc", to[16];
  memset(to, 0, sizeof to);
  // CHECK-DAG: alarm-words.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read: read by memcpy may be outside
  if (n <= 8) memcpy(to, from, n);
  // CHECK-DAG: read by memcpy may be outside: at the start of from (4 bytes); the length is 0 to 8; n is 0 to 8
  return to[3];
}

int bothBad(unsigned n) {
  char from[4] = "abc", to[6];
  memset(to, 0, sizeof to);
  // CHECK-DAG: alarm-words.c:[[#@LINE+2]]:{{[0-9]+}}: out-of-bounds-read: read by memcpy may be outside
  // CHECK-DAG: alarm-words.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write by memcpy may be outside
  if (n <= 8) memcpy(to, from, n);
  return to[3];
}

// Each end of a copy has an answer of its own.
int readsOutsideBad(void) {
  char from[4] = "abc", to[16];
  memset(to, 0, sizeof to);
  // CHECK-DAG: alarm-words.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read: read by memcpy is outside
  memcpy(to, from, 8);
  return to[3];
}

int writesOutsideBad(void) {
  char from[16] = "abc", to[4];
  // CHECK-DAG: alarm-words.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write by memcpy is outside
  memcpy(to, from, 8);
  return to[3];
}

int oneEndBad(unsigned i) {
  char from[4] = "abc", to[16];
  memset(to, 0, sizeof to);
  // CHECK-DAG: alarm-words.c:[[#@LINE+2]]:{{[0-9]+}}: out-of-bounds-read: read by memcpy is outside
  // CHECK-DAG: alarm-words.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write by memcpy may be outside
  memcpy(to + (i & 15), from, 8);
  return to[3];
}

int stringBad(void) {
  char name[4];
  // CHECK-DAG: alarm-words.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-write: write by strcpy is outside
  strcpy(name, "abcd");
  return name[0];
}
int stringOk(void) {
  char name[4];
  strcpy(name, "abc");
  return name[0];
}

int writeBad(int i) {
  char name[4] = "abc";
  // CHECK-DAG: write of 1 byte may be outside: at offset 0 to 7 in name (4 bytes)
  name[i & 7] = 'x';
  return name[0];
}

int divideBad(int n) {
  if (n < 0 || n > 9) return 0;
  // CHECK-DAG: division may be by zero: n is 0
  return 100 / n;
}

// With MSG_TRUNC, recv tells the length of the whole message.
char messageBad(int socket) {
  char message[16] = "";
  ssize_t length = recv(socket, message, sizeof message, MSG_TRUNC);
  // CHECK-DAG: alarm-words.c:[[#@LINE+1]]:{{[0-9]+}}: out-of-bounds-read
  return length > 0 ? message[length - 1] : 'a';
}
char messageOk(int socket) {
  char message[16] = "";
  ssize_t length = recv(socket, message, sizeof message, 0);
  return length > 0 ? message[length - 1] : 'a';
}

int main(int argc, char **argv) {
  char buffer[64] = "";
  size_t count = fread(buffer, 1, sizeof buffer, stdin);
  // COUNTS: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion 'count <= 64'
  assert(count <= 64);
  ssize_t got = read(0, buffer, sizeof buffer);
  // COUNTS: [[#@LINE+1]]:{{[0-9]+}}: proved: assertion 'got >= -1 && got <= 64'
  assert(got >= -1 && got <= 64);
  if (count > 0) buffer[count - 1] = 'a';
  if (argc == 3) return readsOutsideBad();
  if (argc == 4) return writesOutsideBad();
  if (argc == 5) return oneEndBad((unsigned)getchar());
  if (argc == 6) return stringBad();
  if (argc == 7) return stringOk();
  return readBad((unsigned)argc) + bothBad((unsigned)argc) + writeBad(argc) + divideBad(argc) + messageBad(argc) + messageOk(argc);
}
