// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Outside.h"

#include "explore/decide/Engine.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace fathom::confirm {

using namespace explore;

namespace {

struct Question {
  const char *function; ///< of musl
  const char *asksFor;
};
constexpr Question kQuestions[] = {
    {"time", "the time"},
    {"clock", "the time"},
    {"times", "the time"},
    {"__clock_gettime", "the time"},
    {"clock_gettime", "the time"},
    {"gettimeofday", "the time"},
    {"timespec_get", "the time"},
    {"getrusage", "the time that was used"},
    {"getrandom", "random numbers"},
    {"getentropy", "random numbers"},
    {"getenv", "the environment"},
    {"secure_getenv", "the environment"},
    {"getpid", "its process"},
    {"getppid", "its process"},
    {"getuid", "the user"},
    {"geteuid", "the user"},
    {"getgid", "the user"},
    {"getegid", "the user"},
    {"getcwd", "the working directory"},
    {"gethostname", "the machine"},
    {"uname", "the machine"},
    {"sysinfo", "the machine"},
    {"isatty", "the terminal"},
    {"ttyname_r", "the terminal"},
    {"fopen", "the files"},
    {"freopen", "the files"},
    {"open", "the files"},
    {"openat", "the files"},
    {"stat", "the files"},
    {"lstat", "the files"},
    {"fstat", "the files"},
    {"fstatat", "the files"},
    {"access", "the files"},
    {"faccessat", "the files"},
    {"readlink", "the files"},
    {"opendir", "the files"},
    {"readdir", "the files"},
    {"mkdir", "the files"},
    {"rmdir", "the files"},
    {"rename", "the files"},
    {"unlink", "the files"},
};

const char *askedBy(const std::string &function) {
  for (const Question &question : kQuestions)
    if (function == question.function) return question.asksFor;
  return nullptr;
}

} // namespace

std::vector<PointSite> OutsideNotes::points(const program::Program &program) const {
  std::vector<PointSite> out;
  for (const program::FunctionCode &f : program.functions)
    if (!f.own && !f.code.empty() && askedBy(f.name)) out.push_back({f.id, 0});
  return out;
}

Policy::Answer OutsideNotes::at(Engine &engine, State &s) {
  const program::Program &program = engine.services.program;
  const program::FunctionCode &asked = program.functions[s.top->function];
  engine.services.ledger.add(
      kOutsideCategory, engine.places.where(s),
      fmt::format("a path depends on what {} says of {}, and the search knows one answer only",
                  llvm::StringRef(asked.name).ltrim('_').str(), askedBy(asked.name)));
  return Answer::GoOn;
}

} // namespace fathom::confirm
