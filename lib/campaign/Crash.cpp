// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Crash.h"

#include "../runtime/native/crash.h"
#include "native/Process.h"

#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

namespace fathom::campaign {

std::string Crash::key() const {
  std::string key = native::signalName(signal);
  unsigned calls = 0;
  for (const CrashFrame &frame : stack)
    if (frame.own && calls++ < 5)
      key += fmt::format("\n{}\n{}\n{}\n{}", frame.function, frame.file, frame.line, frame.column);
  return key;
}

struct Symbolizer::Impl {
  std::string program;
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

Symbolizer::Symbolizer(std::string program)
    : impl_(new Impl{std::move(program), llvm::symbolize::LLVMSymbolizer()}) {}
Symbolizer::Symbolizer(Symbolizer &&) noexcept = default;
Symbolizer::~Symbolizer() = default;

void Symbolizer::append(uint64_t address, std::vector<CrashFrame> &frames) {
  auto found = impl_->symbolizer.symbolizeInlinedCode(
      impl_->program, {address, llvm::object::SectionedAddress::UndefSection});
  if (!found) return llvm::consumeError(found.takeError());
  for (uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &info = found->getFrame(i);
    const bool named = info.FileName != llvm::DILineInfo::BadString;
    CrashFrame frame;
    if (info.FunctionName != llvm::DILineInfo::BadString) frame.function = info.FunctionName;
    if (named) frame.file = info.FileName;
    frame.line = info.Line;
    frame.column = info.Column;
    // Without a source file: assembly, or our runtime.
    frame.own = named && !llvm::StringRef(frame.file).starts_with("/fathom-");
    if (!frame.function.empty()) frames.push_back(std::move(frame));
  }
}

static std::string firstBytes(const std::string &file, size_t most) {
  auto data = llvm::MemoryBuffer::getFile(file, false, /*RequiresNullTerminator=*/false);
  return data ? (*data)->getBuffer().take_front(most).str() : "";
}

static void readStack(const std::string &file, Crash &crash, Symbolizer &symbolizer) {
  const std::string bytes = firstBytes(file, sizeof(fathom_crash));
  fathom_crash report;
  if (bytes.size() != sizeof report) return;
  memcpy(&report, bytes.data(), sizeof report);
  if (report.magic != FATHOM_CRASH_MAGIC || report.count > FATHOM_CRASH_CALLS) return;
  crash.address = report.address;
  crash.isWrite = report.isWrite != 0;
  // An access just below the stack pointer, or a little above it, that faults.
  const int64_t distance = static_cast<int64_t>(report.address - report.stackPointer);
  crash.isStackOverflow =
      report.signal == SIGSEGV && report.code > 0 && distance > -65536 && distance < 4096;
  for (uint64_t i = 0; i < report.count; ++i)
    // A return address is behind its call.
    symbolizer.append(report.calls[i] - (i ? 1 : 0), crash.stack);
}

llvm::Expected<Crash> examineCrash(const std::string &inputFile, const CrashRun &run,
                                   Symbolizer &symbolizer) {
  Crash crash;
  crash.input = firstBytes(inputFile, uint64_t(1) << 30);
  const std::string report = run.scratch + "/crash", errors = run.scratch + "/stderr";
  if (std::error_code e = llvm::sys::fs::create_directories(run.scratch))
    return llvm::createStringError(e,
                                   fmt::format("cannot create {}: {}", run.scratch, e.message()));
  llvm::sys::fs::remove(report);
  native::Command c;
  c.program = run.program;
  c.arguments = {run.program};
  bool usesFile = false;
  for (const std::string &argument : run.arguments) {
    std::string replaced = argument;
    if (size_t at = replaced.find("@@"); at != std::string::npos) {
      replaced.replace(at, 2, inputFile);
      usesFile = true;
    }
    c.arguments.push_back(replaced);
  }
  c.environment = {"FATHOM_CRASH_FILE=" + report};
  if (!usesFile) c.stdinFile = inputFile;
  c.stderrFile = errors;
  c.directory = run.scratch;
  c.limits.wall = run.testTime * 5; // alone, on a machine that is busy with the campaign
  c.limits.memoryBytes = run.testMemoryBytes;
  c.limits.fileBytes = uint64_t(256) << 20;
  native::Outcome outcome = native::run(c);
  if (outcome.kind == native::Outcome::Kind::NotStarted)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), outcome.error);
  if (outcome.kind != native::Outcome::Kind::Signalled) return crash;
  crash.signal = outcome.status;
  crash.standardError = firstBytes(errors, 65536);
  readStack(report, crash, symbolizer);
  return crash;
}

} // namespace fathom::campaign
