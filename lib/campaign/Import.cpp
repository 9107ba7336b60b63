// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/Import.h"

#include "campaign/InputCoverage.h"

#include "support/Folder.h"
#include "support/TextError.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace fathom::campaign {

using namespace std::chrono;
namespace fs = std::filesystem;

// ---- which inputs there are
// ---------------------------------------------------------------------------------

/// "id:000012,src:000003,time:4711,execs:10234,op:havoc": the milliseconds. Older AFLs do not say.
static std::optional<milliseconds> timeOf(llvm::StringRef name) {
  size_t at = name.find(",time:");
  if (at == llvm::StringRef::npos) return {};
  llvm::StringRef rest = name.substr(at + 6);
  uint64_t time = 0;
  if (rest.consumeInteger(10, time)) return {};
  return milliseconds(time);
}

static milliseconds modified(const fs::path &file) {
  std::error_code none;
  return duration_cast<milliseconds>(fs::last_write_time(file, none).time_since_epoch());
}

namespace {

class Collector {
public:
  /// An instance of AFL: queue, crashes, hangs (and those of earlier sessions: crashes.DATE).
  bool addInstance(const fs::path &folder) {
    std::error_code none;
    if (!fs::is_directory(folder / "queue", none)) return false;
    for (auto &entry : entriesOf(folder, none)) {
      const std::string name = entry.path().filename().string();
      if (name == "queue") addAll(entry.path(), KeptInput::Kind::Input, "id");
      if (name.starts_with("crashes")) addAll(entry.path(), KeptInput::Kind::Crash, "id");
      if (name.starts_with("hangs")) addAll(entry.path(), KeptInput::Kind::Hang, "id");
    }
    return true;
  }

  void addAll(const fs::path &folder, KeptInput::Kind kind, llvm::StringRef beginning) {
    std::error_code none;
    for (auto &entry : entriesOf(folder, none)) {
      const std::string name = entry.path().filename().string();
      if (!entry.is_regular_file(none) || !llvm::StringRef(name).starts_with(beginning)) continue;
      const std::optional<milliseconds> named = timeOf(name);
      if (!named) hasTimes_ = false;
      all_.push_back(
          {{entry.path().string(), modified(entry.path()), kind}, named.value_or(milliseconds(0))});
    }
  }

  std::vector<KeptInput> inOrder() {
    std::vector<KeptInput> out;
    for (auto &[input, named] : all_) {
      if (hasTimes_) input.found = named;
      out.push_back(std::move(input));
    }
    std::sort(out.begin(), out.end(), [](const KeptInput &a, const KeptInput &b) {
      return std::tie(a.found, a.file) < std::tie(b.found, b.file);
    });
    if (!hasTimes_ && !out.empty())
      for (const milliseconds first = out.front().found; KeptInput & input : out)
        input.found -= first;
    return out;
  }

private:
  std::vector<std::pair<KeptInput, milliseconds>> all_;
  bool hasTimes_ = true; ///< all file names contain a time
};

} // namespace

llvm::Expected<std::vector<KeptInput>> keptInputs(const std::string &source) {
  Collector collector;
  bool isAfl = collector.addInstance(source);
  std::error_code ignored;
  for (auto &entry : entriesOf(source, ignored))
    if (entry.is_directory(ignored)) isAfl |= collector.addInstance(entry.path());
  if (!isAfl) collector.addAll(source, KeptInput::Kind::Input, "");
  std::vector<KeptInput> inputs = collector.inOrder();
  if (inputs.empty())
    return textError(
        fmt::format("{}: no input in it; expected the output folder of AFL++, or a folder "
                    "of inputs",
                    source));
  return inputs;
}

// ---- running them
// -------------------------------------------------------------------------------------------

/// Runs the program once on the input. Returns its end and its map.
static llvm::Expected<CountedRun> runOne(const FuzzVariant &variant, const CrashRun &run,
                                         const std::string &input) {
  llvm::Expected<native::Command> command = commandOf(input, run);
  if (!command) return command.takeError();
  command->limits.wall = run.testTime;
  return countedRun(variant, *command, run.scratch + "/map");
}

llvm::Expected<CampaignStatus> importInputs(const FuzzVariant &variant,
                                            const ImportOptions &options,
                                            const CampaignEvents &events,
                                            const std::atomic<bool> &stop) {
  llvm::Expected<std::vector<KeptInput>> inputs = keptInputs(options.source);
  if (!inputs) return inputs.takeError();
  auto facts = factsOf(variant, options.arguments, options.unit);
  facts["import"] = options.source;
  auto store = SqliteStore::create(options.folder + "/campaign.db", variant.layout, facts);
  if (!store) return store.takeError();

  TriageOptions triageOptions;
  triageOptions.ownFunctions = functionsOf(variant.layout);
  triageOptions.diagnose = options.diagnose;
  CrashRun &run = triageOptions.run;
  run.program = variant.executable;
  run.arguments = options.arguments;
  run.scratch = options.folder + "/afl/work/crash";
  run.testTime = options.testTime;
  run.testMemoryBytes = options.testMemoryBytes;
  run.boundsHeap = variant.sanitizers.address;
  CrashRun plain = run;
  plain.scratch = options.folder + "/afl/work/import";
  if (std::error_code e = llvm::sys::fs::create_directories(plain.scratch))
    return textError(fmt::format("cannot create {}: {}", plain.scratch, e.message()));
  Triage triage(triageOptions);
  CoverageTally tally(variant.layout);
  CampaignStatus status;
  const auto began = steady_clock::now();
  auto lastShown = began;

  // One unit at a time, in order. A slice is a unit's length of time or executions; a slice without
  // inputs gets no unit.
  std::vector<uint8_t> map;
  StoredUnit unit;
  std::optional<uint64_t> openSlice;
  auto close = [&](bool isComplete) -> llvm::Error {
    if (!openSlice) return llvm::Error::success();
    unit.complete = isComplete;
    unit.seconds = duration<double>(options.unit.time).count();
    unit.elements = elementsOf(variant.layout, map);
    if (auto e = store->put(unit)) return e;
    tally.add(unit);
    const uint64_t next = unit.number + 1;
    unit = StoredUnit();
    unit.number = next;
    map.assign(map.size(), 0);
    return llvm::Error::success();
  };
  auto show = [&] {
    status.seconds = duration<double>(steady_clock::now() - began).count();
    CoverageTally seen = tally; // and the unit that is open
    if (sumOf(unit.executions)) {
      unit.elements = elementsOf(variant.layout, map);
      seen.add(unit);
    }
    status.coverage = seen.counts();
    status.triage = triage.counts();
    if (status.seconds > 0)
      status.executionsPerSecond = static_cast<double>(status.executions) / status.seconds;
    if (events.onProgress) events.onProgress(status);
  };
  auto takeCrashes = [&] {
    for (Crash crash; triage.take(crash);)
      if (events.onCrash && !events.onCrash(crash)) return false;
    return true;
  };

  map.assign(variant.layout.counters(), 0);
  for (const KeptInput &input : *inputs) {
    if (stop || !takeCrashes()) break;
    const uint64_t slice =
        options.unit.executions
            ? status.executions / options.unit.executions
            : static_cast<uint64_t>(input.found.count() / options.unit.time.count());
    if (openSlice && *openSlice != slice)
      if (auto e = close(/*isComplete=*/true)) return std::move(e);
    openSlice = slice;
    llvm::Expected<CountedRun> counted = runOne(variant, plain, input.file);
    if (!counted) return counted.takeError();
    for (size_t i = 0; i < map.size(); ++i) map[i] |= counted->map[i];
    ++unit.executions[FATHOM_STAGE_FUZZING];
    status.sessionExecutions = ++status.executions;
    // Triages each input that crashes or hangs here, whatever folder it is in, and each that AFL++
    // stored as a crash or hang: such an input may need more than one run to show it.
    const bool hangs = counted->outcome.kind == native::Outcome::Kind::TimedOut;
    if (input.kind != KeptInput::Kind::Input || hangs ||
        counted->outcome.kind == native::Outcome::Kind::Signalled)
      triage.add(input.file, input.kind == KeptInput::Kind::Hang || hangs);
    if (steady_clock::now() - lastShown < milliseconds(250)) continue;
    lastShown = steady_clock::now();
    show();
  }
  const bool isWhole = !options.unit.executions || status.executions % options.unit.executions == 0;
  if (auto e = close(/*isComplete=*/isWhole && !stop)) return std::move(e);
  while (!stop && triage.counts().waiting && takeCrashes()) {
    triage.finish(milliseconds(250));
    show();
  }
  takeCrashes();
  show();
  store->leaveWalMode();
  return status;
}

} // namespace fathom::campaign
