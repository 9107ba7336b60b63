// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Crash.h"

#include "../runtime/native/crash.h"

#include "evidence/BugKind.h"
#include "support/InputPlace.h"
#include "support/NumberText.h"
#include "support/ReadableName.h"
#include "support/WorkClock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <unistd.h>

namespace fathom::campaign {

using evidence::BugKind;
using evidence::StackFrame;

static std::string keyOf(std::string key, const std::vector<StackFrame> &stack, bool hangs) {
  unsigned calls = 0;
  for (const StackFrame &frame : stack)
    if (frame.own && calls++ < 5)
      key += hangs ? fmt::format("\n{}\n{}", frame.function, frame.file)
                   : fmt::format("\n{}\n{}\n{}\n{}", frame.function, frame.file, frame.line,
                                 frame.column);
  return key;
}

std::string Crash::key() const {
  return diagnosis ? keyOf(evidence::name(diagnosis->kind), diagnosis->stack, /*hangs=*/false)
                   : symptom();
}

/// What kindOf in report/CampaignFolder.cpp tells kinds apart by.
std::string Crash::symptom() const {
  if (hangs) return keyOf("hang", stack, hangs);
  if (diagnosis && !check.empty())
    return keyOf(check + " " + evidence::name(diagnosis->kind), stack, hangs);
  std::string seen = native::signalName(signal);
  if (isStackOverflow)
    seen += " stack";
  else if (isFault())
    seen += isNullAccess() ? " null" : isWrite ? " write" : " read";
  return keyOf(std::move(seen), stack, hangs);
}

bool Crash::isFault() const { return signal == SIGSEGV || signal == SIGBUS; }

bool Crash::isNullAccess() const {
  constexpr uint64_t kFirstPage = 4096;
  return signal == SIGSEGV && !isNoAddress && address < kFirstPage;
}

struct Symbolizer::Impl {
  std::string program;
  std::set<std::string> ownFunctions;
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

static llvm::symbolize::LLVMSymbolizer::Options asLinked() {
  llvm::symbolize::LLVMSymbolizer::Options options;
  options.Demangle = false;
  return options;
}

Symbolizer::Symbolizer(std::string program, std::set<std::string> ownFunctions)
    : impl_(new Impl{std::move(program), std::move(ownFunctions),
                     llvm::symbolize::LLVMSymbolizer(asLinked())}) {}
Symbolizer::Symbolizer(Symbolizer &&) noexcept = default;
Symbolizer::~Symbolizer() = default;

void Symbolizer::append(uint64_t address, std::vector<StackFrame> &frames) {
  auto found = impl_->symbolizer.symbolizeInlinedCode(
      impl_->program, {address, llvm::object::SectionedAddress::UndefSection});
  if (!found) return llvm::consumeError(found.takeError());
  for (uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &info = found->getFrame(i);
    const bool named = info.FileName != llvm::DILineInfo::BadString;
    StackFrame frame;
    if (info.FunctionName != llvm::DILineInfo::BadString) frame.function = info.FunctionName;
    if (named) frame.file = info.FileName;
    frame.line = info.Line;
    frame.column = info.Column;
    // Without a line the file is the symbol table's: of assembly, of libc's allocator, of our
    // runtime, or of a program without debug information.
    frame.own = info.Line ? named && !llvm::StringRef(frame.file).starts_with("/fathom-")
                          : impl_->ownFunctions.count(frame.function) != 0;
    frame.function = readableName(frame.function);
    if (!frame.function.empty()) frames.push_back(std::move(frame));
  }
}

static std::string firstBytes(const std::string &file, size_t most) {
  auto data = llvm::MemoryBuffer::getFile(file, false, /*RequiresNullTerminator=*/false);
  return data ? (*data)->getBuffer().take_front(most).str() : "";
}

/// musl's allocator is the only part of libc that is linked as it is, without line numbers.
static bool isAllocator(const StackFrame &frame) {
  static const char *const kFiles[] = {
      "free.c",   "malloc.c", "realloc.c",     "aligned_alloc.c",
      "donate.c", "calloc.c", "libc_calloc.c", "malloc_usable_size.c"};
  return !frame.own && !frame.line && llvm::is_contained(kFiles, frame.file);
}

// ---- a check that failed

namespace {

/// As sanitizers call it.
const char *nameOf(uint64_t check) {
  static const char *const kNames[] = {"",
#define FATHOM_CHECK_NAME(name, text) text,
                                       FATHOM_CHECKS(FATHOM_CHECK_NAME)};
  return check < std::size(kNames) ? kNames[check] : "";
}

BugKind checkedKind(const fathom_crash &report) {
  // Of an array's index the report has no address.
  const bool isWrite = report.check == FATHOM_CHECK_IndexWrite ||
                       (report.check != FATHOM_CHECK_IndexRead && report.isWrite);
  const auto known = evidence::kindOfCheck(nameOf(report.check), isWrite);
  return known ? *known : isWrite ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead;
}

/// "write of 4 bytes at offset 16 of a 16-byte heap object", as the engine says it.
std::string accessText(const fathom_crash &report) {
  std::string text;
  if (report.bytes)
    text = fmt::format("{} of {}", report.isWrite ? "write" : "read",
                       plainCount(report.bytes, "byte"));
  else
    text = "free";
  if (report.hasBlock)
    return fmt::format("{} at offset {} of a {}-byte heap object", text, report.offset,
                       report.blockBytes);
  return fmt::format("{} at address {:#x}", text, report.address);
}

void addSites(const uint64_t (&calls)[FATHOM_CRASH_SITES], const char *what, Symbolizer &symbolizer,
              std::vector<StackFrame> &out) {
  std::vector<StackFrame> frames;
  for (uint64_t call : calls)
    if (call) symbolizer.append(call - 1, frames);
  llvm::erase_if(frames, [](const StackFrame &frame) { return !frame.own; });
  for (StackFrame &frame : frames) {
    frame.function = std::exchange(what, "called from") + (" " + frame.function);
    out.push_back(std::move(frame));
  }
}

/// Fills in check and diagnosis; the stack is known.
void readCheck(const fathom_crash &report, Crash &crash, Symbolizer &symbolizer) {
  const bool isArithmetic = report.check >= FATHOM_CHECK_SignedOverflow;
  crash.check = nameOf(report.check);
  Diagnosis diagnosis;
  diagnosis.kind = checkedKind(report);
  diagnosis.message =
      isArithmetic ? fmt::format("UndefinedBehaviorSanitizer: {}", crash.check)
                   : fmt::format("AddressSanitizer: {}: {}", crash.check, accessText(report));
  diagnosis.stack = crash.stack;
  addSites(report.allocated, "allocated in", symbolizer, diagnosis.related);
  addSites(report.freed, "freed in", symbolizer, diagnosis.related);
  crash.diagnosis = std::move(diagnosis);
}

} // namespace

static void readStack(const std::string &file, Crash &crash, Symbolizer &symbolizer) {
  const std::string bytes = firstBytes(file, sizeof(fathom_crash));
  fathom_crash report;
  if (bytes.size() != sizeof report) return;
  memcpy(&report, bytes.data(), sizeof report);
  if (report.magic != FATHOM_CRASH_MAGIC || report.count > FATHOM_CRASH_CALLS) return;
  crash.address = report.address;
  crash.isWrite = report.isWrite != 0;
  constexpr uint64_t kFromKernel = 0x80; // SI_KERNEL
  crash.isNoAddress = report.signal == SIGSEGV && report.code == kFromKernel;
  // An access just below the stack pointer, or a little above it, that faults.
  const int64_t distance = static_cast<int64_t>(report.address - report.stackPointer);
  crash.isStackOverflow =
      report.signal == SIGSEGV && report.code > 0 && distance > -65536 && distance < 4096;
  for (uint64_t i = 0; i < report.count; ++i)
    // A return address is after its call.
    symbolizer.append(report.calls[i] - (i ? 1 : 0), crash.stack);
  if (report.check) return readCheck(report, crash, symbolizer);
  const bool isFault = report.signal == SIGILL || report.signal == SIGTRAP ||
                       report.signal == SIGSEGV || report.signal == SIGBUS;
  crash.isHeapBroken =
      isFault && !crash.isStackOverflow && !crash.stack.empty() && isAllocator(crash.stack.front());
}

namespace {

/// Files of one run, in its folder.
struct RunFiles {
  explicit RunFiles(const CrashRun &run)
      : report(run.scratch + "/crash"), errors(run.scratch + "/stderr") {}
  std::string report, errors;
};

} // namespace

llvm::Expected<native::Command> commandOf(const std::string &inputFile, const CrashRun &run) {
  const RunFiles files(run);
  if (std::error_code e = llvm::sys::fs::create_directories(run.scratch))
    return llvm::createStringError(e,
                                   fmt::format("cannot create {}: {}", run.scratch, e.message()));
  (void)llvm::sys::fs::remove(files.report);
  native::Command c;
  c.program = run.program;
  std::vector<std::string> arguments = run.arguments;
  const bool usesFile = putInputName(arguments, inputFile);
  c.arguments = {run.program};
  c.arguments.insert(c.arguments.end(), arguments.begin(), arguments.end());
  c.environment = {"FATHOM_CRASH_FILE=" + files.report};
  if (!usesFile) c.stdinFile = inputFile;
  c.stderrFile = files.errors;
  c.directory = run.scratch;
  if (run.boundsHeap)
    c.environment.push_back(fmt::format("FATHOM_MOST_HEAP={}", run.testMemoryBytes));
  else
    c.limits.memoryBytes = run.testMemoryBytes;
  c.limits.fileBytes = uint64_t(256) << 20;
  c.isSubject = true;
  return c;
}

/// Of a test alone, on a machine that is busy with the campaign.
static constexpr int kPatience = 5;

llvm::Expected<Crash> examineCrash(const std::string &inputFile, const CrashRun &run,
                                   Symbolizer &symbolizer, const std::atomic<bool> *stop) {
  Crash crash;
  crash.input = firstBytes(inputFile, uint64_t(1) << 30);
  llvm::Expected<native::Command> command = commandOf(inputFile, run);
  if (!command) return command.takeError();
  command->limits.wall = run.testTime * kPatience;
  native::Outcome outcome = native::run(*command, stop);
  if (outcome.kind == native::Outcome::Kind::NotStarted)
    return llvm::createStringError(llvm::inconvertibleErrorCode(), outcome.error);
  if (outcome.kind != native::Outcome::Kind::Signalled) return crash;
  crash.signal = outcome.status;
  crash.standardError = firstBytes(RunFiles(run).errors, 65536);
  readStack(RunFiles(run).report, crash, symbolizer);
  return crash;
}

/// The calls that are active after so long; false when it has ended by then.
static llvm::Expected<bool> sampleStack(const std::string &inputFile, const CrashRun &run,
                                        std::chrono::milliseconds after, Symbolizer &symbolizer,
                                        const std::atomic<bool> *stop,
                                        std::vector<StackFrame> &stack) {
  llvm::Expected<native::Command> command = commandOf(inputFile, run);
  if (!command) return command.takeError();
  llvm::Expected<native::Child> child = native::Child::start(*command);
  if (!child) return child.takeError();
  const auto began = std::chrono::steady_clock::now();
  while (!child->waitFor(std::chrono::milliseconds(50))) {
    if (stop && *stop) return false; // and the child is killed
    const auto passed = std::chrono::steady_clock::now() - began;
    if (passed < after || passed - WorkClock::delayOfTree(child->pid()) < after) continue;
    // Leaves a report as for any signal, and dies of it.
    ::kill(child->pid(), SIGABRT);
    if (!child->waitFor(std::chrono::milliseconds(2000))) child->kill();
    child->wait();
    Crash sample;
    readStack(RunFiles(run).report, sample, symbolizer);
    stack = std::move(sample.stack);
    return true;
  }
  child->wait();
  return false;
}

/// Keeps of `stack` the outer calls that `other` has as well.
static void keepCommon(std::vector<StackFrame> &stack, const std::vector<StackFrame> &other) {
  size_t common = 0;
  while (common < stack.size() && common < other.size()) {
    const StackFrame &a = stack[stack.size() - 1 - common], &b = other[other.size() - 1 - common];
    if (a.function != b.function || a.file != b.file) break;
    ++common;
    if (a.line != b.line || a.column != b.column) break; // from here on they differ
  }
  stack.erase(stack.begin(), stack.end() - static_cast<ptrdiff_t>(common));
}

llvm::Expected<Crash> examineHang(const std::string &inputFile, const CrashRun &run,
                                  Symbolizer &symbolizer, const std::atomic<bool> *stop) {
  Crash hang;
  hang.input = firstBytes(inputFile, uint64_t(1) << 30);
  // Looked at after times that have nothing to do with each other.
  const std::chrono::milliseconds looks[] = {run.testTime * kPatience, run.testTime * 113 / 100,
                                             run.testTime * 157 / 100};
  for (std::chrono::milliseconds after : looks) {
    std::vector<StackFrame> stack;
    llvm::Expected<bool> hangs = sampleStack(inputFile, run, after, symbolizer, stop, stack);
    if (!hangs) return hangs.takeError();
    if (!*hangs) {
      hang.hangs = false;
      return hang;
    }
    if (hang.hangs)
      keepCommon(hang.stack, stack);
    else
      hang.stack = std::move(stack);
    hang.hangs = true;
  }
  return hang;
}

} // namespace fathom::campaign
