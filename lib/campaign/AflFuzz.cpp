// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/AflFuzz.h"

#include "support/Folder.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fmt/format.h>

#include <csignal>
#include <tuple>
#include <utility>

namespace fathom::campaign {

using namespace std::chrono;

std::string instanceName(unsigned index) { return index == 0 ? "main" : std::to_string(index); }

AflFuzz::AflFuzz(std::string program, AflOptions options)
    : program_(std::move(program)), options_(std::move(options)) {}

std::string AflFuzz::logFile(const Instance &instance) const {
  return fmt::format("{}/{}.log", options_.output, instance.name);
}

/// Does this instance have inputs of an earlier session to continue with?
static bool hasQueue(const std::string &folder) {
  std::error_code ignored;
  for (const char *name : {"queue", "_resume"})
    for (auto &entry : entriesOf(folder + "/" + name, ignored))
      if (entry.path().filename().string().starts_with("id:")) return true;
  return false;
}

/// The libraries that afl-fuzz loads. The one that records the stage comes last, so that it is
/// called for the input as it will be executed.
static std::string mutatorLibraries(const AflOptions &options) {
  std::string all;
  for (const std::string &library : options.mutators) all += library + ";";
  if (!options.unitsFile.empty()) all += options.stages;
  return llvm::StringRef(all).rtrim(';').str();
}

native::Command AflFuzz::command(const Instance &instance) const {
  const bool isMain = &instance == instances_.data();
  native::Command c;
  c.program = program_;
  const std::string folder = options_.output + "/" + instance.name;
  c.arguments = {"afl-fuzz", "-i", hasQueue(folder) ? "-" : options_.seeds, "-o", options_.output,
                 // A main instance does not trim; only further instances make up for that.
                 isMain && options_.jobs > 1 ? "-M" : "-S", instance.name, "-m",
                 options_.boundsHeap
                     ? "none"
                     : std::to_string(std::max<uint64_t>(1, options_.testMemoryBytes >> 20)),
                 // "+": a seed that takes longer is left out.
                 "-t", fmt::format("{}+", options_.testTime.count())};
  const auto index = static_cast<size_t>(&instance - instances_.data());
  // With equal seeds all instances would try the same.
  if (options_.seed)
    c.arguments.insert(c.arguments.end(), {"-s", std::to_string(*options_.seed + index)});
  // One instance pays for the comparison log; the others take over what it finds.
  if (isMain && !options_.comparisons.empty())
    c.arguments.insert(c.arguments.end(), {"-c", options_.comparisons});
  if (!options_.dictionary.empty())
    c.arguments.insert(c.arguments.end(), {"-x", options_.dictionary});
  c.arguments.insert(c.arguments.end(), {"--", options_.program});
  c.arguments.insert(c.arguments.end(), options_.arguments.begin(), options_.arguments.end());

  const char *path = getenv("PATH");
  c.environment = {fmt::format("PATH={}", path ? path : "/usr/bin:/bin"), "LC_ALL=C",
                   // afl-fuzz must not ask questions, and must accept the machine's settings as
                   // they are.
                   "AFL_NO_UI=1", "AFL_SKIP_CPUFREQ=1", "AFL_NO_AFFINITY=1",
                   "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1", "AFL_FORKSRV_INIT_TMOUT=60000",
                   fmt::format("AFL_MAP_SIZE={}", (options_.counters + 63) / 64 * 64)};
  c.environment.push_back(fmt::format("FATHOM_ITERATIONS={}", options_.iterations));
  if (options_.boundsHeap)
    c.environment.push_back(fmt::format("FATHOM_MOST_HEAP={}", options_.testMemoryBytes));
  if (!options_.unitsFile.empty()) {
    c.environment.push_back("FATHOM_UNITS=" + options_.unitsFile);
    c.environment.push_back(fmt::format("FATHOM_INSTANCE={}", index));
  }
  // The others take over from this one what it keeps.
  if (isMain && !options_.inbox.empty()) c.environment.push_back("FATHOM_INBOX=" + options_.inbox);
  if (!options_.statesFile.empty()) c.environment.push_back("FATHOM_STATES=" + options_.statesFile);
  if (const std::string libraries = mutatorLibraries(options_); !libraries.empty())
    c.environment.push_back("AFL_CUSTOM_MUTATOR_LIBRARY=" + libraries);
  if (options_.onlyMutators) c.environment.push_back("AFL_CUSTOM_MUTATOR_ONLY=1");
  // Instances exchange inputs every minute. The default is twenty minutes, and a short campaign is
  // over by then.
  if (options_.jobs > 1) c.environment.push_back("AFL_SYNC_TIME=1");
  // The comparisons of an earlier session's inputs have been tried.
  if (hasQueue(folder)) c.environment.push_back("AFL_CMPLOG_ONLY_NEW=1");
  c.directory = options_.output + "/work/" + instance.name;
  c.stdoutFile = c.stderrFile = logFile(instance);
  c.limits.fileBytes = uint64_t(1) << 30;
  return c;
}

llvm::Error AflFuzz::startOne(Instance &instance) {
  llvm::Expected<native::Child> child = native::Child::start(command(instance));
  if (!child) return child.takeError();
  instance.child.emplace(std::move(*child));
  instance.started = steady_clock::now();
  return llvm::Error::success();
}

llvm::Error AflFuzz::start() {
  for (unsigned i = 0; i < options_.jobs; ++i) instances_.push_back({instanceName(i), {}, {}, 0});
  for (Instance &instance : instances_) {
    const std::string work = options_.output + "/work/" + instance.name;
    if (std::error_code e = llvm::sys::fs::create_directories(work))
      return llvm::createStringError(e, fmt::format("cannot create {}: {}", work, e.message()));
    if (llvm::Error e = startOne(instance)) return e;
  }
  return llvm::Error::success();
}

/// The log without colours and line drawing.
static std::string plainText(const std::string &log) {
  std::string plain;
  for (size_t i = 0; i < log.size(); ++i) {
    if (log[i] == '\x1b') {
      while (i < log.size() && !isalpha(static_cast<unsigned char>(log[i]))) ++i;
    } else if (log[i] == '\n' || (log[i] >= ' ' && log[i] <= '~')) {
      plain += log[i];
    }
  }
  return plain;
}

std::string aflReason(const std::string &log) {
  const std::string plain = plainText(log);
  for (llvm::StringRef mark : {"PROGRAM ABORT : ", "SYSTEM ERROR : "}) {
    size_t at = plain.rfind(mark);
    if (at != std::string::npos)
      return llvm::StringRef(plain).substr(at + mark.size()).split('\n').first.trim().str();
  }
  return "";
}

std::string AflFuzz::reasonOf(const Instance &instance) const {
  auto log = llvm::MemoryBuffer::getFile(logFile(instance));
  return log ? aflReason((*log)->getBuffer().str()) : "";
}

std::vector<std::string> aflCrashingSeeds(const std::string &log) {
  std::vector<std::string> names;
  const std::string plain = plainText(log);
  llvm::StringRef rest(plain);
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    auto [before, name] = line.split("Test case '");
    auto [seed, outcome] = name.rsplit('\'');
    if (outcome.starts_with(" results in a crash")) names.push_back(seed.str());
  }
  return names;
}

std::vector<std::string> AflFuzz::crashingSeeds() const {
  const Instance &first = instances_.front();
  auto log = llvm::MemoryBuffer::getFile(logFile(first));
  if (!log) return {};
  std::vector<std::string> files;
  for (const std::string &name : aflCrashingSeeds((*log)->getBuffer().str())) {
    std::string file = fmt::format("{}/{}/queue/{}", options_.output, first.name, name);
    if (llvm::sys::fs::exists(file)) files.push_back(std::move(file));
  }
  return files;
}

llvm::Error AflFuzz::poll() {
  for (Instance &instance : instances_) {
    if (!instance.child || !instance.child->waitFor(milliseconds(0))) continue;
    native::Outcome outcome = instance.child->wait();
    instance.child.reset();
    const std::string reason = reasonOf(instance);
    llvm::StringRef words(reason);
    // These errors would come again: there is no point in another start.
    if (words.contains("valid input seed that does not crash") ||
        words.contains("test cases time out or crash")) {
      hasNoSeed_ = true;
      return llvm::Error::success();
    }
    const bool wasQuick = steady_clock::now() - instance.started < seconds(5);
    instance.quickEnds = wasQuick ? instance.quickEnds + 1 : 0;
    if (instance.quickEnds >= 3)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          fmt::format("afl-fuzz: {} (its full output is in {})",
                      reason.empty() ? native::describe(outcome) : reason, logFile(instance)));
    ++restarts_;
    if (llvm::Error e = startOne(instance)) return e;
  }
  return llvm::Error::success();
}

void AflFuzz::halt(bool isHalted) {
  if (std::exchange(isHalted_, isHalted) == isHalted) return;
  for (Instance &instance : instances_)
    if (instance.child) ::kill(instance.child->pid(), isHalted ? SIGSTOP : SIGCONT);
}

void AflFuzz::stop(milliseconds patience) {
  halt(false);
  for (Instance &instance : instances_)
    if (instance.child) ::kill(instance.child->pid(), SIGINT);
  const auto deadline = steady_clock::now() + patience;
  for (Instance &instance : instances_) {
    if (!instance.child) continue;
    auto left = duration_cast<milliseconds>(deadline - steady_clock::now());
    if (!instance.child->waitFor(std::max(left, milliseconds(0)))) instance.child->kill();
    instance.child->wait();
    instance.child.reset();
  }
}

} // namespace fathom::campaign
