// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bug's input as one C file. For a fuzz target the file has a main that calls it; for a program,
// one that runs it in a directory of its own, and looks at how it ends.
#include "report/RegressionTest.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

namespace {

/// `static const unsigned char NAME[] = {...};`. C has no arrays of no bytes: one that is not used.
std::string arrayText(const std::string &name, const std::string &bytes) {
  constexpr size_t kInLine = 16;
  std::string out = fmt::format("static const unsigned char {}[] = {{", name);
  for (size_t i = 0; i < bytes.size(); ++i)
    out += fmt::format("{}{:#04x},", i % kInLine ? " " : "\n  ", static_cast<uint8_t>(bytes[i]));
  return out + (bytes.empty() ? "0};\n" : "\n};\n");
}

/// Any bytes but NUL. Octal escapes end after three digits.
std::string literal(const std::string &text) {
  std::string out = "\"";
  for (const char c : text)
    out += llvm::isPrint(c) && c != '"' && c != '\\' && c != '?'
               ? std::string(1, c)
               : fmt::format("\\{:03o}", static_cast<uint8_t>(c));
  return out + "\"";
}

std::string commentText(std::string text) {
  for (size_t at = 0; (at = text.find("*/", at)) != std::string::npos;) text.insert(at + 1, " ");
  return text;
}

constexpr const char *kCallFuzzed = R"(#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

)";

constexpr const char *kFuzzedMain = R"(
int main(int argc, char **argv) {
  alarm(SECONDS);
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  /* Of exactly this size, so that a sanitizer sees an access behind it. */
  uint8_t *data = malloc(SIZE);
  if (SIZE) memcpy(data, input, SIZE);
  LLVMFuzzerTestOneInput(data, SIZE);
  free(data);
  return 0;
}
)";

constexpr const char *kRunProgram = R"(#define _XOPEN_SOURCE 700
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct file {
  const char *name;
  const unsigned char *bytes;
  size_t size;
};

)";

/// SANITIZED, SECONDS and WANTED (-1: any status) are defined before it.
constexpr const char *kProgramMain = R"(
static char work[] = "/tmp/fathom-XXXXXX";
static pid_t child;
static volatile sig_atomic_t isLate;

static int removeOne(const char *path, const struct stat *status, int flag, struct FTW *place) {
  (void)status, (void)flag, (void)place;
  return remove(path);
}
static void removeWork(void) { nftw(work, removeOne, 8, FTW_DEPTH | FTW_PHYS); }

static void failed(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(2);
}

static void put(FILE *to, const char *name, const unsigned char *bytes, size_t size) {
  if (!to || fwrite(bytes, 1, size, to) != size || fflush(to)) failed(name);
}

static void endChild(int signal) {
  (void)signal;
  isLate = 1;
  kill(child, SIGKILL);
}

/* NAME=what it was, then ours; the last one of two counts. */
static char *option(const char *name, const char *options) {
  const char *was = getenv(name);
  size_t size = strlen(name) + strlen(options) + (was ? strlen(was) : 0) + 3;
  char *out = malloc(size);
  if (!out) failed("malloc");
  snprintf(out, size, "%s=%s%s%s", name, was ? was : "", was && *was && *options ? ":" : "", options);
  return out;
}

static void run(const char *program) {
  FILE *in = tmpfile();
  put(in, "standard input", standardInput, standardInputSize);
  rewind(in);
  size_t at = 0;
  char *all[sizeof environment / sizeof *environment + 6];
  if (getenv("LD_LIBRARY_PATH")) all[at++] = option("LD_LIBRARY_PATH", "");
  all[at++] = option("ASAN_OPTIONS", SANITIZED LEAKS);
  all[at++] = option("UBSAN_OPTIONS", SANITIZED ":halt_on_error=1:print_stacktrace=1");
  all[at++] = option("MSAN_OPTIONS", SANITIZED);
  all[at++] = option("TSAN_OPTIONS", SANITIZED);
  for (char **one = environment; *one; one++) all[at++] = *one;
  all[at] = NULL;
  if (dup2(fileno(in), 0) < 0) failed("standard input");
  execve(program, arguments, all);
  fprintf(stderr, "%s: %s\n", program, strerror(errno));
  _exit(127);
}

int main(int argc, char **argv) {
#ifdef FATHOM_PROGRAM
  const char *named = argc > 1 ? argv[1] : FATHOM_PROGRAM;
#else
  const char *named = argc > 1 ? argv[1] : NULL;
#endif
  if (!named) {
    fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
    return 2;
  }
  char *program = realpath(named, NULL);
  if (!program) failed(named);
  if (!mkdtemp(work)) failed(work);
  atexit(removeWork);
  if (chdir(work)) failed(work);
  for (const struct file *one = files; one->name; one++) {
    FILE *to = fopen(one->name, "wb");
    put(to, one->name, one->bytes, one->size);
    fclose(to);
  }
  arguments[0] = program;
  struct sigaction late = {0};
  late.sa_handler = endChild;
  sigaction(SIGALRM, &late, NULL);
  child = fork();
  if (child < 0) failed("fork");
  if (child == 0) run(program);
  alarm(SECONDS);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) failed("waitpid");
  const int ended = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (isLate)
    fprintf(stderr, "fails: no end within %d s\n", SECONDS);
  else if (WIFSIGNALED(status))
    fprintf(stderr, "fails: ended by signal %d\n", WTERMSIG(status));
  else if (WANTED >= 0 && ended == WANTED)
    return 0;
  else if (ended == 127)
    return 2;
  else if (ended == SANITIZER_STATUS)
    fprintf(stderr, "fails: a sanitizer reports an error\n");
  else if (WANTED >= 0)
    fprintf(stderr, "fails: exit status %d, and not %d\n", ended, WANTED);
  else
    return 0;
  return 1;
}
)";

std::string headText(const RegressionCase &test) {
  std::string out = fmt::format("/* {}\n *\n", commentText(test.what));
  const std::string flags =
      test.sanitizers.empty()
          ? ""
          : fmt::format(" -fsanitize={} -fno-sanitize-recover=all", test.sanitizers);
  if (test.fuzzed)
    out += fmt::format(
        " * A regression test of a fuzz target: ends with status 0 once the bug is repaired.\n"
        " *\n"
        " *     cc{} {}.c TARGET.c -o test && ./test\n",
        flags, test.name);
  else
    out += fmt::format(
        " * A regression test of a program: ends with status 0 once the bug is repaired, with 1 "
        "while it is there.\n"
        " *\n"
        " *     cc {0}.c -o test && ./test PROGRAM\n"
        " *\n"
        " * -DFATHOM_PROGRAM='\"PROGRAM\"' names it at compile time.\n",
        test.name);
  if (!test.ktest.empty())
    out += " * PROGRAM is linked by fathom-cc: it takes its symbolic objects from test.ktest.\n";
  if (!test.sanitizers.empty())
    out += fmt::format(" * {} with -fsanitize={} shows the bug for certain; another one may not.\n",
                       test.fuzzed ? "A build" : "A PROGRAM", test.sanitizers);
  return out + " */\n";
}

std::string fuzzedSource(const RegressionCase &test) {
  std::string out = headText(test) + kCallFuzzed;
  out += fmt::format("enum {{ SECONDS = {}, SIZE = {} }};\n", test.hangs ? kHangSeconds : 60,
                     test.fuzzed->size());
  return out + arrayText("input", *test.fuzzed) + kFuzzedMain;
}

std::string listText(const std::string &name, const std::vector<std::string> &values,
                     const char *first) {
  std::string out = fmt::format("static char *{}[] = {{{}", name, first);
  for (const std::string &value : values) out += literal(value) + ", ";
  return out + "NULL};\n";
}

std::string programSource(const RegressionCase &test) {
  std::string out = headText(test) + kRunProgram, table;
  std::vector<std::pair<std::string, std::string>> files = test.inputs.files;
  std::vector<std::string> environment = test.inputs.environment, arguments = test.inputs.arguments;
  if (!test.ktest.empty()) {
    files.emplace_back("test.ktest", test.ktest);
    environment.push_back("FATHOM_REPLAY_KTEST=test.ktest");
  }
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string name = fmt::format("file{}", i);
    out += arrayText(name, files[i].second);
    table +=
        fmt::format("  {{{}, {}, {}}},\n", literal(files[i].first), name, files[i].second.size());
  }
  out += "static const struct file files[] = {\n" + table + "  {NULL, NULL, 0},\n};\n";
  out += arrayText("standardInput", test.inputs.standardInput);
  if (!arguments.empty()) arguments.erase(arguments.begin()); // the program's name
  out += listText("arguments", arguments, "NULL /* the program */, ");
  out += listText("environment", environment, "");
  out += fmt::format("static const size_t standardInputSize = {};\n",
                     test.inputs.standardInput.size());
  out +=
      fmt::format("enum {{ SECONDS = {}, SANITIZER_STATUS = {}, WANTED = {} }};\n",
                  test.hangs ? kHangSeconds : 60, sanitizerStatus(test), test.status.value_or(-1));
  out += fmt::format("#define SANITIZED \"exitcode={}:abort_on_error=0\"\n", sanitizerStatus(test));
  out += fmt::format("#define LEAKS \":detect_leaks={:d}\"\n", test.leaks);
  return out + kProgramMain;
}

} // namespace

std::string regressionSource(const RegressionCase &test) {
  return test.fuzzed ? fuzzedSource(test) : programSource(test);
}

} // namespace fathom::report
