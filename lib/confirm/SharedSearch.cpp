// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/SharedSearch.h"

#include "confirm/LeakSearch.h"
#include "confirm/Notes.h"
#include "confirm/Shows.h"
#include "explore/Explore.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using namespace explore;
using std::chrono::milliseconds;

namespace {

/// Takes the inputs of all bugs.
class TakesInputs final : public ResultSink {
public:
  TakesInputs(const std::vector<std::string> &words, const std::atomic<bool> *interrupt,
              KnownInputs &out)
      : words_(words), interrupt_(interrupt), out_(out) {}

  bool onTest(const TestCase &) override { return true; }
  bool onBug(const Bug &bug) override {
    if (!out_.wants(bug)) return true;
    KnownInput input{.words = words_};
    input.bug.kind = bug.kind;
    input.bug.stack = bug.stack;
    input.bug.related = bug.related;
    input.seed.raw = false;
    input.seed.failedAllocations = bug.test.failedAllocations;
    for (const SymbolValue &symbol : bug.test.symbols)
      if (!isNote(symbol.name)) input.seed.objects.emplace_back(symbol.name, symbol.data);
    out_.add(std::move(input));
    return true;
  }
  void onProgress(const Stats &) override {
    if (interrupt_ && *interrupt_) stop = true;
  }
  void onEcho(int, const std::string &) override {}

  std::atomic<bool> stop{false};

private:
  const std::vector<std::string> &words_;
  const std::atomic<bool> *interrupt_;
  KnownInputs &out_;
};

std::vector<evidence::BugKind> kindsOf(std::span<const Defect> defects) {
  std::vector<evidence::BugKind> out;
  for (const Defect &defect : defects)
    out.insert(out.end(), defect.kinds.begin(), defect.kinds.end());
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

} // namespace

bool KnownInputs::wants(const Bug &bug) {
  // Leaks of a wrapper are told apart by who calls it.
  constexpr size_t kFrames = 4;
  std::string place;
  size_t frames = 0;
  for (const evidence::StackFrame &frame : bug.stack)
    if (frame.own && frames++ < kFrames) place += fmt::format("{}:{} ", frame.file, frame.line);
  return numbers_[{bug.kind, place}]++ < kMaxInputs;
}

std::vector<const KnownInput *> KnownInputs::of(const Defect &defect) const {
  std::vector<const KnownInput *> out;
  for (const KnownInput &input : all_) {
    if (out.size() >= kMaxInputs) break;
    if (!defect.means(input.bug.kind) || !mayShow(input.bug, defect)) continue;
    // Of leaks, the blocks tell which one it is.
    const bool isOther =
        isLeak(defect) && std::ranges::none_of(defect.steps, [&](const Place &at) {
          return std::ranges::any_of(input.bug.stack, [&](const evidence::StackFrame &frame) {
            return at.isAt(frame.file, frame.line);
          });
        });
    if (!isOther) out.push_back(&input);
  }
  return out;
}

KnownInputs findInputs(const program::Program &program, const ConfirmOptions &options,
                       std::span<const Defect> defects, milliseconds time) {
  KnownInputs out;
  if (defects.empty() || options.inputs.empty()) return out;
  ExploreOptions explore = options.explore;
  explore.jobs = 1;
  explore.bugKinds = kindsOf(defects);
  explore.continuesAfterMemoryError = true;
  explore.countsSteps = true;
  milliseconds left = time;
  for (const KnownInput &probe : options.probes) {
    ExploreOptions along = explore;
    along.arguments = probe.words;
    along.seeds = {probe.seed};
    along.onlySeeds = true;
    along.maxTime = std::max(time / 2, milliseconds(1)); // mostly it needs far less
    TakesInputs sink(probe.words, options.stop, out);
    if (options.stop && *options.stop) continue;
    const ExploreResult result = explore::explore(program, along, sink, sink.stop);
    left -= std::chrono::duration_cast<milliseconds>(
        std::chrono::nanoseconds(result.stats.stepNanoseconds));
  }
  explore.maxTime = std::max(left / static_cast<int64_t>(options.inputs.size()), milliseconds(1));
  for (const std::vector<std::string> &words : options.inputs) {
    explore.arguments = words;
    // The last one has room for them.
    if (&words == &options.inputs.back()) explore.seeds = options.seeds;
    TakesInputs sink(words, options.stop, out);
    if (!options.stop || !*options.stop) explore::explore(program, explore, sink, sink.stop);
  }
  return out;
}

} // namespace fathom::confirm
