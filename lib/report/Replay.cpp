// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each worker thread has a scratch folder and a trace file of its own, may change nothing else, and
// takes the next test from a shared counter. A test is one vfork and exec, and a few files:
// thousands per second.
#include "report/Replay.h"

#include "report/ReplaySurroundings.h"
#include "report/ReplayWorker.h"
#include "report/SanitizerReport.h"
#include "report/Tests.h"
#include "support/Rng.h"

#include <fmt/format.h>

#include <cstdlib>
#include <mutex>
#include <set>
#include <thread>
#include <unistd.h>

namespace fathom::report {

using native::Outcome;

namespace {

/// --max-heap of the exploration; 0: not known.
uint64_t mostHeap(const llvm::json::Object &run) {
  const llvm::json::Object *options = run.getObject("options");
  std::optional<int64_t> most =
      options ? options->getInteger("max-heap") : std::optional<int64_t>();
  return most && *most > 0 ? static_cast<uint64_t>(*most) : 0;
}

/// Shared by the workers.
struct Shared {
  std::vector<Tests::Item> items;
  std::vector<std::optional<ReplayedTest>> results; ///< per item
  std::vector<std::string> problems;                ///< per item
  std::atomic<size_t> next{0};
  std::mutex mutex;                                               ///< confinedBy, done, runsPerByte
  native::Confined::By confinedBy = native::Confined::By::Mounts; ///< the weakest of the workers'
  size_t done = 0;
  std::atomic<uint64_t> covering{0};
  std::vector<uint32_t> runsPerByte;
  llvm::json::Object run; ///< run.json
  std::atomic<unsigned> divergences{0};
};

void work(const ReplayOptions &options, std::chrono::steady_clock::time_point deadline,
          ReplayWorker &worker, const TraceFile *trace, Shared &shared) {
  {
    native::Confined::By by = worker.enter();
    std::lock_guard<std::mutex> lock(shared.mutex);
    shared.confinedBy = std::max(shared.confinedBy, by);
  }
  while (true) {
    if (options.stop && *options.stop) return;
    if (options.maxTime.count() && std::chrono::steady_clock::now() >= deadline) return;
    if (options.enough && shared.covering >= options.enough) return;
    size_t i = shared.next++;
    if (i >= shared.items.size()) return;
    llvm::Expected<ReplayedTest> test = worker.run(shared.items[i]);
    std::vector<uint8_t> covered; // by this run, before there are others of the same test
    if (trace) covered.assign(trace->cover().begin(), trace->cover().end());
    if (test)
      for (uint32_t byte : options.coverIndices)
        test->hitsCoverIndex |= byte < covered.size() && covered[byte];
    if (test && test->hitsCoverIndex) ++shared.covering;
    if (test && !test->isBug && test->traceCompared && !test->trace.same && !shared.run.empty() &&
        !options.fathom.empty() && shared.divergences++ < options.maxDivergences)
      worker.locateDivergence(shared.items[i], shared.run, *test);
    if (!test) {
      shared.problems[i] = llvm::toString(test.takeError());
    } else if (test->outcome.kind != Outcome::Kind::Stopped) {
      shared.results[i] = std::move(*test);
    }
    std::lock_guard<std::mutex> lock(shared.mutex);
    ++shared.done;
    if (trace && shared.results[i]) {
      for (size_t k = 0; k < covered.size(); ++k) shared.runsPerByte[k] += covered[k];
    }
    if (options.progress) options.progress(shared.done, shared.items.size());
  }
}

/// Keeps `most` of those in the store. Returns how many it dropped.
size_t draw(size_t most, std::vector<Tests::Item> &items) {
  std::vector<size_t> stored;
  for (size_t i = 0; i < items.size(); ++i)
    if (items[i].inStore()) stored.push_back(i);
  if (stored.size() <= most) return 0;
  Rng rng(1);
  for (size_t i = 0; i < most; ++i)
    std::swap(stored[i], stored[i + rng.below(static_cast<uint32_t>(stored.size() - i))]);
  std::set<size_t> drawn(stored.begin(), stored.begin() + static_cast<ptrdiff_t>(most));
  std::vector<Tests::Item> kept;
  for (size_t i = 0; i < items.size(); ++i)
    if (!items[i].inStore() || drawn.contains(i)) kept.push_back(std::move(items[i]));
  items = std::move(kept);
  return stored.size() - most;
}

} // namespace

llvm::Expected<ReplayResult> replay(const ReplayOptions &options) {
  auto started = std::chrono::steady_clock::now();
  llvm::Expected<Tests> tests = Tests::open(options.folder, Tests::Which::TestsAndBugs);
  if (!tests) return tests.takeError();
  Shared shared;
  for (const Tests::Item &item : tests->items())
    if (!options.wants || options.wants(item)) shared.items.push_back(item);
  const size_t notDrawn = options.sample ? draw(options.sample, shared.items) : 0;
  if (shared.items.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        fmt::format("{}: no tests there; expected a results folder of fathom explore, or the "
                    "folder of one test, with its args.json",
                    options.folder));
  if (const std::string file = runFileOf(options.folder); !file.empty()) {
    llvm::Expected<llvm::json::Object> run = readJsonObject(file);
    if (run) shared.run = std::move(*run);
    if (!run) llvm::consumeError(run.takeError());
  }
  shared.results.resize(shared.items.size());
  shared.problems.resize(shared.items.size());
  if (options.layout) shared.runsPerByte.resize(options.layout->coverBytes());

  std::string scratch = scratchParent() + "/fathom-replay-XXXXXX";
  if (!mkdtemp(scratch.data())) return ioError("create", scratch, errno);
  unsigned jobs =
      std::max(1u, std::min<unsigned>(options.jobs, static_cast<unsigned>(shared.items.size())));
  std::string executable = absolutePath(options.executable);
  std::vector<std::optional<TraceFile>> traces(jobs);
  const bool isSanitized = options.isFuzzedVariant || (!options.layout && hasSanitizer(executable));
  std::vector<ReplayWorker> workers;
  const NamedFiles surroundings = explorationFiles(options.folder);
  llvm::Error error = llvm::Error::success();
  for (unsigned i = 0; i < jobs && !error; ++i) {
    std::string own = fmt::format("{}/{}", scratch, i);
    llvm::Expected<Directory> directory = Directory::openOrCreate(own);
    if (!directory) {
      error = directory.takeError();
      break;
    }
    if (options.layout) {
      llvm::Expected<TraceFile> trace =
          TraceFile::create(own + "/trace", options.layout->coverBytes());
      if (!trace) {
        error = trace.takeError();
        break;
      }
      // Not as a limit of address space, of which the engine's objects take terabytes.
      trace->setMemory(options.testMemoryBytes, mostHeap(shared.run));
      traces[i].emplace(std::move(*trace));
    }
    workers.emplace_back(options, *tests, executable, traces[i] ? &*traces[i] : nullptr, own,
                         surroundings, isSanitized);
  }
  if (!error) {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < jobs; ++i)
      threads.emplace_back([&, i] {
        work(options, started + options.maxTime, workers[i], traces[i] ? &*traces[i] : nullptr,
             shared);
      });
    for (std::thread &t : threads) t.join();
  }
  if (llvm::Expected<Directory> parent = Directory::openOrCreate(scratch)) {
    for (const std::string &name : parent->entries()) llvm::consumeError(parent->remove(name));
  } else {
    llvm::consumeError(parent.takeError());
  }
  rmdir(scratch.c_str());
  if (error) return std::move(error);

  ReplayResult result;
  result.notDrawn = notDrawn;
  result.damaged = tests->damaged();
  for (size_t i = 0; i < shared.items.size(); ++i) {
    if (shared.results[i])
      result.tests.push_back(std::move(*shared.results[i]));
    else if (!shared.problems[i].empty())
      result.damaged.push_back(shared.problems[i]);
    else
      ++result.skipped;
  }
  result.runsPerByte = std::move(shared.runsPerByte);
  result.confinedBy = shared.confinedBy;
  result.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

} // namespace fathom::report
