// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Confirm.h"

#include "confirm/PathSteps.h"
#include "explore/Explore.h"
#include "explore/policy/UnknownArguments.h"
#include "support/SourcePlace.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::confirm {

using namespace explore;
using Clock = std::chrono::steady_clock;

const char *name(Verdict verdict) {
  switch (verdict) {
  case Verdict::Confirmed: return "confirmed";
  case Verdict::Refuted: return "refuted";
  case Verdict::Open: return "open";
  }
  return "";
}

namespace {

/// Is the bug the one that was reported? Its kind, and the sink among the places of its stack: an
/// analyser names the call where the engine is in the callee.
bool shows(const Bug &bug, const Defect &defect) {
  if (std::find(defect.kinds.begin(), defect.kinds.end(), bug.kind) == defect.kinds.end())
    return false;
  const auto isSink = [&](const StackFrame &frame) {
    return frame.own && frame.line == defect.sink.line && namesFile(defect.sink.file, frame.file);
  };
  if (std::any_of(bug.stack.begin(), bug.stack.end(), isSink)) return true;
  // A leak is where the block was allocated, for us; where the last pointer goes, for others.
  return bug.kind == BugKind::Leak && std::any_of(bug.related.begin(), bug.related.end(), isSink);
}

/// Waits for the bug, and ends the exploration when it is there.
class Waiting : public ResultSink {
public:
  Waiting(const Defect &defect, const std::atomic<bool> *interrupt)
      : defect_(defect), interrupt_(interrupt) {}
  bool onTest(const TestCase &) override { return true; }
  bool onBug(const Bug &bug) override {
    if (!found && shows(bug, defect_)) {
      found = std::make_unique<Bug>(bug);
      stop = true;
    }
    return true;
  }
  void onProgress(const Stats &) override {
    if (interrupt_ && *interrupt_) stop = true;
  }
  void onEcho(int, const std::string &) override {}

  std::unique_ptr<Bug> found;
  std::atomic<bool> stop{false};

private:
  const Defect &defect_;
  const std::atomic<bool> *interrupt_;
};

} // namespace

struct Confirmer::Search {
  std::unique_ptr<Bug> bug;
  bool isExhausted = false; ///< every path was followed to its end
  bool assumes = false;     ///< something of the memory that callers made
  std::string cut;          ///< what stopped it, where it is not
  Cut kind = Cut::Other;    ///< ... as a category
  uint64_t paths = 0;
};

Confirmer::Confirmer(const program::Program &program, ConfirmOptions options)
    : program_(program), options_(std::move(options)), calls_(program) {}

/// What a search left out, as one clause; "": nothing but the assumption about callers' memory.
static std::string leftOut(const ExploreResult &result, Cut &kind) {
  for (auto &[key, count] : result.ledger.entries())
    if (!Ledger::isAssumption(key) && key.category != "assumed-memory") {
      kind = key.category == "bound-depth"  ? Cut::Depth
             : key.category == "bound-size" ? Cut::Assumption
                                            : Cut::Other;
      return fmt::format("{} at {}", key.detail, key.location);
    }
  return "";
}

Confirmer::Search Confirmer::searchFrom(const program::FunctionCode &entry, EntryMemory memory,
                                        const Defect &defect,
                                        std::chrono::milliseconds time) const {
  ExploreOptions options = options_.explore;
  options.jobs = 1;
  options.maxTime = time;
  options.maxDepth = options_.maxDepth;
  options.failAllocations = true;
  options.traceFrom = 1; // every branch, for the path's steps
  options.traceTo = kTracedBranches;
  options.entryMemory = memory;
  if (entry.name == "main")
    options.policies.push_back([] { return std::make_unique<UnknownArguments>(); });
  else
    options.entry = entry.name;
  options.search = fmt::format("targets={}:{},dfs", defect.sink.file, defect.sink.line);
  Waiting sink(defect, options_.stop);
  const ExploreResult result = explore::explore(program_, options, sink, sink.stop);
  Search out;
  out.bug = std::move(sink.found);
  out.paths = result.stats.pathsCompleted;
  out.assumes = std::ranges::any_of(result.ledger.entries(), [](auto &entry) {
    return entry.first.category == "assumed-memory";
  });
  if (!result.error.empty()) {
    out.cut = result.error;
  } else if (result.stats.stop == StopReason::MaxTime) {
    out.cut = "the time for one report was spent (--report-time)";
    out.kind = Cut::Time;
  } else if (result.stats.stop != StopReason::Exhausted) {
    out.cut = result.failure.empty() ? text(result.stats.stop) : result.failure;
  } else {
    out.cut = leftOut(result, out.kind);
    out.isExhausted = out.cut.empty();
  }
  return out;
}

/// Why "no path shows it" does not refute the defect where memory of callers took part. "": it
/// does.
static std::string whyNotRefuted(const Defect &defect) {
  if (defect.steps.empty())
    return "no path shows it, but the report does not say where the defect begins: what callers "
           "did before is not known";
  using enum BugKind;
  for (BugKind kind : defect.kinds)
    if (kind != UseAfterFree && kind != DoubleFree && kind != NullDereference &&
        kind != DivisionByZero)
      return "no path shows it, but the size and the contents of what callers made are not known";
  return "";
}

Finding Confirmer::check(const Defect &defect) const {
  Finding finding;
  const auto started = Clock::now();
  const auto end = [&](Verdict verdict, std::string reason, Cut cut = Cut::None) {
    finding.verdict = verdict;
    finding.reason = std::move(reason);
    finding.cut = cut;
    finding.seconds = std::chrono::duration<double>(Clock::now() - started).count();
    return finding;
  };
  if (!defect.sink.line) return end(Verdict::Open, "the report has no location", Cut::NoLocation);
  if (defect.kinds.empty())
    return end(Verdict::Open,
               fmt::format("the engine looks for no defects of rule {}",
                           defect.rule.empty() ? "(none)" : defect.rule),
               Cut::UnknownRule);
  const std::vector<uint32_t> sinks = calls_.functionsAt(defect.sink);
  if (sinks.empty())
    return end(Verdict::Open,
               fmt::format("the program has no code at {}:{}", defect.sink.file, defect.sink.line),
               Cut::NoCode);
  std::vector<uint32_t> wanted{sinks[0]};
  for (const Place &step : defect.steps)
    if (std::vector<uint32_t> at = calls_.functionsAt(step); !at.empty()) wanted.push_back(at[0]);
  const std::vector<uint32_t> entries = calls_.commonCallers(wanted);
  const program::FunctionCode &entry =
      program_.functions[entries.empty() ? sinks[0] : entries.front()];
  finding.entry = entry.name;
  bool isExhausted = false;
  for (EntryMemory memory : {EntryMemory::Lazy, EntryMemory::LazyAliased}) {
    const auto left = options_.perDefect -
                      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started);
    if (left <= std::chrono::milliseconds(100))
      return end(Verdict::Open,
                 isExhausted ? "no path shows it where no two pointers of callers "
                               "lead to one object; the others were not explored "
                               "(--report-time)"
                             : "the time for one report was spent (--report-time)",
                 Cut::Time);
    Search search = searchFrom(entry, memory, defect, left);
    finding.paths += search.paths;
    if (search.bug) {
      finding.stack = search.bug->stack;
      finding.related = search.bug->related;
      // Who calls the function is not on the path, though the engine comes through main.
      const auto begins = std::ranges::find(finding.stack, entry.name, &StackFrame::function);
      if (begins != finding.stack.end()) finding.stack.erase(begins + 1, finding.stack.end());
      if (entry.name != "main")
        std::erase_if(finding.related,
                      [](const StackFrame &f) { return f.function.ends_with(" from main"); });
      finding.message = search.bug->message;
      finding.kind = search.bug->kind;
      finding.path = pathSteps(program_, search.bug->test.trace);
      finding.values = pathValues(search.bug->test.symbols);
      std::string from = fmt::format("a path from {} shows it", entry.name);
      if (search.assumes)
        from += memory == EntryMemory::Lazy ? ", for some arguments and memory"
                                            : ", where two pointers lead to one object";
      return end(Verdict::Confirmed, from);
    }
    if (!search.isExhausted) return end(Verdict::Open, search.cut, search.kind);
    isExhausted = true;
    if (!search.assumes) break; // two pointers that are not there lead to no one object
    if (std::string why = whyNotRefuted(defect); !why.empty())
      return end(Verdict::Open, why, defect.steps.empty() ? Cut::NoSource : Cut::Assumption);
  }
  if (calls_.readsInput(entry.id))
    return end(Verdict::Open,
               "no path shows it where files and standard input are empty; what "
               "is read was not explored",
               Cut::Input);
  return end(Verdict::Refuted,
             fmt::format("none of the {} paths from {} shows it", finding.paths, entry.name));
}

} // namespace fathom::confirm
