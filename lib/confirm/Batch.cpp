// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Batch.h"

#include "confirm/Children.h"
#include "confirm/FindingJson.h"
#include "confirm/Groups.h"
#include "confirm/PlaceIndex.h"
#include "confirm/Rules.h"
#include "confirm/SharedSearch.h"
#include "confirm/Tries.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::confirm {

using evidence::StackFrame;
using std::chrono::milliseconds;

namespace {

/// Sources of one report by the value flow that are tried.
constexpr size_t kMaxSources = 3;

/// The places as the program has them. \returns the code that they lie in; no function: the sink
/// has no code, and `why` says it.
Extent resolve(Defect &defect, const PlaceIndex &index, std::string &why) {
  PlaceIndex::Match sink = index.find(defect.sink);
  why = sink.why;
  if (!why.empty()) return {};
  defect.sink.file = std::move(sink.file);
  std::set<uint32_t> functions{sink.functions[0]};
  // A step without code leads nowhere: a declaration, or a line of another program.
  std::erase_if(defect.steps, [&](Place &step) {
    PlaceIndex::Match at = index.find(step);
    if (!at.why.empty()) return true;
    step.file = std::move(at.file);
    functions.insert(at.functions[0]);
    return false;
  });
  Extent out{static_cast<uint32_t>(functions.size()), 0};
  for (const uint32_t f : functions) out.branches += index.branchesOf(f);
  return out;
}

/// Which of two verdicts on a report says more, where each is about another program or source.
bool saysMore(const Finding &a, const Finding &b) {
  const auto rank = [](const Finding &f) {
    switch (f.verdict) {
    case Verdict::Confirmed: return 3;
    case Verdict::Possible: return 2;
    case Verdict::Open: return 1;
    case Verdict::Refuted: return 0;
    }
    return 0;
  };
  return rank(a) > rank(b);
}

/// A try after another one: what that has shown is true, and a longer one may show more. The last
/// try may have had less, for the time was over.
bool isNews(const Finding &now, const Finding &before) {
  if (isShown(now.verdict) && isShown(before.verdict)) return !saysMore(before, now);
  if (now.verdict != Verdict::Open) return true;
  return before.verdict == Verdict::Open && now.had >= before.had;
}

/// With every source that the value flow names for a report that names none.
Finding check(const Confirmer &confirmer, const Defect &defect,
              const std::vector<std::vector<Place>> &sources, const ReportTime &time,
              const KnownInputs &inputs) {
  if (sources.empty()) return confirmer.check(defect, time, inputs.of(defect));
  Finding out;
  double seconds = 0;
  uint64_t paths = 0;
  bool wantsTime = false;
  for (size_t i = 0; i < std::min(sources.size(), kMaxSources); ++i) {
    Defect begun = defect;
    begun.steps = sources[i];
    begun.isSourceGuessed = true;
    Finding one = confirmer.check(begun, time, inputs.of(begun));
    seconds += one.seconds;
    paths += one.paths;
    wantsTime |= one.wantsTime;
    if (i == 0 || saysMore(one, out)) out = std::move(one);
    if (isShown(out.verdict)) break;
  }
  out.seconds = seconds;
  out.paths = paths;
  // Another source may show it where one stayed open.
  if (out.verdict == Verdict::Open) out.wantsTime = wantsTime;
  if (out.verdict == Verdict::Refuted) {
    // The checkers' searches have bounds, and of null pointers they tell the nearest source only.
    out.verdict = Verdict::Open;
    out.cut = Cut::NoSource;
    out.settledBy.clear();
    out.reason = fmt::format("no path from {} that the value flow gives shows it; there may be "
                             "other sources",
                             sources.size() == 1 ? "the source" : "the sources");
  }
  return out;
}

} // namespace

/// What is asked of one program.
struct Batch::Questions {
  Groups groups;
  std::vector<uint32_t> groupOf; ///< of each report; UINT32_MAX: not asked
  std::unique_ptr<PlaceIndex> index;
};

Batch::Batch(std::vector<std::unique_ptr<ReportFile>> files,
             const std::function<bool(const Defect &)> &wanted)
    : files_(std::move(files)) {
  size_t count = 0;
  for (const auto &file : files_) {
    firstOfFile_.push_back(count);
    count += file->size();
  }
  verdicts_.resize(count);
  findings_.emplace_back();
  for (size_t i = 0; i < count; ++i) {
    verdicts_[i].leader = verdicts_[i].cause = static_cast<uint32_t>(i);
    if (wanted) verdicts_[i].isWanted = wanted(defect(i));
  }
}

Defect Batch::defect(size_t i) const {
  const size_t file =
      std::upper_bound(firstOfFile_.begin(), firstOfFile_.end(), i) - firstOfFile_.begin() - 1;
  return files_[file]->defect(i - firstOfFile_[file]);
}

Defect Batch::located(size_t i) const {
  Defect out = defect(i);
  if (const uint32_t file = verdicts_[i].file) out.sink.file = sinkFiles_[file];
  return out;
}

uint32_t Batch::add(Finding finding) {
  findings_.push_back(std::move(finding));
  return static_cast<uint32_t>(findings_.size() - 1);
}

uint32_t Batch::addOpen(Cut cause, const std::string &reason) {
  auto [known, isNew] = open_.try_emplace({cause, reason}, 0);
  if (isNew) {
    Finding finding;
    finding.cut = cause;
    finding.reason = reason;
    known->second = add(std::move(finding));
  }
  return known->second;
}

void Batch::assignVerdict(size_t report, uint32_t finding, size_t leader, uint32_t rank) {
  ReportVerdict &verdict = verdicts_[report];
  const bool hadCode = verdict.finding && verdict.hasCode;
  verdict.hasCode = true;
  if (hadCode && !saysMore(findings_[finding], findings_[verdict.finding])) return;
  verdict.finding = finding;
  verdict.leader = static_cast<uint32_t>(leader);
  verdict.rank = rank;
}

Batch::Questions Batch::match(const program::Program &program) {
  Questions out;
  out.index = std::make_unique<PlaceIndex>(program);
  out.groupOf.assign(size(), UINT32_MAX);
  for (size_t i = 0; i < size(); ++i) {
    ReportVerdict &verdict = verdicts_[i];
    if (!verdict.isWanted) continue;
    Defect defect = this->defect(i);
    const auto open = [&](Cut cause, const std::string &reason) {
      if (!verdict.hasCode) verdict.finding = addOpen(cause, reason);
    };
    std::string why;
    if (!defect.setAside.empty()) {
      open(Cut::NotReported, defect.setAside);
    } else if (!defect.sink.line || defect.sink.file.empty()) {
      open(Cut::NoLocation, "the report has no location");
    } else if (defect.kinds.empty()) {
      const std::string rule = defect.rule.empty() ? "(none)" : defect.rule;
      open(Cut::UnknownRule,
           isOfOpenFile(defect.rule, defect.message)
               ? fmt::format("exploration does not check whether files are closed (rule {})", rule)
               : fmt::format("no kind of bug that exploration finds fits rule {}", rule));
    } else if (const Extent extent = resolve(defect, *out.index, why); !extent.functions) {
      open(Cut::NoCode, why);
    } else {
      out.groupOf[i] = out.groups.add(i, defect, extent);
      const auto [known, isNew] = fileNumbers_.try_emplace(defect.sink.file, sinkFiles_.size());
      if (isNew) sinkFiles_.push_back(defect.sink.file);
      verdict.file = known->second;
    }
  }
  return out;
}

Defect Batch::question(const Questions &questions, uint32_t group) const {
  Defect out = defect(questions.groups.all()[group].leader);
  std::string why;
  resolve(out, *questions.index, why);
  return out;
}

bool Batch::isAnswered(const program::Program &program, const KeptVerdicts &kept) {
  const Questions questions = match(program);
  for (uint32_t group = 0; group < questions.groups.all().size(); ++group)
    if (!kept.find(questionKey(question(questions, group)))) return false;
  return true;
}

/// The questions that no earlier run has answered.
struct Batch::Asking {
  const Questions &questions;
  std::vector<uint32_t> groups{};        ///< in the order of asking
  std::vector<milliseconds> tried{};     ///< by question: what an earlier run gave it
  std::vector<bool> wasAsked{};          ///< by question: in this run
  std::vector<uint32_t> findings{};      ///< by group; 0: none
  std::vector<GuessedSources> sources{}; ///< by question
  std::vector<size_t> toRun{};           ///< questions whose input was not run natively yet
  BatchProgress progress{};
  uint64_t asked = 0;
};

/// What one search for all of them finds.
KnownInputs Batch::inputsFor(const Asking &asking, const program::Program &program,
                             const JudgeOptions &options) const {
  if (options.confirm.times.callers.count() <= 0) return {};
  std::vector<Defect> defects;
  for (const uint32_t group : asking.groups) defects.push_back(question(asking.questions, group));
  const milliseconds perDefect = options.confirm.perDefect,
                     shared = options.confirm.times.of(perDefect).shared;
  // Inputs that are there are worth a look for a single report, too.
  const bool hasSome = !options.confirm.seeds.empty() || !options.confirm.probes.empty();
  const size_t least = hasSome ? 5 : 1;
  const auto shares = static_cast<int64_t>(std::max(defects.size(), least));
  milliseconds time = std::min(perDefect, shared * shares);
  if (const std::optional<milliseconds> left = leftUntil(options.until))
    time = std::min(time, *left / 4);
  if (time.count() <= 0) return {};
  ConfirmOptions confirm = options.confirm;
  confirm.explore.maxMemoryBytes = options.memoryBytes;
  return findInputs(program, confirm, defects, time);
}

void Batch::exploreGroups(Asking &asking, const program::Program &program,
                          const JudgeOptions &options) {
  ConfirmOptions confirm = options.confirm;
  RoundOptions rounds;
  rounds.children.jobs = std::max(1u, options.jobs);
  rounds.children.stop = confirm.stop;
  rounds.perItem = confirm.perDefect;
  // Steps may take far longer than their times (WorkClock.h), and sources are tried in turn.
  rounds.patience = kMaxSources * 6;
  rounds.until = options.until;
  rounds.most = options.rounds;
  if (options.memoryBytes) {
    // The engine keeps its part; what does not listen to it is killed well above.
    confirm.explore.maxMemoryBytes = options.memoryBytes / rounds.children.jobs;
    rounds.children.memoryBytes = 2 * confirm.explore.maxMemoryBytes + (uint64_t(1) << 30);
  }
  // Whatever is built for the whole program is built here, once.
  const Confirmer confirmer(program, confirm);
  const auto defectOf = [&](size_t i) { return question(asking.questions, asking.groups[i]); };
  for (size_t i = 0; i < asking.groups.size(); ++i) {
    const Defect defect = defectOf(i);
    asking.sources.push_back(defect.steps.empty() && options.sources ? options.sources(defect)
                                                                     : GuessedSources());
  }
  rounds.ended = [&](bool isLast) { runInputs(asking, isLast, options); };
  const KnownInputs inputs =
      confirmer.hasMain() ? inputsFor(asking, program, options) : KnownInputs();
  runInRounds(
      asking.tried, rounds,
      [&](size_t i, const Round &round) {
        Finding finding =
            check(confirmer, defectOf(i), asking.sources[i].all, timeOf(round), inputs);
        return llvm::formatv("{0}", toJson(ofRound(std::move(finding), round))).str();
      },
      [&](size_t i, const ChildEnd &end, const Round &round) {
        return takeResult(asking, i, end, round, options);
      },
      [&](const Round &round) {
        asking.progress.round = round;
        asking.progress.asked = 0;
        asking.progress.toAsk = round.items;
        options.progress(asking.progress);
      });
}

Next Batch::takeResult(Asking &asking, size_t item, const ChildEnd &end, const Round &round,
                       const JudgeOptions &options) {
  uint32_t &known = asking.findings[asking.groups[item]];
  Finding finding = findingOf(end, round);
  if (end.kind == ChildEnd::Kind::AllOver || end.kind == ChildEnd::Kind::Interrupted) {
    if (!known) known = addOpen(finding.cut, finding.reason);
    return Next::Settled;
  }
  BatchProgress &progress = asking.progress;
  asking.asked += !asking.wasAsked[item];
  asking.wasAsked[item] = true;
  if (!known || isNews(finding, findings_[known])) {
    if (known) --progress.verdicts[findings_[known].verdict];
    ++progress.verdicts[finding.verdict];
    if (known)
      findings_[known] = std::move(finding);
    else
      known = add(std::move(finding));
    if (findings_[known].reproduction && options.runNatively)
      asking.toRun.push_back(item);
    else
      keepVerdict(asking, item, options);
  }
  ++progress.asked;
  options.progress(progress);
  if (round.isWhole || !findings_[known].wantsTime) return Next::Settled;
  return findings_[known].verdict == Verdict::Open ? Next::Again : Next::AgainLater;
}

void Batch::keepVerdict(const Asking &asking, size_t item, const JudgeOptions &options) {
  if (!options.kept) return;
  const uint32_t group = asking.groups[item];
  const Finding &finding = findings_[asking.findings[group]];
  options.kept->keep(questionKey(question(asking.questions, group)), finding, finding.had,
                     asking.sources[item].isPartial);
}

/// What the native run came to, after "feasible from main with an input".
static std::string nativeText(const Reproduction &native) {
  if (native.isReproduced) return ", natively reproduced: " + native.symptom;
  if (native.symptom.empty()) return ", not run natively";
  return ", without a symptom natively: " + native.symptom;
}

void Batch::runInputs(Asking &asking, bool isLast, const JudgeOptions &options) {
  // To build the native program takes a while, where an earlier run has not.
  constexpr milliseconds kMaxOfOne{60000}, kLeastAtTheEnd{2000};
  const auto findingOfItem = [&](size_t item) -> Finding & {
    return findings_[asking.findings[asking.groups[item]]];
  };
  std::vector<size_t> items = std::exchange(asking.toRun, {});
  // One that was put back may have been asked again since: it is here twice, or its finding is
  // another one.
  std::ranges::sort(items);
  const auto repeated = std::ranges::unique(items);
  items.erase(repeated.begin(), repeated.end());
  std::erase_if(items, [&](size_t item) {
    Finding &finding = findingOfItem(item);
    if (!finding.reproduction) return true;
    if (!finding.reproduction->input.empty()) return false;
    finding.reason += nativeText(*finding.reproduction); // it could not be written
    return true;
  });
  if (items.empty()) return;
  ChildrenOptions children;
  children.jobs = std::max(1u, options.jobs);
  children.stop = options.confirm.stop;
  children.time = kMaxOfOne;
  // What is open needs most of what is left.
  if (const std::optional<milliseconds> left = leftUntil(options.until))
    children.all = isLast ? std::max(*left, kLeastAtTheEnd) : std::max(*left / 4, milliseconds(1));
  runInChildren(
      items.size(), children,
      [&](size_t k) {
        Reproduction native = *findingOfItem(items[k]).reproduction;
        options.runNatively(native);
        return llvm::formatv("{0}", toJson(native)).str();
      },
      [&](size_t k, const ChildEnd &end) {
        using enum ChildEnd::Kind;
        const bool isOver = end.kind == AllOver || end.kind == Interrupted;
        if (isOver && !isLast) return asking.toRun.push_back(items[k]);
        Finding &finding = findingOfItem(items[k]);
        Reproduction native = *finding.reproduction;
        std::string lost;
        if (end.kind == Done) {
          llvm::Expected<Reproduction> known = parseReproduction(end.text);
          if (known)
            native = std::move(*known);
          else
            lost =
                fmt::format(" (what it did cannot be read: {})", llvm::toString(known.takeError()));
        }
        native.input.clear();
        finding.reason += nativeText(native) + lost;
        finding.reproduction = std::make_shared<Reproduction>(std::move(native));
        // Another run may have the time or the memory for it.
        if (end.kind == Done && lost.empty()) keepVerdict(asking, items[k], options);
      });
}

void Batch::judgeGroups(Questions &questions, const program::Program &program,
                        const JudgeOptions &options) {
  const std::vector<Groups::Group> &groups = questions.groups.all();
  Asking asking{.questions = questions};
  asking.findings.resize(groups.size());
  BatchProgress &progress = asking.progress;
  std::vector<uint32_t> order, later;
  for (const uint32_t group : questions.groups.order())
    (!options.comesFirst || options.comesFirst(question(questions, group)) ? order : later)
        .push_back(group);
  order.insert(order.end(), later.begin(), later.end());
  for (const uint32_t group : order) {
    const std::string question =
        options.kept ? questionKey(this->question(questions, group)) : std::string();
    if (std::optional<Finding> known = options.kept ? options.kept->find(question) : std::nullopt) {
      asking.findings[group] = add(std::move(*known));
      ++progress.kept;
      continue;
    }
    std::optional<KeptVerdicts::Earlier> tried;
    if (options.kept) tried = options.kept->tried(question);
    asking.groups.push_back(group);
    asking.tried.push_back(tried ? tried->time : milliseconds(0));
    if (!tried) continue;
    ++progress.verdicts[tried->finding.verdict];
    asking.findings[group] = add(std::move(tried->finding));
  }
  asking.wasAsked.resize(asking.groups.size());
  if (!asking.groups.empty()) exploreGroups(asking, program, options);
  kept_ += progress.kept;
  asked_ += asking.asked;
  // For readers the first report of a group stands for all, whichever was explored.
  std::vector<uint32_t> first(groups.size(), UINT32_MAX), rank(groups.size());
  for (uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
  for (size_t i = 0; i < size(); ++i) {
    const uint32_t group = questions.groupOf[i];
    if (group == UINT32_MAX) continue;
    if (first[group] == UINT32_MAX) first[group] = static_cast<uint32_t>(i);
    assignVerdict(i, asking.findings[group], first[group], rank[group]);
  }
}

void Batch::judge(const program::Program &program, const JudgeOptions &options) {
  Questions questions = match(program);
  judgeGroups(questions, program, options);
  linkCauses();
}

void Batch::linkCauses() {
  std::map<std::string, uint32_t> first;
  const auto placeText = [](const StackFrame &f) {
    return fmt::format("|{}:{}:{}", f.file, f.line, f.column);
  };
  for (size_t i = 0; i < size(); ++i) {
    verdicts_[i].cause = static_cast<uint32_t>(i);
    const Finding &f = finding(i);
    if (!isShown(f.verdict)) continue;
    std::string key = fmt::format("{}", static_cast<int>(f.kind));
    const auto own = std::ranges::find_if(f.stack, &StackFrame::own);
    if (own != f.stack.end()) key += placeText(*own);
    for (const StackFrame &frame : f.related)
      if (frame.own) key += placeText(frame);
    verdicts_[i].cause = first.try_emplace(key, i).first->second;
  }
}

} // namespace fathom::confirm
