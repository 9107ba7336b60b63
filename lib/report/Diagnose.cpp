// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Diagnose.h"

#include "explore/Results.h"
#include "native/Process.h"
#include "report/BugFile.h"
#include "report/Files.h"
#include "support/WriteFile.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

using campaign::CrashFrame;
using explore::BugKind;

static const CrashFrame *placeOf(const std::vector<CrashFrame> &stack) {
  auto own = std::find_if(stack.begin(), stack.end(), [](const CrashFrame &f) { return f.own; });
  return own == stack.end() ? nullptr : &*own;
}

bool explains(const campaign::Diagnosis &diagnosis, const campaign::Crash &crash) {
  BugKind kind{};
  if (!explore::bugKindFromName(diagnosis.kind, kind)) return false;
  switch (kind) {
  case BugKind::OutOfBoundsWrite:
  case BugKind::UseAfterFree:
  case BugKind::DoubleFree:
  case BugKind::InvalidFree: return true;
  default: break;
  }
  const CrashFrame *here = placeOf(diagnosis.stack), *there = placeOf(crash.stack);
  return here && there && !crash.isHeapBroken && here->function == there->function &&
         here->file == there->file && here->line == there->line;
}

static std::vector<CrashFrame> framesOf(const std::vector<explore::StackFrame> &from) {
  std::vector<CrashFrame> frames;
  frames.reserve(from.size());
  for (const explore::StackFrame &frame : from)
    frames.push_back({frame.function, frame.file, frame.line, frame.column, frame.own});
  return frames;
}

static native::Command commandOf(const DiagnoseOptions &options, const std::string &input,
                                 const std::string &results) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options.time).count();
  native::Command c;
  c.program = options.fathom;
  c.arguments = {"fathom",
                 "explore",
                 options.program,
                 "--output",
                 results,
                 "--force",
                 "--quiet",
                 "--stop-at-first-bug",
                 "--check-leaks=0",
                 "--check-overflow=0",
                 "--check-uninit=0",
                 fmt::format("--max-time={}s", seconds),
                 fmt::format("--max-memory={}", options.memoryBytes)};
  std::vector<std::string> arguments = options.arguments;
  bool usesFile = false;
  for (std::string &argument : arguments)
    if (size_t at = argument.find("@@"); at != std::string::npos) {
      argument.replace(at, 2, input);
      usesFile = true;
    }
  c.arguments.insert(c.arguments.end(), {"--concrete-stdin", usesFile ? "/dev/null" : input, "--"});
  c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
  c.inheritEnvironment = true;
  c.directory = options.scratch;
  c.limits.wall = options.time + std::chrono::seconds(10);
  return c;
}

std::optional<campaign::Diagnosis> diagnose(const campaign::Crash &crash,
                                            const DiagnoseOptions &options,
                                            const std::atomic<bool> *stop) {
  const std::string input = options.scratch + "/input", results = options.scratch + "/results";
  if (llvm::sys::fs::create_directories(options.scratch) || writeFile(input, crash.input))
    return {};
  if (!native::run(commandOf(options, input, results), stop).ok()) return {};
  llvm::Expected<Finding> finding = readFinding(results + "/bugs/000001");
  if (!finding) {
    llvm::consumeError(finding.takeError()); // it found none
    return {};
  }
  campaign::Diagnosis diagnosis{explore::name(finding->kind), finding->message,
                                framesOf(finding->stack), framesOf(finding->related)};
  if (!explains(diagnosis, crash)) return {};
  return diagnosis;
}

} // namespace fathom::report
