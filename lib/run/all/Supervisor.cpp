// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/Supervisor.h"

#include "run/all/CoveredFile.h"
#include "run/all/RunBugs.h"
#include "support/NumberText.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace fathom::run {

using std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kSuperviseEvery{100}, kProgress{500};
/// How often covered.json is written.
constexpr std::chrono::seconds kCoveredEvery{5};
/// A slice: after each it is decided anew who runs.
constexpr std::chrono::milliseconds kSlice{2000};
/// For a part to write its results after it was told to end: triage of the last crashes is 20 s.
constexpr std::chrono::seconds kPatience{60};

} // namespace

Supervisor::Supervisor(const RunRequest &request, PartContext context, RunEvents events,
                       std::array<uint64_t, kRunParts> bugsBefore,
                       const report::Dismissals &dismissals, Session &session)
    : request_(request), context_(std::move(context)), events_(std::move(events)),
      session_(session), shares_({{}, widthOf(Part::Fuzz), widthOf(Part::Explore), {}, {}}),
      bugsBefore_(bugsBefore), dismissals_(dismissals) {
  // Only those that run share anything.
  for (const Part part : {Part::Seeds, Part::Scan, Part::Confirm}) shares_.remove(indexOf(part));
  if (!request_.sync.empty()) shares_.remove(indexOf(Part::Fuzz));
}

/// Half of the processors fuzz, all or none of them; explorers can have any number of processors.
Shares::Width Supervisor::widthOf(Part part) const {
  if (part == Part::Fuzz) {
    const unsigned half = std::max(1u, request_.jobs / 2);
    return {half, half};
  }
  return {1, part == Part::Explore ? request_.jobs : 1};
}

Moment Supervisor::now() const {
  const double seconds = std::chrono::duration<double>(steady_clock::now() - began_).count();
  double all = 0;
  for (const PartResult &part : result_.parts) all += part.processorSeconds;
  return {seconds, all};
}

llvm::Error Supervisor::start(Part part) {
  PartContext context = context_;
  context.jobs = widthOf(part).most;
  const auto work = [&context, part] {
    switch (part) {
    case Part::Seeds: break;
    case Part::Fuzz: return fuzzPart(context);
    case Part::Explore: return explorePart(context);
    case Part::Scan: return scanPart(context);
    case Part::Confirm: return confirmPart(context);
    }
    return 0;
  };
  llvm::Expected<Activity> activity = Activity::start(nameOf(part), work);
  if (!activity) return activity.takeError();
  running_.push_back({part, std::move(*activity)});
  running_.back().bugs = bugsBefore_[indexOf(part)];
  return llvm::Error::success();
}

bool Supervisor::isRunning(Part part) const {
  return std::ranges::find(running_, part, &Running::part) != running_.end();
}

llvm::Error Supervisor::startNext() {
  if (!request_.scans) return llvm::Error::success();
  if (!hasScanned_) {
    hasScanned_ = true;
    return start(Part::Scan);
  }
  if (hasConfirmed_ || isRunning(Part::Scan)) return llvm::Error::success();
  hasConfirmed_ = true;
  const PartNumbers &scan = context_.parts->of(Part::Scan);
  if (!scan.reports && !scan.dismissed) return llvm::Error::success();
  return start(Part::Confirm);
}

/// A side belongs to the part that was seen to cover it first. A part that offers an input has
/// covered its sides before the other part follows it.
void Supervisor::countSides() {
  SharedParts &parts = *context_.parts;
  known_.resize(parts.sides);
  std::array<uint64_t, kRunParts> fresh{};
  for (uint32_t side = 0; side < known_.size(); side++) {
    const uint8_t by = known_[side] ? 0 : parts.coveredBy[side].load(std::memory_order_relaxed);
    if (!by) continue;
    known_[side] = true;
    for (const Part part : {Part::Seeds, Part::Fuzz, Part::Explore})
      if (by & SharedParts::bit(part)) {
        fresh[indexOf(part)]++;
        break;
      }
  }
  for (const Part part : {Part::Seeds, Part::Fuzz, Part::Explore}) {
    const uint64_t sides = fresh[indexOf(part)];
    if (!sides) continue;
    covered_ += sides;
    result_.parts[indexOf(part)].sides += sides;
    events_.sides(now(), part, sides, covered_);
    if (part == Part::Seeds) continue; // they are no discovery
    gains_[indexOf(part)] += static_cast<double>(sides);
    stopRule_.found(now().processorSeconds, sides);
  }
}

void Supervisor::noteEnd(Running &running) {
  PartResult &part = result_.parts[indexOf(running.part)];
  part.failure = running.activity.failure();
  events_.ended(now(), running.part, part.failure);
  shares_.remove(indexOf(running.part));
  if (running.part == Part::Fuzz) context_.parts->isFuzzOver = true;
  if (!part.failure.empty() && whyOver() == std::nullopt)
    session_.observer.warn(fmt::format("{} {}; what it said is in {}/logs/{}.log",
                                       nameOf(running.part), part.failure, request_.folder,
                                       nameOf(running.part)));
}

void Supervisor::countOpenBugs(Running &running, uint64_t bugs) {
  if (bugs == running.countedBugs) return;
  llvm::Expected<BugCount> count = countBugs(context_.folder, running.part, dismissals_);
  if (!count) return llvm::consumeError(count.takeError()); // the end tells of what cannot be read
  openBugs_[indexOf(running.part)] = count->open;
  if (count->all >= bugs) running.countedBugs = bugs; // otherwise one is still being written
}

void Supervisor::look() {
  for (Running &running : running_) {
    running.isOver = running.activity.isOver(); // before its last numbers are read
    PartResult &part = result_.parts[indexOf(running.part)];
    PartNumbers &numbers = context_.parts->of(running.part);
    part.processorSeconds = running.activity.processorSeconds();
    part.work = numbers.work;
    part.inputs = numbers.inputs;
    const uint64_t bugs = part.bugs = numbers.bugs;
    countOpenBugs(running, bugs);
    while (running.bugs < bugs) {
      events_.bug(now(), running.part, ++running.bugs);
      gains_[indexOf(running.part)] += Shares::kBug;
    }
    const uint64_t reports =
        running.part == Part::Confirm ? numbers.settled() : numbers.reports.load();
    if (reports > running.reports) events_.reports(now(), running.part, running.reports = reports);
  }
  countSides();
  for (Running &running : running_)
    if (running.isOver) noteEnd(running);
  std::erase_if(running_, [](const Running &running) { return running.isOver; });
  if (steady_clock::now() < nextCovered_) return;
  nextCovered_ = steady_clock::now() + kCoveredEvery;
  if (llvm::Error e = writeCovered(context_.folder, *context_.parts))
    result_.failure = llvm::toString(std::move(e));
}

void Supervisor::share() {
  if (steady_clock::now() < nextSlice_) return;
  nextSlice_ = steady_clock::now() + kSlice;
  // Scanning and judging are bounded work: they are never halted, and leave the rest to the others.
  unsigned processors = request_.jobs;
  for (Running &running : running_) {
    const size_t i = indexOf(running.part);
    const bool isBounded = running.part == Part::Scan || running.part == Part::Confirm;
    if (isBounded && processors > 1) processors--;
    const double seconds = result_.parts[i].processorSeconds;
    if (isBounded || (!given_[i] && !gains_[i])) continue;
    shares_.note(i, seconds - spent_[i], gains_[i]);
    spent_[i] = seconds;
    gains_[i] = 0;
  }
  given_ = shares_.next(processors);
  giveProcessors();
}

/// Both rest by themselves. Halted from outside, in the middle of a query or an execution, they
/// would take the time for that of the query, or for a hang.
void Supervisor::giveProcessors() {
  SharedParts &parts = *context_.parts;
  parts.of(Part::Explore).processors = given_[indexOf(Part::Explore)];
  // Until the campaign has tried its initial inputs, the explorer does not know what they cover.
  const bool hasBegun = result_.parts[indexOf(Part::Fuzz)].work > 0;
  parts.of(Part::Fuzz).processors =
      hasBegun ? given_[indexOf(Part::Fuzz)] : widthOf(Part::Fuzz).least;
}

std::optional<std::string> Supervisor::whyOver() const {
  if (session_.interruption.stop) return "interrupted";
  if (request_.limits.time.count() && steady_clock::now() - began_ >= request_.limits.time)
    return "time budget spent (--max-time)";
  for (const Part part : {Part::Fuzz, Part::Explore})
    if (request_.maxBugs && openBugs_[indexOf(part)] >= request_.maxBugs)
      return "enough bugs were found (--max-bugs)";
  // Scan has ended, and what it reports has still to be judged.
  const bool isJudged = !request_.scans || hasConfirmed_;
  if (running_.empty() && isJudged) return "all parts have ended";
  if (!request_.stopsEarly || !isJudged || isRunning(Part::Confirm)) return std::nullopt;
  const double seconds = now().processorSeconds;
  if (!stopRule_.isEnough(seconds)) return std::nullopt;
  return fmt::format(
      "going on for as long again would cover about {} (--no-stop goes on)",
      counted(static_cast<uint64_t>(stopRule_.predictedGain(seconds)), "more branch side"));
}

void Supervisor::tellProgress() {
  if (steady_clock::now() < nextProgress_) return;
  nextProgress_ = steady_clock::now() + kProgress;
  const auto seconds = static_cast<uint64_t>(now().seconds);
  const auto &parts = result_.parts;
  std::string line = fmt::format("{}:{:02} · {} of {} sides", seconds / 60, seconds % 60,
                                 grouped(covered_), grouped(context_.parts->sides));
  line += fmt::format(" (seeds {}, fuzz +{}, explore +{})", parts[indexOf(Part::Seeds)].sides,
                      parts[indexOf(Part::Fuzz)].sides, parts[indexOf(Part::Explore)].sides);
  line += fmt::format(" · bugs: fuzz {}, explore {}", parts[indexOf(Part::Fuzz)].bugs,
                      parts[indexOf(Part::Explore)].bugs);
  if (const uint64_t reports = context_.parts->of(Part::Scan).reports)
    line += fmt::format(" · {}", counted(reports, "report"));
  line += fmt::format(" · share: fuzz {:.0f} %, explore {:.0f} %",
                      100 * shares_.shareOf(indexOf(Part::Fuzz)),
                      100 * shares_.shareOf(indexOf(Part::Explore)));
  session_.observer.progress(line);
}

void Supervisor::endAll() {
  for (Running &running : running_) running.activity.end();
  const auto until = steady_clock::now() + kPatience;
  while (!running_.empty() && steady_clock::now() < until) {
    std::this_thread::sleep_for(kSuperviseEvery);
    look();
  }
  for (Running &running : running_) {
    session_.observer.warn(
        fmt::format("{} did not end within {} s and was killed; what it had written is kept",
                    nameOf(running.part), kPatience.count()));
    running.activity.kill();
  }
  while (!running_.empty()) {
    std::this_thread::sleep_for(kSuperviseEvery);
    look();
  }
}

RunResult Supervisor::result() {
  const Moment end = now();
  result_.wallSeconds = end.seconds;
  result_.processorSeconds = end.processorSeconds;
  result_.nextGain = stopRule_.predictedGain(end.processorSeconds);
  result_.sidesTotal = context_.parts->sides;
  result_.sidesCovered = covered_;
  result_.reports = context_.parts->of(Part::Scan).reports;
  result_.dismissedReports = context_.parts->of(Part::Scan).dismissed;
  const PartNumbers &verdicts = context_.parts->of(Part::Confirm);
  result_.confirmed = verdicts.confirmed;
  result_.possible = verdicts.possible;
  result_.refuted = verdicts.refuted;
  result_.keptVerdicts = verdicts.kept;
  if (!events_.isComplete())
    result_.failure = fmt::format("{}/events.jsonl could not be written", request_.folder);
  return std::move(result_);
}

llvm::Expected<RunResult> Supervisor::run() {
  began_ = steady_clock::now();
  given_ = shares_.next(request_.jobs);
  giveProcessors();
  if (request_.sync.empty())
    if (llvm::Error e = start(Part::Fuzz)) return std::move(e);
  if (llvm::Error e = start(Part::Explore)) return std::move(e);
  std::optional<std::string> over;
  // MAIN LOOP
  while (!(over = whyOver())) {
    if (llvm::Error e = startNext()) return std::move(e);
    std::this_thread::sleep_for(kSuperviseEvery);
    look();
    share();
    tellProgress();
  }
  result_.howEnded = *over;
  session_.observer.progress("writing results");
  endAll();
  session_.observer.endProgress();
  return result();
}

} // namespace fathom::run
