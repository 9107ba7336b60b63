// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver. It never takes part in an execution: fork servers mark units on their own. The driver
// ends units, stores those in which no execution is in flight, and keeps afl-fuzz running.
// Whichever process is killed, what executions have marked is in the file of the unit maps or in
// the database.
#include "campaign/Campaign.h"

#include "campaign/Dictionary.h"
#include "support/TextError.h"
#include "support/WriteFile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
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
  case CampaignEnd::Stable: return "samples no longer change the models (--until-stable)";
  case CampaignEnd::NoSeed: return "no initial input ends normally";
  }
  return "";
}

std::map<std::string, std::string> factsOf(const FuzzVariant &variant,
                                           const std::vector<std::string> &arguments,
                                           const UnitLength &unit) {
  std::string all; // none of them can have a NUL
  for (const std::string &argument : arguments) all += argument + '\0';
  return {{"unit", unit.text()},
          {"program_key", variant.key},
          {"bitcode", variant.bitcode},
          {"arguments", all}};
}

// ---- beginning
// ---------------------------------------------------------------------------------------------

Campaign::Campaign(const FuzzVariant &variant, CampaignOptions options, SqliteStore store,
                   UnitMaps maps)
    : variant_(variant), options_(std::move(options)), store_(std::move(store)),
      maps_(std::move(maps)), tally_(variant.layout) {}

static llvm::Error checkSame(const SqliteStore &store, const FuzzVariant &variant,
                             const CampaignOptions &options) {
  if (const std::string source = store.fact("import"); !source.empty())
    return textError(
        fmt::format("--resume: what is in {} was imported from {}; there is no campaign "
                    "to go on with",
                    options.folder, source));
  if (store.fact("unit") != options.unit.text())
    return textError(fmt::format("--resume: the campaign in {} has units of {}, not of {}",
                                 options.folder, store.fact("unit"), options.unit.text()));
  if (store.fact("program_key") != variant.key)
    return textError(
        fmt::format("--resume: the campaign in {} was of another program, or of another "
                    "build of it or of Fathom, or had other sanitizers",
                    options.folder));
  if (store.fact("arguments") != factsOf(variant, options.arguments, options.unit)["arguments"])
    return textError(fmt::format(
        "--resume: the campaign in {} ran the program with other arguments", options.folder));
  return llvm::Error::success();
}

static std::string statesFile(const CampaignOptions &options) {
  return options.folder + "/states.map";
}

/// The number of fork servers at a time: each instance has one for fuzzing, one for comparisons,
/// and one for the probe with which it begins.
static constexpr unsigned slotsFor(uint64_t jobs) { return static_cast<unsigned>(jobs * 3 + 2); }

llvm::Expected<Campaign> Campaign::create(const FuzzVariant &variant, CampaignOptions options) {
  const std::string database = options.folder + "/campaign.db",
                    units = options.folder + "/units.map";
  const uint32_t counters = variant.layout.counters();
  const unsigned slots = slotsFor(options.jobs);
  if (!options.resume) {
    auto store = SqliteStore::create(database, variant.layout,
                                     factsOf(variant, options.arguments, options.unit));
    if (!store) return store.takeError();
    auto maps = UnitMaps::create(units, counters, slots, options.unit.executions);
    if (!maps) return maps.takeError();
    if (!variant.points.empty()) {
      if (auto e = store->putPoints(variant.points)) return std::move(e);
      if (auto e = createStateTable(statesFile(options), variant.points.size()))
        return std::move(e);
    }
    return Campaign(variant, std::move(options), std::move(*store), std::move(*maps));
  }
  auto store = SqliteStore::open(database, /*readOnly=*/false);
  if (!store) return store.takeError();
  if (auto e = checkSame(*store, variant, options)) return std::move(e);
  auto maps = UnitMaps::open(units, counters, options.unit.executions);
  if (!maps) return maps.takeError();
  maps->dropAll();
  if (maps->slots() < slots)
    return textError(
        fmt::format("--jobs {}: the campaign in {} was started with fewer; expected at "
                    "most {}",
                    options.jobs, options.folder, (maps->slots() - slotsFor(0)) / 3));
  Campaign campaign(variant, std::move(options), std::move(*store), std::move(*maps));
  if (auto e = campaign.countStored()) return std::move(e);
  return campaign;
}

/// What an earlier session has stored. A unit that was stored but not released, because we were
/// killed in between, is released now.
llvm::Error Campaign::countStored() {
  uint64_t next = 0;
  if (auto e = store_.forEachUnit([&](const StoredUnit &unit) {
        if (unit.complete)
          next = unit.number + 1;
        else
          restSeconds_ = unit.seconds;
        tally_.add(unit);
      }))
    return e;
  UnitMap ignored;
  while (maps_.stored() < next && maps_.harvestRest(ignored)) maps_.release(ignored.number);
  if (maps_.stored() != next)
    return textError(
        fmt::format("{}: unit maps and database do not belong together", options_.folder));
  return llvm::Error::success();
}

// ---- units
// -------------------------------------------------------------------------------------------------

static StoredUnit unitOf(const MapLayout &layout, const UnitMap &map, bool isComplete) {
  StoredUnit unit;
  unit.number = map.number;
  unit.complete = isComplete;
  unit.executions = map.executions;
  unit.elements = elementsOf(layout, map.map);
  unit.nonFuzzing = elementsOf(layout, map.nonFuzzing);
  return unit;
}

llvm::Error Campaign::storeUnit(const UnitMap &map, bool isComplete) {
  StoredUnit unit = unitOf(variant_.layout, map, isComplete);
  const auto now = steady_clock::now();
  unit.seconds = duration<double>(now - unitBegan_).count() + restSeconds_;
  if (options_.unit.time.count()) {
    nanoseconds length = isComplete ? options_.unit.time : maps_.elapsed();
    if (auto over = lengths_.extract(map.number)) length = over.mapped();
    unit.seconds = duration<double>(length).count();
  }
  if (auto e = store_.put(unit)) return e;
  tally_.add(unit);
  if (!isComplete) return llvm::Error::success();
  // The unit is released only now that it is stored: until here it can be read a second time.
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

/// Called when all fork servers are gone. Stores the units that are over and the running unit,
/// which stays in the unit maps as well, for --resume.
llvm::Error Campaign::storeRest() {
  if (auto e = storeFinished()) return e;
  UnitMap rest;
  if (maps_.harvestRest(rest) && sumOf(rest.executions))
    return storeUnit(rest, /*isComplete=*/false);
  return llvm::Error::success();
}

llvm::Error Campaign::storeStates() {
  if (variant_.points.empty()) return llvm::Error::success();
  llvm::Expected<StateSamples> samples =
      readStateTable(statesFile(options_), variant_.points.size());
  if (!samples) return samples.takeError();
  status_.statePoints = variant_.points.size();
  status_.statesSampled = samples->states.size();
  status_.statesDropped = samples->dropped;
  return store_.putStates(*samples);
}

llvm::Expected<bool> Campaign::areStatesEnough(const CampaignEvents &events) {
  const uint64_t executions = maps_.startedExecutions();
  if (!events.onStates || variant_.points.empty() || executions - statesShown_ < events.statesEvery)
    return false;
  statesShown_ = executions;
  llvm::Expected<StateSamples> samples =
      readStateTable(statesFile(options_), variant_.points.size());
  if (!samples) return samples.takeError();
  return events.onStates(*samples, executions);
}

/// Units of time: the clock runs only while the campaign does.
void Campaign::passTime(nanoseconds time) {
  if (!options_.unit.time.count()) return;
  nanoseconds elapsed = maps_.elapsed() + time;
  maps_.setElapsed(elapsed);
  if (elapsed < options_.unit.time) return;
  const uint64_t number = maps_.unit();
  if (maps_.nextUnit()) lengths_[number] = elapsed; // mostly a little more than asked for
}

// ---- crashes
// -----------------------------------------------------------------------------------------------

TriageOptions Campaign::triageOptions() const {
  TriageOptions triage;
  triage.ownFunctions = functionsOf(variant_.layout);
  triage.diagnose = options_.diagnose;
  triage.run.program = variant_.executable;
  triage.run.arguments = options_.arguments;
  triage.run.scratch = options_.folder + "/afl/work/crash";
  triage.run.testTime = options_.testTime;
  triage.run.testMemoryBytes = options_.testMemoryBytes;
  triage.run.boundsHeap = variant_.sanitizers.address;
  triage.aflFolder = options_.folder + "/afl";
  triage.instances = options_.jobs;
  return triage;
}

bool Campaign::takeCrashes(Triage &triage, const CampaignEvents &events) {
  triage.look();
  bool isStored = true;
  for (Crash crash; isStored && triage.take(crash);)
    isStored = !events.onCrash || events.onCrash(crash);
  status_.triage = triage.counts();
  return isStored;
}

// ---- the campaign
// ------------------------------------------------------------------------------------------

AflOptions Campaign::aflOptions() const {
  AflOptions afl;
  afl.program = variant_.executable;
  // The log alone takes 65 MiB of the address space.
  constexpr uint64_t kLogMemory = uint64_t(256) << 20;
  if (options_.testMemoryBytes >= kLogMemory) afl.comparisons = options_.comparisonExecutable;
  afl.stages = options_.stagesLibrary;
  afl.iterations = options_.iterations;
  afl.arguments = options_.arguments;
  afl.seeds = options_.seedFolder;
  afl.output = options_.folder + "/afl";
  afl.mutators = options_.mutators;
  afl.onlyMutators = options_.onlyMutators;
  if (!variant_.dictionary.empty() || !options_.dictionaryWords.empty())
    afl.dictionary = options_.folder + "/dictionary.txt";
  if (options_.record) afl.unitsFile = options_.folder + "/units.map";
  if (!variant_.points.empty()) afl.statesFile = statesFile(options_);
  afl.inbox = options_.inbox;
  afl.counters = variant_.layout.counters();
  afl.jobs = options_.jobs;
  afl.seed = options_.seed;
  afl.testTime = options_.testTime;
  afl.testMemoryBytes = options_.testMemoryBytes;
  afl.boundsHeap = variant_.sanitizers.address;
  return afl;
}

static llvm::Error write(const std::string &path, const std::string &data) {
  if (std::error_code e = writeFile(path, data))
    return textError(fmt::format("cannot write {}: {}", path, e.message()));
  return llvm::Error::success();
}

/// The first unit lasts ten seconds; the status line shows before that what the seeds cover.
CoverageTally Campaign::coverageSoFar() const {
  CoverageTally tally = tally_;
  if (const UnitMap running = maps_.soFar(); sumOf(running.executions))
    tally.add(unitOf(variant_.layout, running, /*isComplete=*/false));
  return tally;
}

void Campaign::updateStatus(const CampaignEvents &events, bool isOver) {
  const auto now = steady_clock::now();
  status_.seconds = duration<double>(now - firstExecution_.value_or(now)).count();
  status_.sessionExecutions = maps_.startedExecutions() - executionsAtStart_;
  const double since = duration<double>(now - rateTaken_).count();
  if (since >= 2) {
    const uint64_t started = maps_.startedExecutions();
    status_.executionsPerSecond = static_cast<double>(started - executionsBefore_) / since;
    executionsBefore_ = started;
    rateTaken_ = now;
  }
  const CoverageTally tally = isOver ? tally_ : coverageSoFar();
  status_.coverage = tally.counts();
  // While the campaign runs, executions that no stored unit has yet count too.
  status_.executions = isOver ? sumOf(status_.coverage.stages) : maps_.startedExecutions();
  if (events.onCoverage) events.onCoverage(status_, tally);
}

/// AFL++ takes seconds to start, in which the program is not fuzzed.
void Campaign::noticeStart(steady_clock::time_point now) {
  // Without recording, executions are not counted: then the campaign counts as started at once.
  if (!firstExecution_ && (!options_.record || maps_.startedExecutions() > executionsAtStart_))
    firstExecution_ = now;
}

bool Campaign::isTimeOver(steady_clock::time_point now) const {
  constexpr minutes kLongestStart{1};
  const auto since = firstExecution_.value_or(began_ + kLongestStart);
  return options_.maxTime.count() && now - since >= options_.maxTime;
}

/// Time at the end for the crashes and hangs that were found last. What is left waits for --resume.
static constexpr seconds kTriagePatience{20};

llvm::Expected<CampaignEnd> Campaign::run(const CampaignEvents &events,
                                          const std::atomic<bool> &stop) {
  AflOptions afl = aflOptions();
  std::error_code failed = llvm::sys::fs::create_directories(afl.output);
  if (failed) return textError(fmt::format("cannot create {}: {}", afl.output, failed.message()));
  if (afl.seeds.empty()) {
    afl.seeds = afl.output + "/seeds";
    (void)llvm::sys::fs::create_directories(afl.seeds);
    if (auto e = write(afl.seeds + "/line", "0\n")) return std::move(e);
  }
  if (!afl.dictionary.empty())
    if (auto e =
            write(afl.dictionary, joinDictionaries(options_.dictionaryWords, variant_.dictionary)))
      return std::move(e);
  maps_.setMostExecutions(options_.maxExecutions);
  began_ = unitBegan_ = rateTaken_ = steady_clock::now();
  executionsAtStart_ = executionsBefore_ = statesShown_ = maps_.startedExecutions();

  AflFuzz fuzzers(options_.aflFuzz, afl);
  Triage triage(triageOptions());
  llvm::Error error = fuzzers.start();
  std::optional<CampaignEnd> end;
  auto last = began_;
  auto lastLook = began_;
  // MAIN LOOP
  while (!error && !end) {
    std::this_thread::sleep_for(milliseconds(20));
    const auto now = steady_clock::now();
    noticeStart(now);
    // The first unit begins with the first execution, not while afl-fuzz is starting.
    const bool rests = events.mayRun && !events.mayRun();
    fuzzers.halt(rests);
    if (firstExecution_ && options_.record && !rests) passTime(now - last);
    last = now;
    if ((error = storeFinished())) break;
    if ((error = fuzzers.poll())) break;
    status_.restarts = fuzzers.restarts();
    if (now - lastLook >= milliseconds(250)) {
      lastLook = now;
      maps_.dropDead();
      if (!takeCrashes(triage, events)) end = CampaignEnd::Interrupted;
      llvm::Expected<bool> areEnough = areStatesEnough(events);
      if ((error = areEnough.takeError())) break;
      if (*areEnough) end = CampaignEnd::Stable;
      updateStatus(events, /*isOver=*/false);
      if (events.onProgress) events.onProgress(status_);
    }
    if (stop) end = CampaignEnd::Interrupted;
    if (fuzzers.hasNoSeed()) end = CampaignEnd::NoSeed;
    if (options_.maxUnits && tally_.units() >= options_.maxUnits) end = CampaignEnd::MaxUnits;
    if (isTimeOver(now)) end = CampaignEnd::MaxTime;
    if (options_.maxExecutions && maps_.startedExecutions() >= options_.maxExecutions &&
        maps_.isIdle())
      end = CampaignEnd::MaxExecutions;
  }
  // An execution that was in flight may still end. Afterwards no process writes to the maps.
  fuzzers.stop(end == CampaignEnd::MaxExecutions ? milliseconds(500) : milliseconds(3000));
  maps_.dropDead();
  if (!error) error = storeRest();
  if (!error) error = storeStates();
  if (!error) {
    triage.look();
    for (const std::string &seed : fuzzers.crashingSeeds()) triage.add(seed, /*hangs=*/false);
    triage.finish(kTriagePatience);
    if (!takeCrashes(triage, events)) end = CampaignEnd::Interrupted;
  }
  updateStatus(events, /*isOver=*/true);
  store_.leaveWalMode();
  if (error) return std::move(error);
  return *end;
}

} // namespace fathom::campaign
