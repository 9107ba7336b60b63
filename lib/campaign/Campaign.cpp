// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver. It never takes part in an execution: fork servers mark units on their own, and the
// driver ends units, stores those in which nobody is any more, and keeps afl-fuzz running. Whatever
// is killed, what executions have marked is in the file of the unit maps or in the database.
#include "campaign/Campaign.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace fathom::campaign {

using namespace std::chrono;

std::string UnitLength::text() const {
  if (executions) return fmt::format("{}execs", executions);
  return time.count() % 1000 ? fmt::format("{}ms", time.count())
                             : fmt::format("{}s", time.count() / 1000);
}

bool parseUnitLength(const std::string &text, UnitLength &unit) {
  llvm::StringRef rest(text);
  uint64_t number = 0;
  if (rest.consumeInteger(10, number) || number == 0) return false;
  unit = {};
  if (rest == "execs") {
    unit.time = milliseconds(0);
    unit.executions = number;
    return number <= uint64_t(1) << 40;
  }
  uint64_t factor = rest == "ms"  ? 1
                    : rest == "s" ? 1000
                    : rest == "m" ? 60000
                    : rest == "h" ? 3600000
                                  : 0;
  if (!factor || number > (uint64_t(1) << 40) / factor) return false;
  unit.time = milliseconds(number * factor);
  return unit.time >= milliseconds(100);
}

const char *text(CampaignEnd end) {
  switch (end) {
  case CampaignEnd::MaxTime: return "time budget spent (--max-time)";
  case CampaignEnd::MaxExecutions: return "budget of executions spent (--max-executions)";
  case CampaignEnd::MaxUnits: return "budget of units spent (--max-units)";
  case CampaignEnd::Interrupted: return "interrupted";
  }
  return "";
}

// ---- beginning
// ---------------------------------------------------------------------------------------------

Campaign::Campaign(const FuzzVariant &variant, CampaignOptions options, SqliteStore store,
                   UnitMaps maps)
    : variant_(variant), options_(std::move(options)), store_(std::move(store)),
      maps_(std::move(maps)), symbolizer_(variant.executable) {
  unitsOf_.assign(variant.layout.elements(), 0);
  found_.assign(variant.layout.elements(), false);
  status_.sidesTotal = variant.layout.sides;
  status_.blocksTotal = variant.layout.blocks.size();
}

static llvm::Error refuse(const std::string &why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), why);
}

/// Arguments in one text; none of them can have a NUL.
static std::string joined(const std::vector<std::string> &arguments) {
  std::string all;
  for (const std::string &argument : arguments) all += argument + '\0';
  return all;
}

static llvm::Error checkSame(const SqliteStore &store, const FuzzVariant &variant,
                             const CampaignOptions &options) {
  if (store.fact("unit") != options.unit.text())
    return refuse(fmt::format("--resume: the campaign in {} has units of {}, not of {}",
                              options.folder, store.fact("unit"), options.unit.text()));
  if (store.fact("program_key") != variant.key)
    return refuse(fmt::format("--resume: the campaign in {} was of another program, or of another "
                              "build of it or of Fathom",
                              options.folder));
  if (store.fact("arguments") != joined(options.arguments))
    return refuse(fmt::format("--resume: the campaign in {} ran the program with other arguments",
                              options.folder));
  return llvm::Error::success();
}

llvm::Expected<Campaign> Campaign::create(const FuzzVariant &variant, CampaignOptions options) {
  const std::string database = options.folder + "/campaign.db",
                    units = options.folder + "/units.map";
  const uint32_t counters = variant.layout.counters();
  // One for the probe with which afl-fuzz begins, beside the fork server itself.
  const unsigned slots = options.jobs * 2 + 2;
  if (!options.resume) {
    auto store = SqliteStore::create(database, variant.layout,
                                     {{"unit", options.unit.text()},
                                      {"program_key", variant.key},
                                      {"arguments", joined(options.arguments)}});
    if (!store) return store.takeError();
    auto maps = UnitMaps::create(units, counters, slots, options.unit.executions);
    if (!maps) return maps.takeError();
    return Campaign(variant, std::move(options), std::move(*store), std::move(*maps));
  }
  auto store = SqliteStore::open(database, /*readOnly=*/false);
  if (!store) return store.takeError();
  if (auto e = checkSame(*store, variant, options)) return std::move(e);
  auto maps = UnitMaps::open(units, counters, options.unit.executions);
  if (!maps) return maps.takeError();
  maps->dropAll();
  if (maps->slots() < slots)
    return refuse(fmt::format("--jobs {}: the campaign in {} was started with fewer; expected at "
                              "most {}",
                              options.jobs, options.folder, (maps->slots() - 2) / 2));
  Campaign campaign(variant, std::move(options), std::move(*store), std::move(*maps));
  if (auto e = campaign.countStored()) return std::move(e);
  return campaign;
}

/// What an earlier session has stored. A unit that was stored but not released, because we were
/// killed in between, is released now.
llvm::Error Campaign::countStored() {
  uint64_t next = 0;
  if (auto e = store_.forEachUnit([&](const StoredUnit &unit) {
        if (unit.complete) {
          next = unit.number + 1;
        } else {
          restSeconds_ = unit.seconds;
          status_.executions -= unit.executions; // they are counted when it is complete
        }
        count(unit);
      }))
    return e;
  UnitMap ignored;
  while (maps_.stored() < next && maps_.harvestRest(ignored)) maps_.release(ignored.number);
  if (maps_.stored() != next)
    return refuse(
        fmt::format("{}: unit maps and database do not belong together", options_.folder));
  return llvm::Error::success();
}

// ---- units
// -------------------------------------------------------------------------------------------------

void Campaign::count(const StoredUnit &unit) {
  for (uint32_t element : unit.elements) {
    found_[element] = true;
    if (unit.complete) ++unitsOf_[element];
  }
  status_.executions += unit.executions;
  if (!unit.complete) return;
  ++status_.units;
  storedSeconds_ += unit.seconds;
}

llvm::Error Campaign::storeUnit(const UnitMap &map, bool isComplete) {
  StoredUnit unit;
  unit.number = map.number;
  unit.complete = isComplete;
  const auto now = steady_clock::now();
  unit.seconds = duration<double>(now - unitBegan_).count() + restSeconds_;
  if (isComplete && options_.unit.time.count())
    unit.seconds = duration<double>(options_.unit.time).count();
  unit.executions = map.executions;
  unit.elements = elementsOf(variant_.layout, map.map);
  if (auto e = store_.put(unit)) return e;
  count(unit);
  if (!isComplete) return llvm::Error::success();
  // Only now: until here it can be read a second time.
  maps_.release(map.number);
  unitBegan_ = now;
  restSeconds_ = 0;
  return llvm::Error::success();
}

llvm::Error Campaign::storeFinished() {
  UnitMap unit;
  while (maps_.harvest(unit))
    if (auto e = storeUnit(unit, /*isComplete=*/true)) return e;
  return llvm::Error::success();
}

/// When all fork servers are gone: what is over, and the unit that the campaign stands in, which
/// stays in the unit maps as well, for --resume.
llvm::Error Campaign::storeRest() {
  if (auto e = storeFinished()) return e;
  UnitMap rest;
  if (maps_.harvestRest(rest) && rest.executions) return storeUnit(rest, /*isComplete=*/false);
  return llvm::Error::success();
}

/// Units of time: the clock runs only while the campaign does.
void Campaign::passTime(nanoseconds time) {
  if (!options_.unit.time.count()) return;
  nanoseconds elapsed = maps_.elapsed() + time;
  maps_.setElapsed(elapsed);
  if (elapsed < options_.unit.time) return;
  if (maps_.nextUnit())
    maps_.setElapsed(std::min<nanoseconds>(elapsed - options_.unit.time, seconds(1)));
}

// ---- crashes
// -----------------------------------------------------------------------------------------------

bool Campaign::examineCrashes(const CampaignEvents &events) {
  CrashRun run;
  run.program = variant_.executable;
  run.arguments = options_.arguments;
  run.scratch = options_.folder + "/afl/work/crash";
  run.testTime = options_.testTime;
  run.testMemoryBytes = options_.testMemoryBytes;
  // By name, because afl-fuzz moves them to crashes.DATE when it goes on after an end.
  std::map<std::string, std::string> files;
  for (unsigned i = 0; i < options_.jobs; ++i) {
    std::error_code none;
    const std::string instance = fmt::format("{}/afl/{}", options_.folder, instanceName(i));
    for (auto &folder : std::filesystem::directory_iterator(instance, none)) {
      if (!folder.path().filename().string().starts_with("crashes")) continue;
      for (auto &entry : std::filesystem::directory_iterator(folder.path(), none))
        if (std::string name = entry.path().filename().string(); name.starts_with("id:"))
          files.emplace(fmt::format("{}/{}", i, name), entry.path().string());
    }
  }
  for (const auto &[name, file] : files) {
    if (!seenCrashFiles_.insert(name).second) continue;
    ++status_.crashes;
    llvm::Expected<Crash> crash = examineCrash(file, run, symbolizer_);
    if (!crash) {
      llvm::consumeError(crash.takeError()); // the input stays where AFL++ has put it
      continue;
    }
    if (crash->signal && seenCrashes_.insert(crash->key()).second && !events.onCrash(*crash))
      return false;
  }
  return true;
}

// ---- the campaign
// ------------------------------------------------------------------------------------------

AflOptions Campaign::aflOptions() const {
  AflOptions afl;
  afl.program = variant_.executable;
  afl.arguments = options_.arguments;
  afl.seeds = options_.seeds;
  afl.output = options_.folder + "/afl";
  if (!variant_.dictionary.empty()) afl.dictionary = options_.folder + "/dictionary.txt";
  if (options_.record) afl.unitsFile = options_.folder + "/units.map";
  afl.counters = variant_.layout.counters();
  afl.jobs = options_.jobs;
  afl.seed = options_.seed;
  afl.testTime = options_.testTime;
  afl.testMemoryBytes = options_.testMemoryBytes;
  return afl;
}

static llvm::Error writeFile(const std::string &path, const std::string &data) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) {
    out << data;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error) return refuse(fmt::format("cannot write {}: {}", path, error.message()));
  return llvm::Error::success();
}

void Campaign::updateStatus() {
  const auto now = steady_clock::now();
  status_.seconds = duration<double>(now - began_).count();
  status_.sessionExecutions = maps_.startedExecutions() - executionsAtStart_;
  const double since = duration<double>(now - rateTaken_).count();
  if (since >= 2) {
    const uint64_t started = maps_.startedExecutions();
    status_.executionsPerSecond = static_cast<double>(started - executionsBefore_) / since;
    executionsBefore_ = started;
    rateTaken_ = now;
  }
  const uint32_t sides = variant_.layout.sides;
  status_.sidesFound = static_cast<uint64_t>(
      std::count(found_.begin(), found_.begin() + static_cast<ptrdiff_t>(sides), true));
  status_.blocksFound = static_cast<uint64_t>(
      std::count(found_.begin() + static_cast<ptrdiff_t>(sides), found_.end(), true));
  if (status_.units) status_.unitSeconds = storedSeconds_ / static_cast<double>(status_.units);
  std::vector<uint64_t> counts(status_.units, 0);
  for (uint32_t side = 0; side < sides; ++side)
    if (unitsOf_[side]) ++counts[unitsOf_[side] - 1];
  if (auto frequencies = estimate::FrequencyCounts::fromDense(status_.units, counts))
    status_.sideCounts = std::move(*frequencies);
}

llvm::Expected<CampaignEnd> Campaign::run(const CampaignEvents &events,
                                          const std::atomic<bool> &stop) {
  AflOptions afl = aflOptions();
  std::error_code failed = llvm::sys::fs::create_directories(afl.output);
  if (failed) return refuse(fmt::format("cannot create {}: {}", afl.output, failed.message()));
  if (afl.seeds.empty()) {
    afl.seeds = afl.output + "/seeds";
    llvm::sys::fs::create_directories(afl.seeds);
    if (auto e = writeFile(afl.seeds + "/line", "0\n")) return std::move(e);
  }
  if (!afl.dictionary.empty())
    if (auto e = writeFile(afl.dictionary, variant_.dictionary)) return std::move(e);
  maps_.setMostExecutions(options_.maxExecutions);
  began_ = unitBegan_ = rateTaken_ = steady_clock::now();
  executionsAtStart_ = executionsBefore_ = maps_.startedExecutions();

  AflFuzz fuzzers(options_.aflFuzz, afl);
  llvm::Error error = fuzzers.start();
  std::optional<CampaignEnd> end;
  auto last = began_;
  auto lastLook = began_;
  // MAIN LOOP
  while (!error && !end) {
    std::this_thread::sleep_for(milliseconds(20));
    const auto now = steady_clock::now();
    // Units begin with the first execution: not while afl-fuzz is starting.
    if (maps_.startedExecutions() > executionsAtStart_) passTime(now - last);
    last = now;
    if ((error = storeFinished())) break;
    if ((error = fuzzers.poll())) break;
    status_.restarts = fuzzers.restarts();
    if (now - lastLook >= milliseconds(250)) {
      lastLook = now;
      maps_.dropDead();
      if (!examineCrashes(events)) end = CampaignEnd::Interrupted;
      updateStatus();
      if (events.onProgress) events.onProgress(status_);
    }
    if (stop) end = CampaignEnd::Interrupted;
    if (options_.maxUnits && status_.units >= options_.maxUnits) end = CampaignEnd::MaxUnits;
    if (options_.maxTime.count() && now - began_ >= options_.maxTime) end = CampaignEnd::MaxTime;
    if (options_.maxExecutions && maps_.startedExecutions() >= options_.maxExecutions &&
        maps_.isIdle())
      end = CampaignEnd::MaxExecutions;
  }
  // An execution that was in flight may still end; afterwards nobody writes any more.
  fuzzers.stop(end == CampaignEnd::MaxExecutions ? milliseconds(500) : milliseconds(3000));
  maps_.dropDead();
  if (!error) error = storeRest();
  if (!error && !examineCrashes(events)) end = CampaignEnd::Interrupted;
  updateStatus();
  if (error) return std::move(error);
  return *end;
}

} // namespace fathom::campaign
