// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Diagnose.h"

#include "evidence/BugKind.h"
#include "explore/Results.h"
#include "native/Process.h"
#include "report/BugFile.h"
#include "report/Files.h"
#include "support/InputPlace.h"
#include "support/WriteFile.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::report {

using evidence::BugKind;
using evidence::StackFrame;

static const StackFrame *placeOf(const std::vector<StackFrame> &stack) {
  auto own = std::find_if(stack.begin(), stack.end(), [](const StackFrame &f) { return f.own; });
  return own == stack.end() ? nullptr : &*own;
}

namespace {

/// How well an error explains a signal, best first.
enum class Explains {
  Directly, ///< it is at the place of the signal
  Heap,     ///< it breaks the heap, which the allocator notices
  Memory,   ///< it breaks other memory, which may show anywhere
  Pointer,  ///< it reads what is no longer there, such as a pointer
  Not
};

/// What the engine says of an access: "write of 4 bytes at offset 16 of a 16-byte heap object".
/// Another process found the error, and its results folder has the access in the message only.
struct Access {
  explicit Access(llvm::StringRef message)
      : isWrite(message.starts_with("write ")), isHeap(message.contains(" heap object")) {}
  bool isWrite, isHeap;
};

} // namespace

static Explains howItExplains(const campaign::Diagnosis &diagnosis, const campaign::Crash &crash) {
  const StackFrame *here = placeOf(diagnosis.stack), *there = placeOf(crash.stack);
  if (here && there && !crash.isHeapBroken && here->function == there->function &&
      here->file == there->file && here->line == there->line)
    return Explains::Directly;
  const Access access(diagnosis.message);
  switch (diagnosis.kind) {
  case BugKind::DoubleFree:
  case BugKind::InvalidFree: return Explains::Heap;
  case BugKind::OutOfBoundsWrite:
  case BugKind::UseAfterFree:
    if (access.isWrite) return access.isHeap ? Explains::Heap : Explains::Memory;
    // After a read of a freed block, the program may free, or write through, a pointer that is in
    // it now.
    return diagnosis.kind == BugKind::UseAfterFree && access.isHeap ? Explains::Pointer
                                                                    : Explains::Not;
  default: return Explains::Not;
  }
}

std::vector<campaign::Diagnosis> chooseDiagnoses(const std::vector<campaign::Diagnosis> &all,
                                                 const campaign::Crash &crash) {
  Explains best = Explains::Not;
  std::vector<campaign::Diagnosis> chosen;
  for (const campaign::Diagnosis &diagnosis : all) {
    const Explains how = howItExplains(diagnosis, crash);
    if (how == Explains::Not || how > best) continue;
    if (how < best) chosen.clear();
    // If there are several errors at one place, the first one counts. Which of several writes broke
    // the memory is unknown.
    if (how < best || how == Explains::Heap || how == Explains::Memory) chosen.push_back(diagnosis);
    best = how;
  }
  return chosen;
}

static native::Command commandOf(const DiagnoseOptions &options, const std::string &input,
                                 const std::string &results) {
  native::Command c;
  c.program = options.fathom;
  c.arguments = {"fathom",
                 "explore",
                 options.program,
                 "--output",
                 results,
                 "--force",
                 "--quiet",
                 "--continue-after-memory-error",
                 "--check-leaks=0",
                 "--check-overflow=0",
                 "--check-uninit=0",
                 fmt::format("--max-time={}ms", options.time.count()),
                 fmt::format("--max-memory={}", options.memoryBytes)};
  std::vector<std::string> arguments = options.arguments;
  const bool usesFile = putInputName(arguments, input);
  c.arguments.insert(c.arguments.end(), {"--concrete-stdin", usesFile ? "/dev/null" : input, "--"});
  c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
  c.inheritEnvironment = true;
  c.directory = options.scratch;
  c.limits.wall = options.time + std::chrono::seconds(10);
  return c;
}

std::vector<campaign::Diagnosis> diagnose(const campaign::Crash &crash,
                                          const DiagnoseOptions &options,
                                          const std::atomic<bool> *stop) {
  const std::string input = options.scratch + "/input", results = options.scratch + "/results";
  if (llvm::sys::fs::create_directories(options.scratch) || writeFile(input, crash.input))
    return {};
  if (!native::run(commandOf(options, input, results), stop).ok()) return {};
  std::vector<campaign::Diagnosis> all;
  for (unsigned number = 1;; ++number) {
    llvm::Expected<Finding> finding = readFinding(fmt::format("{}/bugs/{:06}", results, number));
    if (!finding) {
      llvm::consumeError(finding.takeError()); // it found no more
      break;
    }
    all.push_back({finding->kind, finding->message, finding->stack, finding->related});
  }
  return chooseDiagnoses(all, crash);
}

} // namespace fathom::report
