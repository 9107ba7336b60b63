// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/suite/Suite.h"

#include "campaign/Crash.h"
#include "campaign/InputCoverage.h"
#include "campaign/Minimize.h"
#include "evidence/BugKind.h"
#include "native/Confine.h"
#include "report/BugIndex.h"
#include "report/CampaignFolder.h"
#include "report/RegressionTest.h"
#include "run/Failure.h"
#include "run/Installation.h"
#include "run/suite/Cover.h"
#include "run/suite/SuiteInputs.h"
#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <thread>

namespace fathom::run {

namespace {

/// Of one execution, on a busy machine, too.
constexpr std::chrono::milliseconds kSuiteTestTime{5000};
constexpr const char *kUnfinished = ".suite";

/// Runs inputs on a variant. On the thread that is confined.
class SuiteRunner {
public:
  SuiteRunner(const campaign::FuzzVariant &variant, const std::vector<std::string> &arguments,
              std::string scratch)
      : variant_(variant), file_(scratch + "/input"),
        symbolizer_(variant.executable, campaign::functionsOf(variant.layout)) {
    run_.program = variant.executable;
    run_.arguments = arguments;
    run_.scratch = scratch + "/work";
    run_.testTime = kSuiteTestTime / 5; // of which examineCrash waits for five
    run_.boundsHeap = variant.sanitizers.address;
  }

  /// How it ended, and the branch sides that it covers.
  struct Run {
    native::Outcome outcome;
    std::vector<uint32_t> sides;
  };
  llvm::Expected<Run> run(const std::string &bytes) {
    if (llvm::Error e = put(bytes)) return std::move(e);
    llvm::Expected<native::Command> command = campaign::commandOf(file_, run_);
    if (!command) return command.takeError();
    command->limits.wall = kSuiteTestTime;
    auto counted = campaign::countedRun(variant_, *command, run_.scratch + "/map");
    if (!counted) return counted.takeError();
    Run out{std::move(counted->outcome), campaign::elementsOf(variant_.layout, counted->map)};
    std::erase_if(out.sides, [&](uint32_t element) { return element >= variant_.layout.sides; });
    return out;
  }

  /// report::placeKey of the bug that it shows; "": none.
  llvm::Expected<std::string> bugKey(const std::string &bytes) {
    if (llvm::Error e = put(bytes)) return std::move(e);
    llvm::Expected<campaign::Crash> crash = campaign::examineCrash(file_, run_, symbolizer_);
    if (!crash) return crash.takeError();
    if (!crash->signal) return "";
    const explore::Bug bug = report::bugOf(*crash, {});
    report::Finding finding;
    finding.kind = bug.kind;
    finding.stack = bug.stack;
    return report::placeKey(finding);
  }

private:
  llvm::Error put(const std::string &bytes) {
    if (std::error_code e = writeFile(file_, bytes))
      return report::ioError("cannot write", file_, e.value());
    return llvm::Error::success();
  }

  const campaign::FuzzVariant &variant_;
  std::string file_;
  campaign::Symbolizer symbolizer_;
  campaign::CrashRun run_;
};

class SuiteMaker {
public:
  SuiteMaker(const SuiteRequest &request, const report::Directory &root, Session &session)
      : request_(request), root_(root), session_(session),
        runWasStopped_(session.interruption.stop) {}

  llvm::Expected<Suite> make() {
    if (llvm::Error e = root_.remove(kUnfinished)) return std::move(e); // of a run that was killed
    inputs_ = inputsOfRun(request_.folder, request_.corpus, request_.afl);
    out_.candidates = inputs_.size();
    llvm::SmallString<128> scratch;
    if (std::error_code e = llvm::sys::fs::createUniqueDirectory("fathom-suite", scratch))
      return report::ioError("cannot create", "a scratch folder", e.value());
    scratch_ = scratch.str().str();
    llvm::Error failed = confined();
    llvm::sys::fs::remove_directories(scratch_);
    session_.observer.endProgress();
    if (failed) return std::move(failed);
    return std::move(out_);
  }

private:
  /// Executes: on a thread that may write in its scratch folder and in the suite alone.
  llvm::Error confined() {
    if (llvm::Error e = buildChecked()) return e;
    llvm::Expected<report::Directory> suite = root_.create(kUnfinished);
    if (!suite) return suite.takeError();
    llvm::Error inside = llvm::Error::success();
    std::thread([&] {
      llvm::ErrorAsOutParameter checked(&inside);
      native::confineThread(
          {.writable = {scratch_, suite->path(), "/tmp", "/var/tmp", "/dev/shm"}});
      inside = fill(*suite);
    }).join();
    if (inside) return llvm::joinErrors(std::move(inside), root_.remove(kUnfinished));
    // Only now is the one before it no longer needed.
    if (llvm::Error e = root_.remove("suite")) return e;
    return root_.rename(kUnfinished, "suite");
  }

  /// The variant with all checks, which shows most kinds of bugs by their names.
  llvm::Error buildChecked() {
    if (request_.bugs.empty()) return llvm::Error::success();
    session_.observer.progress("building the program with checks");
    program::LoadOptions load;
    load.fathomCc = Installation::get().fathomCc;
    const campaign::Sanitizers all{true, true};
    llvm::Expected<native::VariantTools> tools = variantTools(all.runtimeObject());
    if (!tools) return tools.takeError();
    auto variant = asUsage(campaign::fuzzVariant({request_.program}, load, *tools, all));
    if (!variant) return variant.takeError();
    checked_ = std::move(*variant);
    return llvm::Error::success();
  }

  llvm::Error fill(const report::Directory &suite) {
    if (llvm::Error e = fillInputs(suite)) return e;
    if (llvm::Error e = fillBugs(suite)) return e;
    return suite.write("suite.json", suiteJson(out_));
  }

  /// A signal that ended the run is no wish to have no suite of it; one more ends the process.
  bool wasCancelled() const { return session_.interruption.stop && !runWasStopped_; }

  llvm::Error stopped() const {
    return wasCancelled() ? usageError("interrupted before the suite was there")
                          : llvm::Error::success();
  }

  llvm::Error fillInputs(const report::Directory &suite) {
    SuiteRunner runner(*request_.variant, request_.arguments, scratch_);
    std::vector<CoverCandidate> candidates(inputs_.size());
    std::vector<std::string> ends(inputs_.size());
    std::vector<bool> all(request_.variant->layout.sides);
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (llvm::Error e = stopped()) return e;
      session_.observer.progress(
          fmt::format("suite: running input {} of {}", i + 1, inputs_.size()));
      auto run = runner.run(inputs_[i].bytes);
      if (!run) return run.takeError();
      candidates[i].bytes = inputs_[i].bytes.size();
      if (run->outcome.kind == native::Outcome::Kind::TimedOut) {
        out_.hung++; // how far it came depends on the machine
        continue;
      }
      ends[i] = native::describe(run->outcome);
      candidates[i].crashes = run->outcome.kind != native::Outcome::Kind::Exited;
      candidates[i].elements = std::move(run->sides);
      for (const uint32_t side : candidates[i].elements) all[side] = true;
    }
    out_.sides = static_cast<uint64_t>(std::ranges::count(all, true));
    llvm::Expected<report::Directory> folder = suite.create("inputs");
    if (!folder) return folder.takeError();
    std::vector<bool> again(all.size());
    for (const size_t i : greedyCover(candidates)) {
      const std::string name = fmt::format("{:06}", out_.inputs.size() + 1);
      if (llvm::Error e = folder->write(name, inputs_[i].bytes)) return e;
      out_.inputs.push_back(
          {"suite/inputs/" + name, inputs_[i].from, ends[i], inputs_[i].bytes.size()});
      auto bytes = report::readFile(folder->path() + "/" + name);
      if (!bytes) return bytes.takeError();
      auto run = runner.run(*bytes);
      if (!run) return run.takeError();
      for (const uint32_t side : run->sides) again[side] = true;
    }
    out_.sidesAgain = static_cast<uint64_t>(std::ranges::count(again, true));
    return llvm::Error::success();
  }

  llvm::Error fillBugs(const report::Directory &suite) {
    if (request_.bugs.empty()) return llvm::Error::success();
    llvm::Expected<report::Directory> folder = suite.create("bugs");
    if (!folder) return folder.takeError();
    std::optional<SuiteRunner> runners[2];
    runners[0].emplace(checked_, request_.arguments, scratch_);
    runners[1].emplace(*request_.variant, request_.arguments, scratch_);
    for (size_t i = 0; i < request_.bugs.size(); ++i) {
      if (llvm::Error e = stopped()) return e;
      session_.observer.progress(
          fmt::format("suite: smallest input of bug {} of {}", i + 1, request_.bugs.size()));
      std::vector<FoundInput> inputs = inputsOf(request_.bugs[i]);
      if (inputs.empty()) {
        out_.withoutInput++;
        continue;
      }
      SuiteBug bug;
      bug.finding = request_.bugs[i].finding;
      std::string smallest = inputs.front().bytes;
      bug.from = inputs.front().from;
      bug.before = smallest.size();
      for (std::optional<SuiteRunner> &runner : runners)
        if (!bug.isShown)
          if (llvm::Error e = minimise(inputs, *runner, bug, smallest)) return e;
      std::string name = report::regressionName(bug.finding);
      while (folder->exists(name)) name += "-2";
      bug.file = "suite/bugs/" + name;
      bug.bytes = smallest.size();
      if (llvm::Error e = folder->write(name, smallest)) return e;
      out_.bugs.push_back(std::move(bug));
    }
    return llvm::Error::success();
  }

  /// The smallest first.
  std::vector<FoundInput> inputsOf(const SuiteRequest::Bug &bug) const {
    std::vector<FoundInput> out;
    for (const std::string &dir : bug.dirs)
      if (FoundInput input{dir, ""};
          readRawInput(request_.folder + "/" + dir, /*isBug=*/true, input.bytes))
        out.push_back(std::move(input));
    std::ranges::sort(
        out, {}, [](const FoundInput &input) { return std::pair(input.bytes.size(), input.from); });
    return out;
  }

  llvm::Error minimise(const std::vector<FoundInput> &inputs, SuiteRunner &runner, SuiteBug &bug,
                       std::string &smallest) {
    if (evidence::doesNotEnd(bug.finding.kind)) return llvm::Error::success();
    const std::string key = report::placeKey(bug.finding);
    for (const FoundInput &input : inputs) {
      bug.executions++;
      llvm::Expected<std::string> shown = runner.bugKey(input.bytes);
      if (!shown) return shown.takeError();
      if (*shown != key) continue;
      bug.isShown = true;
      bug.from = input.from;
      bug.before = input.bytes.size();
      llvm::Error failed = llvm::Error::success();
      smallest = campaign::minimizeInput(
          input.bytes,
          [&](const std::string &candidate) {
            if (failed || wasCancelled()) return false;
            bug.executions++;
            llvm::Expected<std::string> same = runner.bugKey(candidate);
            if (!same) {
              failed = same.takeError();
              return false;
            }
            return *same == key;
          },
          kMinimizeRuns);
      return failed;
    }
    return llvm::Error::success();
  }

  const SuiteRequest &request_;
  const report::Directory &root_;
  Session &session_;
  const bool runWasStopped_;
  std::string scratch_;
  campaign::FuzzVariant checked_;
  std::vector<FoundInput> inputs_;
  Suite out_;
};

} // namespace

llvm::Expected<Suite> makeSuite(const SuiteRequest &request, const report::Directory &root,
                                Session &session) {
  return SuiteMaker(request, root, session).make();
}

} // namespace fathom::run
