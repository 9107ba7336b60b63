// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/CampaignFolder.h"

#include "evidence/BugKind.h"
#include "evidence/Input.h"
#include "native/Process.h"
#include "report/BugFile.h"
#include "report/ResultsFolder.h"
#include "report/RunFile.h"
#include "report/TestFolder.h"
#include "support/InputPlace.h"

#include <fmt/format.h>

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace fathom::report {

using evidence::BugKind;
using evidence::InputId;
using llvm::json::OStream;

// ---- a crash as a bug
// ---------------------------------------------------------------------------------------

/// What the program's library said before it aborted, "fathom: KIND: MESSAGE": both.
static std::optional<std::pair<BugKind, std::string>> saidBefore(const campaign::Crash &crash) {
  llvm::StringRef rest(crash.standardError);
  while (true) {
    auto [before, after] = rest.split("fathom: ");
    if (after.empty()) return std::nullopt;
    auto [kind, message] = after.split('\n').first.split(": ");
    if (BugKind found; evidence::bugKindFromName(std::string_view(kind), found))
      return std::pair(found, message.trim().str());
    rest = after;
  }
}

static BugKind kindOf(const campaign::Crash &crash) {
  if (crash.hangs) return BugKind::Hang;
  if (crash.diagnosis) return crash.diagnosis->kind;
  // This is the usual cause; which write broke the heap is unknown (messageOf).
  if (crash.isHeapBroken) return BugKind::OutOfBoundsWrite;
  switch (crash.signal) {
  case SIGFPE: return BugKind::DivisionByZero;
  case SIGILL:
  case SIGTRAP: return BugKind::Unreachable;
  case SIGABRT:
    if (llvm::StringRef(crash.standardError).contains("Assertion failed"))
      return BugKind::Assertion;
    if (auto said = saidBefore(crash)) return said->first;
    return BugKind::Abort;
  default: break;
  }
  if (crash.isStackOverflow) return BugKind::StackOverflow;
  if (crash.isNullAccess()) return BugKind::NullDereference;
  return crash.isWrite ? BugKind::OutOfBoundsWrite : BugKind::OutOfBoundsRead;
}

static std::string messageOf(const campaign::Crash &crash, BugKind kind) {
  if (crash.diagnosis && !crash.check.empty()) return crash.diagnosis->message;
  if (kind == BugKind::Hang) return "no end in five times the time of a test";
  if (auto said = saidBefore(crash); said && said->first == kind && kind != BugKind::Deadlock)
    return said->second;
  std::string message = fmt::format("signal {}", native::signalName(crash.signal));
  if (crash.diagnosis)
    return fmt::format("{} ({}{})", crash.diagnosis->message, message,
                       crash.isHeapBroken ? " in the allocator" : "");
  if (crash.isHeapBroken)
    return fmt::format("the heap is broken, noticed in {} ({}): before, something was written "
                       "outside of its block or to a freed one, or freed that must not be",
                       crash.stack.front().function, message);
  if (kind == BugKind::Assertion) {
    llvm::StringRef text(crash.standardError);
    return text.substr(text.find("Assertion failed")).split('\n').first.trim().str();
  }
  if (crash.isNoAddress)
    message += ": access through a pointer that is no address";
  else if (crash.isFault())
    message +=
        fmt::format(": {} of address {:#x}", crash.isWrite ? "write" : "read", crash.address);
  return message;
}

static evidence::Input input(evidence::InputId id, const std::string &data) {
  return {std::move(id), std::vector<uint8_t>(data.begin(), data.end())};
}

explore::Bug bugOf(const campaign::Crash &crash, const CampaignFolderOptions &options) {
  explore::Bug bug;
  bug.kind = kindOf(crash);
  bug.message = messageOf(crash, bug.kind);
  bug.stack = crash.diagnosis ? crash.diagnosis->stack : crash.stack;
  if (crash.diagnosis) bug.related = crash.diagnosis->related;
  explore::TestCase &test = bug.test;
  test.end = explore::EndKind::Bug;
  test.why = fmt::format("{} found by fuzzing: {}", crash.hangs ? "hang" : "crash", crash.found);
  if (options.isHarness) {
    // As runtime/harness/fuzzer_main.c asks for them on replay.
    const auto size = static_cast<uint32_t>(crash.input.size());
    std::vector<uint8_t> length(4);
    for (unsigned i = 0; i < 4; ++i) length[i] = static_cast<uint8_t>(size >> (8 * i));
    test.symbols.push_back({"fuzz_size", length});
    if (size) test.symbols.push_back({"fuzz_data", {crash.input.begin(), crash.input.end()}});
  }
  test.inputs.push_back(input(InputId::argument(0), options.program));
  std::vector<std::string> arguments = options.arguments;
  const bool usesFile = putInputName(arguments, "input");
  for (size_t i = 0; i < arguments.size(); ++i)
    test.inputs.push_back(input(InputId::argument(i + 1), arguments[i]));
  test.inputs.push_back(usesFile ? input(InputId::file("input"), crash.input)
                                 : input(InputId::standardInput(), crash.input));
  return bug;
}

/// Kind and the innermost five calls of own code: crashes that agree in it are one bug. As
/// campaign::Crash::key.
static std::string stackKey(BugKind kind, const std::vector<evidence::StackFrame> &stack) {
  std::string key = evidence::name(kind);
  unsigned calls = 0;
  for (const evidence::StackFrame &frame : stack)
    if (frame.own && calls++ < 5)
      key += kind == BugKind::Hang ? fmt::format("\n{}\n{}", frame.function, frame.file)
                                   : fmt::format("\n{}\n{}\n{}\n{}", frame.function, frame.file,
                                                 frame.line, frame.column);
  return key;
}

// ---- the folder
// ---------------------------------------------------------------------------------------------

static const char *const kCampaignFiles[] = {"campaign.db",    "campaign.db-wal", "campaign.db-shm",
                                             "units.map",      "units.map.new",   "states.map",
                                             "dictionary.txt", "convergence.csv"};

/// AFL++'s instances, what they said, and where they ran.
static bool isOurs(llvm::StringRef name) {
  return name == "main" || name == "work" || name == "seeds" || name.ends_with(".log") ||
         name.find_first_not_of("0123456789") == llvm::StringRef::npos;
}

/// What campaigns have left there, and nothing else.
static llvm::Error removeCampaign(const Directory &root) {
  for (const char *name : kCampaignFiles)
    if (auto e = root.remove(name)) return e;
  llvm::Expected<Directory> afl = root.open("afl");
  if (!afl) {
    llvm::consumeError(afl.takeError()); // none
    return llvm::Error::success();
  }
  for (const std::string &entry : afl->entries())
    if (isOurs(entry))
      if (auto e = afl->remove(entry)) return e;
  unlinkat(root.fd(), "afl", AT_REMOVEDIR); // fails, as it should, where something is left
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<CampaignFolder>>
CampaignFolder::create(CampaignFolderOptions options) {
  std::unique_ptr<CampaignFolder> folder(new CampaignFolder(std::move(options)));
  const CampaignFolderOptions &o = folder->options_;
  const bool hasCampaign = access((o.path + "/campaign.db").c_str(), F_OK) == 0;
  if (o.resume && !hasCampaign)
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("--resume: {} holds no campaign; start one without --resume", o.path));
  llvm::Expected<Directory> root = Directory::openOrCreate(o.path);
  if (!root) return root.takeError();
  if (auto e = lockFolder(*root)) return std::move(e);
  folder->times_.started = utcNow();
  if (o.resume) {
    if (auto was = readJsonObject(o.path + "/run.json")) {
      if (auto e = checkSchema(*was, o.path + "/run.json")) return std::move(e);
      folder->times_ = resumedTimes(*was);
    } else {
      llvm::consumeError(was.takeError()); // killed before it was written
      folder->times_.resumed = {utcNow()};
    }
  } else {
    if (auto e = checkFolder(o.path, o.force)) return std::move(e);
    if (auto e = removeCampaign(*root)) return std::move(e);
    if (auto e = removeResults(*root)) return std::move(e);
  }
  folder->root_ = std::move(*root);
  if (auto e = folder->writeRun(nullptr, "")) return std::move(e);
  llvm::Expected<Directory> bugs = folder->root_.openOrCreateIn("bugs");
  if (!bugs) return bugs.takeError();
  folder->bugsDir_ = std::move(*bugs);
  llvm::Expected<std::vector<Finding>> findings = readFindings(folder->bugsDir_);
  if (!findings) return findings.takeError();
  folder->findings_ = std::move(*findings);
  for (const Finding &finding : folder->findings_)
    folder->seen_.insert(stackKey(finding.kind, finding.stack));
  return folder;
}

llvm::Error CampaignFolder::storeCrash(const campaign::Crash &crash) {
  const explore::Bug bug = bugOf(crash, options_);
  if (!seen_.insert(stackKey(bug.kind, bug.stack)).second) return llvm::Error::success();
  const std::string name = fmt::format("{:06}", findings_.size() + 1);
  Finding finding{bug.kind, bug.message, bug.stack, bug.related, "bugs/" + name};
  finding.identity = identityAfter(findings_, finding, code_);
  if (auto e = bugsDir_.createWhole(name, [&](const Directory &dir) {
        return writeBug(
            dir, bug, inputsOf(bug.test, {}, {}),
            {.native = options_.nativeProgram,
             .explored = options_.program,
             .entry = {},
             .foundBy = {options_.fuzzed, options_.sanitizers, crash.hangs ? 0 : crash.signal,
                         crash.check, options_.testMemoryBytes}},
            finding.identity);
      }))
    return e;
  findings_.push_back(std::move(finding));
  return llvm::Error::success();
}

llvm::Error CampaignFolder::writeRun(const campaign::CampaignStatus *status,
                                     const std::string &howEnded) {
  auto write = [&](OStream &json) {
    writeRunHead(json, "fuzz", options_.commandLine, {options_.program});
    json.attribute("native_program", utf8(options_.nativeProgram));
    json.attributeArray("arguments", [&] {
      for (const std::string &a : options_.arguments) json.value(utf8(a));
    });
    json.attribute("sanitize", options_.sanitizers);
    json.attribute("test_memory_bytes", static_cast<int64_t>(options_.testMemoryBytes));
    json.attribute("unit", options_.unit);
    if (options_.seed) json.attribute("seed", static_cast<int64_t>(*options_.seed));
    if (!options_.import.empty()) json.attribute("import", utf8(options_.import));
    writeRunTimes(json, times_, status ? &howEnded : nullptr);
    if (!status) return;
    json.attributeObject("totals", [&] {
      json.attribute("executions", static_cast<int64_t>(status->executions));
      json.attribute("units", static_cast<int64_t>(status->coverage.units));
      json.attribute("bugs", static_cast<int64_t>(findings_.size()));
      json.attribute("wall_seconds", status->seconds);
    });
  };
  return root_.replace("run.json",
                       jsonText([&](OStream &json) { json.object([&] { write(json); }); }));
}

llvm::Error CampaignFolder::finish(const campaign::CampaignStatus &status,
                                   const std::string &howEnded) {
  markDismissed(findings_, options_.dismissals);
  if (auto e = root_.replace("results.sarif", sarifText(findings_))) return e;
  return writeRun(&status, howEnded);
}

void CampaignFolder::discard() {
  llvm::consumeError(removeCampaign(root_));
  llvm::consumeError(removeResults(root_));
  rmdir(options_.path.c_str());
}

} // namespace fathom::report
