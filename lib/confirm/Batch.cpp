// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Batch.h"

#include "confirm/Children.h"
#include "confirm/FindingJson.h"
#include "confirm/Groups.h"
#include "confirm/PlaceIndex.h"

#include "llvm/Support/FormatVariadic.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fathom::confirm {

using explore::StackFrame;

namespace {

/// Sources of one report by the value flow that are tried.
constexpr size_t kMostSources = 3;
/// Beyond its time: for what the engine does after the search, and for a machine under load.
constexpr std::chrono::seconds kGrace(15);

/// The places as the program has them. \returns in how many functions they are; 0: the sink has no
/// code, and `why` says it.
uint32_t resolve(Defect &defect, const PlaceIndex &index, std::string &why) {
  PlaceIndex::Match sink = index.find(defect.sink);
  why = sink.why;
  if (!why.empty()) return 0;
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
  return static_cast<uint32_t>(functions.size());
}

Finding findingOf(const ChildEnd &end) {
  Finding out;
  out.seconds = end.seconds;
  const auto open = [&](Cut cause, std::string reason) {
    out.cut = cause;
    out.reason = std::move(reason);
    return out;
  };
  switch (end.kind) {
  case ChildEnd::Kind::Done: {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(end.text);
    std::optional<Finding> finding;
    if (value)
      finding = findingFrom(*value);
    else
      llvm::consumeError(value.takeError());
    return finding ? *finding : open(Cut::Crash, "the engine ended without an answer");
  }
  case ChildEnd::Kind::Crashed:
    return open(Cut::Crash, fmt::format("the engine crashed ({})", end.text));
  case ChildEnd::Kind::Memory:
    return open(Cut::Memory, "the engine had no memory left (--max-memory)");
  case ChildEnd::Kind::TimedOut:
    return open(Cut::Time, "the engine did not stop when the time for one report ran out "
                           "(--report-time)");
  case ChildEnd::Kind::NotStarted: return open(Cut::Budget, end.text);
  case ChildEnd::Kind::AllOver:
    return open(Cut::Budget, "the time for all reports ran out (--max-time)");
  case ChildEnd::Kind::Interrupted: return open(Cut::Interrupted, "interrupted");
  }
  return out;
}

/// Which of two verdicts on a report says more, where each is about another program or source.
bool saysMore(const Finding &a, const Finding &b) {
  const auto rank = [](const Finding &f) {
    return f.verdict == Verdict::Confirmed ? 2 : f.verdict == Verdict::Open ? 1 : 0;
  };
  return rank(a) > rank(b);
}

/// With every source that the value flow names for a report that names none.
Finding check(const Confirmer &confirmer, const Defect &defect,
              const std::vector<std::vector<Place>> &sources) {
  if (sources.empty()) return confirmer.check(defect);
  Finding out;
  double seconds = 0;
  uint64_t paths = 0;
  for (size_t i = 0; i < std::min(sources.size(), kMostSources); ++i) {
    Defect begun = defect;
    begun.steps = sources[i];
    begun.isSourceGuessed = true;
    Finding one = confirmer.check(begun);
    seconds += one.seconds;
    paths += one.paths;
    if (i == 0 || saysMore(one, out)) out = std::move(one);
    if (out.verdict == Verdict::Confirmed) break;
  }
  out.seconds = seconds;
  out.paths = paths;
  if (out.verdict == Verdict::Refuted) {
    // The checkers' searches have bounds, and of null pointers they tell the nearest source only.
    out.verdict = Verdict::Open;
    out.cut = Cut::NoSource;
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

void Batch::tell(size_t report, uint32_t finding, size_t leader, uint32_t rank) {
  Told &told = verdicts_[report];
  const bool hadCode = told.finding && told.hasCode;
  told.hasCode = true;
  if (hadCode && !saysMore(findings_[finding], findings_[told.finding])) return;
  told.finding = finding;
  told.leader = static_cast<uint32_t>(leader);
  told.rank = rank;
}

Batch::Questions Batch::match(const program::Program &program) {
  Questions out;
  out.index = std::make_unique<PlaceIndex>(program);
  out.groupOf.assign(size(), UINT32_MAX);
  for (size_t i = 0; i < size(); ++i) {
    Told &told = verdicts_[i];
    if (!told.isWanted) continue;
    Defect defect = this->defect(i);
    const auto open = [&](Cut cause, const std::string &reason) {
      if (!told.hasCode) told.finding = addOpen(cause, reason);
    };
    std::string why;
    if (!defect.setAside.empty()) {
      open(Cut::NotReported, defect.setAside);
    } else if (!defect.sink.line || defect.sink.file.empty()) {
      open(Cut::NoLocation, "the report has no location");
    } else if (defect.kinds.empty()) {
      open(Cut::UnknownRule, fmt::format("Fathom knows no kind of bug for rule {}",
                                         defect.rule.empty() ? "(none)" : defect.rule));
    } else if (const uint32_t functions = resolve(defect, *out.index, why); !functions) {
      open(Cut::NoCode, why);
    } else {
      out.groupOf[i] = out.groups.add(i, defect, functions);
      const auto [known, isNew] = fileNumbers_.try_emplace(defect.sink.file, sinkFiles_.size());
      if (isNew) sinkFiles_.push_back(defect.sink.file);
      told.file = known->second;
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
    if (!kept.find(questionOf(question(questions, group)))) return false;
  return true;
}

void Batch::ask(Questions &questions, const program::Program &program,
                const JudgeOptions &options) {
  const std::vector<Groups::Group> &groups = questions.groups.all();
  std::vector<uint32_t> findingOfGroup(groups.size(), 0);
  const auto defectOf = [&](uint32_t group) { return question(questions, group); };
  BatchProgress progress;
  std::vector<uint32_t> toAsk;
  const std::vector<uint32_t> order = questions.groups.order();
  for (const uint32_t group : order) {
    std::optional<Finding> known;
    if (options.kept) known = options.kept->find(questionOf(defectOf(group)));
    if (known) {
      findingOfGroup[group] = add(std::move(*known));
      ++progress.kept;
    } else {
      toAsk.push_back(group);
    }
  }
  progress.toAsk = toAsk.size();
  options.progress(progress);
  if (!toAsk.empty()) {
    ConfirmOptions confirm = options.confirm;
    ChildrenOptions children;
    children.jobs = std::max(1u, options.jobs);
    children.wall = confirm.perDefect * kMostSources + kGrace;
    children.all = options.time;
    children.stop = confirm.stop;
    if (options.memoryBytes) {
      // The engine keeps its part; what does not listen to it is killed well above.
      confirm.explore.maxMemoryBytes = options.memoryBytes / children.jobs;
      children.memoryBytes = 2 * confirm.explore.maxMemoryBytes + (uint64_t(1) << 30);
    }
    // Whatever is built for the whole program is built here, once.
    const Confirmer confirmer(program, confirm);
    std::map<uint32_t, std::vector<std::vector<Place>>> sources;
    for (const uint32_t group : toAsk)
      if (const Defect defect = defectOf(group); defect.steps.empty() && options.sources)
        sources[group] = options.sources(defect);
    runInChildren(
        toAsk.size(), children,
        [&](size_t i) {
          return llvm::formatv("{0}",
                               toJson(check(confirmer, defectOf(toAsk[i]), sources[toAsk[i]])))
              .str();
        },
        [&](size_t i, const ChildEnd &end) {
          Finding finding = findingOf(end);
          const bool isRun =
              end.kind != ChildEnd::Kind::AllOver && end.kind != ChildEnd::Kind::Interrupted;
          progress.asked += isRun;
          progress.confirmed += finding.verdict == Verdict::Confirmed;
          progress.refuted += finding.verdict == Verdict::Refuted;
          if (options.kept) options.kept->keep(questionOf(defectOf(toAsk[i])), finding);
          findingOfGroup[toAsk[i]] =
              isRun ? add(std::move(finding)) : addOpen(finding.cut, finding.reason);
          options.progress(progress);
        });
  }
  kept_ += progress.kept;
  asked_ += progress.asked;
  // For readers the first report of a group stands for all, whichever was explored.
  std::vector<uint32_t> first(groups.size(), UINT32_MAX), rank(groups.size());
  for (uint32_t k = 0; k < order.size(); ++k) rank[order[k]] = k;
  for (size_t i = 0; i < size(); ++i) {
    const uint32_t group = questions.groupOf[i];
    if (group == UINT32_MAX) continue;
    if (first[group] == UINT32_MAX) first[group] = static_cast<uint32_t>(i);
    tell(i, findingOfGroup[group], first[group], rank[group]);
  }
}

void Batch::judge(const program::Program &program, const JudgeOptions &options) {
  Questions questions = match(program);
  ask(questions, program, options);
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
    if (f.verdict != Verdict::Confirmed) continue;
    std::string key = fmt::format("{}", static_cast<int>(f.kind));
    const auto own = std::ranges::find_if(f.stack, &StackFrame::own);
    if (own != f.stack.end()) key += placeText(*own);
    for (const StackFrame &frame : f.related)
      if (frame.own) key += placeText(frame);
    verdicts_[i].cause = first.try_emplace(key, i).first->second;
  }
}

} // namespace fathom::confirm
