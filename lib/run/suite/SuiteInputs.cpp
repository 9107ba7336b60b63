// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/suite/SuiteInputs.h"

#include "campaign/Import.h"
#include "report/Files.h"
#include "report/SeedFiles.h"
#include "report/Tests.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <unordered_set>

namespace fathom::run {

namespace {

/// AFL++ takes no larger ones.
constexpr uint64_t kMostInputBytes = 1 << 20;

class InputCollector {
public:
  explicit InputCollector(const std::string &folder) : folder_(folder) {}

  void add(const std::string &from, std::string bytes) {
    if (bytes.size() > kMostInputBytes || !seen_.insert(bytes).second) return;
    llvm::StringRef shown = from;
    if (shown.consume_front(folder_)) shown = shown.ltrim('/');
    out_.push_back({shown.str(), std::move(bytes)});
  }

  void addCorpus(const std::string &corpus) {
    size_t skipped = 0;
    auto seeds = report::readSeeds(corpus, skipped);
    if (!seeds) return llvm::consumeError(seeds.takeError());
    for (const explore::Seed &seed : *seeds)
      if (seed.raw) add(corpus, {seed.data.begin(), seed.data.end()});
  }

  /// AFL++'s output, or a folder of files.
  void addKept(const std::string &folder) {
    if (!llvm::sys::fs::is_directory(folder)) return;
    auto kept = campaign::keptInputs(folder);
    if (!kept) return llvm::consumeError(kept.takeError());
    for (const campaign::KeptInput &input : *kept) {
      if (input.kind == campaign::KeptInput::Kind::Hang) continue;
      llvm::Expected<std::string> bytes = report::readFile(input.file, kMostInputBytes);
      if (bytes)
        add(input.file, std::move(*bytes));
      else
        llvm::consumeError(bytes.takeError());
    }
  }

  void addTests(const std::string &folder) {
    if (!llvm::sys::fs::is_directory(folder)) return;
    auto tests = report::Tests::open(folder, report::Tests::Which::TestsAndBugs);
    if (!tests) return llvm::consumeError(tests.takeError());
    report::TestReader reader(*tests);
    for (const report::Tests::Item &item : tests->items()) {
      llvm::Expected<report::StoredTest> test = reader.readWhole(item);
      if (!test) {
        llvm::consumeError(test.takeError());
        continue;
      }
      const explore::TestCase whole = report::testCaseOf(*test);
      if (const std::vector<uint8_t> *bytes = report::rawInput(whole))
        add(folder + "/" + item.dir, {bytes->begin(), bytes->end()});
    }
  }

  std::vector<FoundInput> take() { return std::move(out_); }

private:
  const std::string &folder_;
  std::unordered_set<std::string> seen_;
  std::vector<FoundInput> out_;
};

} // namespace

std::vector<FoundInput> inputsOfRun(const std::string &folder, const std::string &corpus,
                                    const std::string &afl) {
  InputCollector collector(folder);
  if (!corpus.empty()) collector.addCorpus(corpus);
  collector.addKept(folder + "/fuzz/corpus"); // of results of other commands
  collector.addKept(folder + "/inbox");
  collector.addKept(afl);
  collector.addTests(folder + "/explore");
  collector.addTests(folder + "/fuzz");
  return collector.take();
}

bool readRawInput(const std::string &folder, bool isBug, std::string &bytes) {
  llvm::Expected<report::StoredTest> test = report::readWholeTest(folder, isBug);
  if (!test) {
    llvm::consumeError(test.takeError());
    return false;
  }
  const explore::TestCase whole = report::testCaseOf(*test);
  const std::vector<uint8_t> *raw = report::rawInput(whole);
  if (raw) bytes.assign(raw->begin(), raw->end());
  return raw != nullptr;
}

} // namespace fathom::run
