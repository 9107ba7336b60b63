/* Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Symbolic inputs asked for on the command line, in KLEE's notation and with KLEE's names of
 * objects:
 *
 *   --sym-arg LEN            one argument of at most LEN bytes                     arg00, arg01,
 * ...
 *   --sym-args MIN MAX LEN   MIN to MAX of them (one path per number)              n_args, argNN
 *   --sym-stdin LEN          standard input is a file of LEN bytes                 stdin
 *   --sym-files N LEN        N files A, B, ... of LEN bytes                        A-data, B-data,
 * ...
 *   --sym-env NAME LEN       an environment variable of LEN bytes, or none         has_NAME, NAME
 *   --fathom-end             everything after it is the program's
 *
 * They may stand anywhere among the ordinary arguments, with one dash or two. A symbolic argument
 * is LEN symbolic bytes and a NUL: a NUL among the bytes makes it shorter. Where the engine wants
 * it (FATHOM_CONFIG_SIZED_INPUT), LEN is only the most that arguments, standard input and files can
 * have: their length is symbolic.
 */
#include "args.h"
#include "filesystem.h"

enum { kMaxFiles = 26 };

struct request {
  struct fathom_arguments *out;
  int symbolicArgs; /* created so far */
  usize files, fileSize, inputSize;
  int hasInput;
};

/* Equal to one of "-name" and "--name"? Arguments at this point are concrete. */
static int isOption(const char *argument, const char *name) {
  if (argument[0] != '-') return 0;
  argument += argument[1] == '-' ? 2 : 1;
  while (*name && *argument == *name) {
    argument++;
    name++;
  }
  return *argument == *name;
}

static usize number(const char *text, const char *complaint) {
  usize value = 0;
  if (!text || !*text) __fathom_unsupported(complaint);
  for (; *text; text++) {
    if (*text < '0' || *text > '9' || value > (1u << 24)) __fathom_unsupported(complaint);
    value = value * 10 + (usize)(*text - '0');
  }
  return value;
}

static void addArgument(struct fathom_arguments *out, char *value) {
  if (out->count >= kMaxArguments - 1) __fathom_unsupported("too many command line arguments");
  out->values[out->count++] = value;
}

static void decimal(int value, char *out) {
  char digits[12];
  int n = 0;
  do digits[n++] = (char)('0' + value % 10);
  while (value /= 10);
  while (n) *out++ = digits[--n];
  *out = 0;
}

/* Every argument is an object of its own and of its exact size, so that reading past one is seen.
 */
static void addConcrete(struct fathom_arguments *out, const char *text) {
  char name[16];
  usize size = fathomLength(text) + 1;
  decimal(out->count, name);
  char *copy = __fathom_alloc(size, "argv");
  fathomCopy(copy, text, size);
  __fathom_input(FATHOM_INPUT_ARG, name, copy, size);
  addArgument(out, copy);
}

/* Has an input of at most so many bytes a symbolic length? */
static int isSized(usize most) {
  long limit = __fathom_config(FATHOM_CONFIG_SIZED_INPUT);
  return most && limit > 0 && most <= (usize)limit;
}

static void addSymbolic(struct request *request, usize length) {
  char name[16] = "arg", index[16];
  if (request->symbolicArgs < 10) { /* arg00, ..., arg99, arg100, ... */
    name[3] = '0';
    decimal(request->symbolicArgs, name + 4);
  } else {
    decimal(request->symbolicArgs, name + 3);
  }
  request->symbolicArgs++;
  decimal(request->out->count, index);
  char *text = __fathom_alloc(length + 1, name);
  usize size = length + 1;
  if (isSized(length)) {
    size = __fathom_sized_input(text, length, name, 1) + 1;
  } else {
    __fathom_make_symbolic(text, length + 1, name);
    text[length] = 0;
  }
  if (__fathom_config(FATHOM_CONFIG_READABLE) == 1)
    for (usize i = 0; i < length; i++) __fathom_prefer((text[i] >= ' ') & (text[i] <= '~'));
  __fathom_input(FATHOM_INPUT_ARG, index, text, size);
  if (isSized(length)) __fathom_set_size(text, size);
  addArgument(request->out, text);
}

static void addSymbolicRange(struct request *request, usize least, usize most, usize length) {
  usize count = most;
  if (least > most) __fathom_unsupported("--sym-args MIN MAX LEN: MIN is larger than MAX");
  if (least < most) {
    unsigned chosen;
    __fathom_make_symbolic(&chosen, sizeof chosen, "n_args");
    __fathom_assume((chosen >= least) & (chosen <= most));
    count = __fathom_fork_values(chosen, least, most);
  }
  for (usize i = 0; i < count; i++) addSymbolic(request, length);
}

/* NAME=value on one path; on the other the variable is not set. */
static void addVariable(struct request *request, const char *name, usize length) {
  char chosen[64] = "has_";
  usize size = fathomLength(name);
  for (usize i = 0; i < size && i < sizeof chosen - 5; i++) chosen[4 + i] = name[i];
  byte set;
  __fathom_make_symbolic(&set, 1, chosen);
  __fathom_assume(set <= 1);
  if (!__fathom_fork_values(set, 0, 1)) return;
  if (request->out->numVariables >= kMaxVariables)
    __fathom_unsupported("too many environment variables");
  byte *value = __fathom_alloc(length, name);
  if (length) __fathom_make_symbolic(value, length, name);
  char *text = __fathom_alloc(size + 1 + length + 1, name);
  fathomCopy(text, name, size);
  text[size] = '=';
  fathomCopy(text + size + 1, value, length);
  __fathom_input(FATHOM_INPUT_ENV, name, text, size + 1 + length + 1);
  request->out->variables[request->out->numVariables++] = text;
}

/* The option at argv[i], if it is one; returns how many words it takes. */
static int readOption(struct request *request, int argc, char **argv, int i) {
  char *word[3] = {0, 0, 0};
  for (int k = 0; k < 3 && i + 1 + k < argc; k++) word[k] = argv[i + 1 + k];
  if (isOption(argv[i], "sym-arg")) {
    addSymbolic(request, number(word[0], "--sym-arg LEN: LEN has to be a number"));
    return 2;
  }
  if (isOption(argv[i], "sym-args")) {
    const char *complaint = "--sym-args MIN MAX LEN: three numbers are wanted";
    addSymbolicRange(request, number(word[0], complaint), number(word[1], complaint),
                     number(word[2], complaint));
    return 4;
  }
  if (isOption(argv[i], "sym-stdin")) {
    request->inputSize = number(word[0], "--sym-stdin LEN: LEN has to be a number");
    request->hasInput = 1;
    return 2;
  }
  if (isOption(argv[i], "sym-env")) {
    if (!word[0] || !*word[0]) __fathom_unsupported("--sym-env NAME LEN: NAME is missing");
    request->out->symbolicVariables = 1;
    addVariable(request, word[0], number(word[1], "--sym-env NAME LEN: LEN has to be a number"));
    return 3;
  }
  if (isOption(argv[i], "sym-files")) {
    const char *complaint = "--sym-files COUNT SIZE: two numbers are wanted, COUNT at most 26";
    request->files = number(word[0], complaint);
    request->fileSize = number(word[1], complaint);
    if (request->files > kMaxFiles) __fathom_unsupported(complaint);
    return 3;
  }
  return 0;
}

/* Contents of at most *size bytes; *size becomes how many they are. */
static byte *symbolicData(usize *size, const char *object, int kind, const char *name) {
  byte *data = __fathom_alloc(*size, object);
  if (isSized(*size))
    *size = __fathom_sized_input(data, *size, object, 0);
  else if (*size)
    __fathom_make_symbolic(data, *size, object);
  __fathom_input(kind, name, data, *size);
  return data;
}

/* The host file that the user named as standard input, read whole; 0 when there is none. */
static byte *hostInput(usize *size) {
  char path[4096];
  struct fathom_host_stat info;
  if (__fathom_config_string(FATHOM_CONFIG_HOST_STDIN, path, sizeof path) < 0) return 0;
  if (__fathom_host_stat(path, 1, &info) < 0)
    __fathom_unsupported("the file named as standard input cannot be read");
  byte *data = __fathom_alloc(info.size, "stdin");
  for (*size = 0; *size < info.size;) {
    long n = __fathom_host_read(path, *size, data + *size, info.size - *size);
    if (n <= 0) __fathom_unsupported("the file named as standard input cannot be read");
    *size += (usize)n;
  }
  __fathom_input(FATHOM_INPUT_STDIN, "stdin", data, *size);
  return data;
}

static void makeFiles(const struct request *request) {
  byte *input = 0;
  usize inputSize = request->inputSize;
  for (usize i = 0; i < request->files; i++) {
    char name[] = "A", object[] = "A-data";
    name[0] = object[0] = (char)('A' + i);
    usize size = request->fileSize;
    byte *data = symbolicData(&size, object, FATHOM_INPUT_FILE, name);
    __fathom_addDataFile(name, data, size, request->fileSize);
  }
  const usize inputRoom = inputSize;
  if (request->hasInput)
    input = symbolicData(&inputSize, "stdin", FATHOM_INPUT_STDIN, "stdin");
  else
    input = hostInput(&inputSize);
  __fathom_openStandardFiles(input, inputSize, request->hasInput ? inputRoom : inputSize,
                             input != 0 || request->hasInput);
}

void __fathom_readArguments(int argc, char **argv, struct fathom_arguments *out) {
  struct request request = {out, 0, 0, 0, 0, 0};
  int ended = 0;
  out->count = 0;
  out->numVariables = out->symbolicVariables = 0;
  if (argc > 0) addConcrete(out, argv[0]);
  for (int i = 1; i < argc;) {
    int taken = 0;
    if (!ended && isOption(argv[i], "fathom-end"))
      ended = taken = 1;
    else if (!ended)
      taken = readOption(&request, argc, argv, i);
    if (!taken) {
      addConcrete(out, argv[i]);
      taken = 1;
    }
    i += taken;
  }
  out->values[out->count] = 0;
  makeFiles(&request);
}
