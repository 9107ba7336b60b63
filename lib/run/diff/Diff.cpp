// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/diff/Diff.h"

#include "report/Dismissals.h"
#include "run/diff/ReplayInput.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"
#include "support/NameTable.h"
#include "support/NumberText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace fathom::run {

constexpr auto kChangeNames = nameTable<Change>({{"new", Change::New},
                                                 {"fixed", Change::Fixed},
                                                 {"not-found-again", Change::NotFound},
                                                 {"unchanged", Change::Unchanged}});

const char *name(Change change) { return kChangeNames.nameOf(change).data(); }

bool Difference::isVerdictChanged(const Changed &c) const {
  if (!c.before || !c.after) return false;
  const std::string &was = before.results[*c.before].verdict, &is = after.results[*c.after].verdict;
  return !was.empty() && !is.empty() && was != is;
}

bool Difference::isNews(const Changed &c) const {
  if (!c.after || after.results[*c.after].isRefuted() || isDismissed(c)) return false;
  if (c.change == Change::New) return true;
  return isVerdictChanged(c) && after.results[*c.after].isShownByPath() &&
         !before.results[*c.before].isShownByPath();
}

size_t Difference::count(Change change) const {
  return static_cast<size_t>(std::ranges::count_if(
      changes, [&](const Changed &c) { return c.change == change && !isDismissed(c); }));
}

size_t Difference::countDismissed() const {
  return static_cast<size_t>(
      std::ranges::count_if(changes, [&](const Changed &c) { return isDismissed(c); }));
}

bool Difference::hasNews() const {
  return std::ranges::any_of(changes, [&](const Changed &c) { return isNews(c); });
}

namespace {

std::set<std::string> programNames(const ResultSet &set) {
  std::set<std::string> out;
  for (const Analysis &analysis : set.analyses)
    for (const std::string &program : analysis.programs)
      out.insert(llvm::sys::path::stem(program).str());
  return out;
}

std::set<std::string> classesOf(const ResultSet &set) {
  std::set<std::string> out;
  for (const Analysis &analysis : set.analyses) out.insert(analysis.klass);
  return out;
}

llvm::Error checkComparable(const DiffRequest &request, const Difference &d) {
  const std::set<std::string> was = programNames(d.before), is = programNames(d.after);
  if (!request.anyProgram && !was.empty() && !is.empty() &&
      std::ranges::none_of(was, [&](const std::string &name) { return is.contains(name); }))
    return usageError(fmt::format(
        "{} is about the program {}, {} about {}: expected two versions of one program; "
        "--any-program compares them if it was renamed",
        request.before, fmt::join(was, ", "), request.after, fmt::join(is, ", ")));
  const std::set<std::string> olds = classesOf(d.before), news = classesOf(d.after);
  if (std::ranges::none_of(olds, [&](const std::string &klass) { return news.contains(klass); }))
    return usageError(fmt::format(
        "{} has {}, {} has {}: nothing of these can be compared; expected "
        "results of one kind of analysis",
        request.before, fmt::join(olds, " and "), request.after, fmt::join(news, " and ")));
  return llvm::Error::success();
}

/// Members of a run's options that say how much is searched, and not for what.
bool isSameQuestion(const llvm::json::Object &was, const llvm::json::Object &is) {
  static const std::set<std::string> kBudgets = {
      "search",     "max-instructions",  "max-depth",      "max-forks",         "only-seeds",
      "trace-from", "trace-to",          "echo-output",    "only-new-coverage", "seed",
      "smt2",       "stop-at-first-bug", "readable-inputs"};
  const auto inputs = [](const llvm::json::Object &run) {
    const llvm::json::Array *all = run.getArray("arguments");
    llvm::json::Array out;
    for (size_t i = 1; all && i < all->size(); ++i) out.push_back((*all)[i]);
    return out;
  };
  if (inputs(was) != inputs(is)) return false;
  const llvm::json::Object *old = was.getObject("options"), *now = is.getObject("options");
  if (!old || !now) return false;
  for (const auto &[key, value] : *old)
    if (const llvm::json::Value *other = now->get(key);
        !kBudgets.contains(key.str()) && (!other || *other != value))
      return false;
  return true;
}

class Differ {
public:
  Differ(const DiffRequest &request, Session &session) : request_(request), session_(session) {}

  // MAIN LOOP
  llvm::Expected<Difference> run() {
    for (auto &[path, into] :
         {std::pair(&request_.before, &out_.before), {&request_.after, &out_.after}}) {
      auto read = readResults(*path, request_.unfinished);
      if (!read) return read.takeError();
      *into = std::move(*read);
    }
    if (llvm::Error e = checkComparable(request_, out_)) return std::move(e);
    noteOneSided();
    if (llvm::Error e = markDismissed()) return std::move(e);
    if (llvm::Error e = findProgram()) return std::move(e);
    pair();
    for (size_t i = 0; i < out_.before.results.size(); ++i)
      if (!isPairedBefore_[i]) addGone(i);
    for (size_t i = 0; i < out_.after.results.size(); ++i)
      if (!isPairedAfter_[i]) addNew(i);
    session_.observer.endProgress();
    sortChanges();
    return std::move(out_);
  }

private:
  /// What only one of them has is neither new nor gone.
  void noteOneSided() {
    const std::set<std::string> was = classesOf(out_.before), is = classesOf(out_.after);
    for (const auto &[set, other] : {std::pair(&out_.before, &is), {&out_.after, &was}})
      for (const std::string &klass : classesOf(*set))
        if (!other->contains(klass))
          out_.notes.push_back(
              fmt::format("only {} has {}: they are not compared", set->path, klass));
    common_.clear();
    std::ranges::set_intersection(was, is, std::inserter(common_, common_.end()));
  }

  llvm::Error markDismissed() {
    std::vector<std::string> places = request_.programs;
    for (const Analysis &analysis : out_.after.analyses)
      places.insert(places.end(), analysis.programs.begin(), analysis.programs.end());
    if (!out_.after.results.empty()) places.push_back(out_.after.results.front().file);
    auto dismissals = asUsage(report::Dismissals::forProgram(request_.dismissed, places));
    if (!dismissals) return dismissals.takeError();
    for (KnownResult &result : out_.after.results)
      result.mark = dismissals->judge({result.identity, result.rule, result.function, result.file});
    return llvm::Error::success();
  }

  bool isCompared(const ResultSet &set, const KnownResult &result) const {
    return common_.contains(set.analyses[result.analysis].klass);
  }

  /// The new version, for old inputs.
  llvm::Error findProgram() {
    program_.time = request_.replayTime;
    if (!request_.replays) return llvm::Error::success();
    if (!request_.programs.empty()) {
      if (llvm::Error e = requireRegularPrograms(request_.programs)) return e;
      for (const std::string &program : request_.programs)
        if (!llvm::sys::fs::exists(program))
          return usageError(fmt::format("--program {}: no such file", program));
      program_.programs = request_.programs;
    } else {
      for (const Analysis &analysis : out_.after.analyses)
        if (program_.programs.empty() && !analysis.programs.empty() &&
            std::ranges::all_of(analysis.programs,
                                [](const std::string &p) { return llvm::sys::fs::exists(p); }))
          program_.programs = analysis.programs;
    }
    for (std::string &program : program_.programs) program = absolutePath(program);
    return llvm::Error::success();
  }

  void pair() {
    isPairedBefore_.resize(out_.before.results.size());
    isPairedAfter_.resize(out_.after.results.size());
    std::vector<Match> edited;
    for (const Match &match : matchResults(out_.before, out_.after)) {
      Changed changed{Change::Unchanged, match.before, match.after, match.by, "", false};
      // One bug may have been mended, and another one made in the same function.
      if (match.by == MatchedBy::Words) {
        edited.push_back(match);
        continue;
      }
      take(std::move(changed));
    }
    for (const Match &match : edited) {
      Changed changed{Change::Unchanged, match.before, match.after, match.by, "", false};
      const Replayed &replayed = replay(match.before);
      if (replayed.end == ReplayEnd::Passes) continue; // is fixed; the other one is new
      changed.isReplayed = replayed.end == ReplayEnd::Fails;
      if (changed.isReplayed && replayed.id != out_.after.results[match.after].identity.id)
        continue; // that is another one
      take(std::move(changed));
    }
  }

  void take(Changed changed) {
    isPairedBefore_[*changed.before] = isPairedAfter_[*changed.after] = true;
    others_.insert(out_.after.results[*changed.after].identity.id);
    out_.changes.push_back(std::move(changed));
  }

  void sortChanges() {
    std::vector<Changed> sorted;
    for (const Change change : kChanges)
      std::ranges::copy_if(out_.changes, std::back_inserter(sorted),
                           [&](const Changed &c) { return c.change == change; });
    out_.changes = std::move(sorted);
  }

  void addNew(size_t i) {
    if (isCompared(out_.after, out_.after.results[i]))
      out_.changes.push_back({Change::New, std::nullopt, i, std::nullopt, "", false});
  }

  void addGone(size_t i) {
    const KnownResult &old = out_.before.results[i];
    if (!isCompared(out_.before, old)) return;
    if (old.isRefuted()) {
      out_.refutedGone++;
      return;
    }
    Changed changed{Change::NotFound, i, std::nullopt, std::nullopt, "", false};
    const Replayed &replayed = replay(i);
    if (replayed.end == ReplayEnd::Fails)
      for (size_t n = 0; n < out_.after.results.size(); ++n)
        if (!isPairedAfter_[n] && out_.after.results[n].identity.id == replayed.id)
          return take({Change::Unchanged, i, n, MatchedBy::Input, "", /*isReplayed=*/true});
    changed.isReplayed = replayed.end != ReplayEnd::Unknown;
    changed.reason = replayed.text;
    switch (replayed.end) {
    case ReplayEnd::Passes: changed.change = Change::Fixed; break;
    case ReplayEnd::Fails:
      changed.change = Change::Unchanged;
      changed.reason += "; the new run has not found it";
      break;
    case ReplayEnd::Other:
    case ReplayEnd::Unknown: {
      const auto [isFixed, why] = judgeByAnalysis(old);
      if (isFixed) changed.change = Change::Fixed;
      if (changed.reason.empty() || (isFixed && replayed.end == ReplayEnd::Unknown))
        changed.reason = why;
      else if (!why.empty())
        changed.reason += "; " + why;
    }
    }
    out_.changes.push_back(std::move(changed));
  }

  /// Without its input: does the new analysis say that it is gone?
  std::pair<bool, std::string> judgeByAnalysis(const KnownResult &old) const {
    const Analysis &was = out_.before.analyses[old.analysis];
    const bool isBug = was.klass == "bugs";
    std::string why;
    for (const Analysis &is : out_.after.analyses) {
      if (is.klass != was.klass) continue;
      if (isBug) {
        if (is.isComplete && is.run && was.run && is.tool == was.tool &&
            isSameQuestion(*was.run, *is.run))
          return {true,
                  "all paths of the new program were explored under the same inputs, and none "
                  "shows it"};
        why = is.howEnded.empty() ? "" : fmt::format("the new run ended by: {}", is.howEnded);
        if (is.tool == "fathom explore" && is.isComplete)
          why = "the new run explored all paths, but under other inputs or options";
        continue;
      }
      if (!is.isComplete) return {false, "the new analysis was cut short"};
      if (is.version != was.version)
        return {false, fmt::format("the new analysis is of another version ({}, {} before)",
                                   is.version.empty() ? "unknown" : is.version,
                                   was.version.empty() ? "unknown" : was.version)};
      if (is.scope.empty() || was.scope.empty())
        return {false, "the documents do not say whether both were asked the same"};
      if (is.scope != was.scope)
        return {false, fmt::format("the analysis was asked something else: {}; before: {}",
                                   is.scope, was.scope)};
      return {true, "the same analysis ended and does not report it any longer"};
    }
    return {false, why};
  }

  /// Of the old result, once.
  const Replayed &replay(size_t i) {
    const auto [known, isNew] = replayed_.try_emplace(i);
    if (isNew) known->second = run(out_.before.results[i]);
    return known->second;
  }

  Replayed run(const KnownResult &old) {
    if (old.input.empty() || !request_.replays) return {};
    if (program_.programs.empty()) {
      noteOnce("old inputs were not run on the new program, which is not known or not there any "
               "more: name it with --program");
      return {};
    }
    if (session_.interruption.stop) return {};
    const auto passed = std::chrono::steady_clock::now() - begin_;
    if (request_.maxTime.count() && passed > request_.maxTime) {
      noteOnce("time was up (--max-time) before all old inputs were run on the new program");
      return {};
    }
    session_.observer.progress(
        fmt::format("running old inputs on the new program: {}", replayed_.size()));
    return replayInput(old, out_.before.analyses[old.analysis], program_, others_, session_);
  }

  void noteOnce(const std::string &text) {
    if (std::ranges::find(out_.notes, text) == out_.notes.end()) out_.notes.push_back(text);
  }

  const DiffRequest &request_;
  Session &session_;
  Difference out_;
  std::set<std::string> common_; ///< classes
  ReplayProgram program_;
  std::vector<bool> isPairedBefore_, isPairedAfter_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::map<size_t, Replayed> replayed_;
  std::set<std::string> others_; ///< ids of new results that are paired
};

} // namespace

llvm::Expected<Difference> diffResults(const DiffRequest &request, Session &session) {
  session.interruption.begin();
  return Differ(request, session).run();
}

} // namespace fathom::run
