/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A main for programs that only define LLVMFuzzerTestOneInput, as libFuzzer gives them one. Linked
 * only where crt1 finds no other main.
 *
 * Interpreted (and when a test is replayed natively): one call with a buffer of symbolic size, up
 * to FATHOM_CONFIG_FUZZ_SIZE bytes; one path per size (unless the engine keeps sizes symbolic), and
 * the buffer has exactly that size, so that reading past it is seen. Natively otherwise: one call
 * per file named on the command line, or with standard input; interpreted too, where standard input
 * is a real file.
 */
#include <fathom/abi.h>

typedef unsigned long size;

int LLVMFuzzerTestOneInput(const unsigned char *data, size length);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
void *malloc(size bytes);
void *realloc(void *old, size bytes);
void free(void *memory);

enum { kRead = 0, kOpen = 2, kClose = 3 };

static int runSymbolic(void) {
  long most = __fathom_config(FATHOM_CONFIG_FUZZ_SIZE);
  unsigned length;
  __fathom_make_symbolic(&length, sizeof length, "fuzz_size");
  /* A test that is replayed is within the bound that it was found with. */
  if (most < 0)
    most = length;
  else
    __fathom_assume(length <= (unsigned long)most);
  if (__fathom_config(FATHOM_CONFIG_SIZED_INPUT) < most)
    length = (unsigned)__fathom_fork_values(length, 0, (size)most);
  unsigned char *data = malloc(length);
  if (length) __fathom_make_symbolic(data, length, "fuzz_data");
  LLVMFuzzerTestOneInput(data, length);
  free(data);
  return 0;
}

static int runDescriptor(long fd) {
  size used = 0, room = 4096;
  unsigned char *data = malloc(room);
  for (;;) {
    long got = __fathom_syscall(kRead, fd, (long)(data + used), (long)(room - used), 0, 0, 0);
    if (got <= 0) break;
    used += (size)got;
    if (used == room) data = realloc(data, room *= 2);
  }
  unsigned char *exact = malloc(used ? used : 1); /* its exact size, for sanitizers and valgrind */
  for (size i = 0; i < used; i++) exact[i] = data[i];
  free(data);
  LLVMFuzzerTestOneInput(exact, used);
  free(exact);
  return 0;
}

/* A test that was made so says it by an object of its own, for its replay. */
static int takesStandardInput(int isInterpreted) {
  unsigned char mark;
  if (isInterpreted && __fathom_config(FATHOM_CONFIG_FUZZ_STDIN) != 1) return 0;
  __fathom_make_symbolic(&mark, 1, "fuzz_stdin");
  if (isInterpreted) __fathom_assume(mark == 1);
  return mark == 1;
}

int main(int argc, char **argv) {
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  const int isInterpreted = __fathom_config(FATHOM_CONFIG_INTERPRETED) == 1;
  if (isInterpreted || __fathom_config(FATHOM_CONFIG_REPLAY) == 1)
    return takesStandardInput(isInterpreted) ? runDescriptor(0) : runSymbolic();
  int files = 0;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1]) continue; /* libFuzzer's own options */
    long fd = __fathom_syscall(kOpen, (long)argv[i], 0, 0, 0, 0, 0);
    if (fd < 0) return 1;
    files++;
    runDescriptor(fd);
    __fathom_syscall(kClose, fd, 0, 0, 0, 0, 0);
  }
  return files ? 0 : runDescriptor(0);
}
