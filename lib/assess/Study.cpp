// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assess/Study.h"

#include "campaign/ReadCampaign.h"

#include "report/Files.h"

#include "support/TextError.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace fathom::assess {

namespace json = llvm::json;

static llvm::Error writeJson(const std::string &folder, const char *name, json::Object value) {
  auto directory = report::Directory::openOrCreate(folder);
  if (!directory) return directory.takeError();
  json::Value whole(std::move(value));
  return directory->replace(name, report::jsonText([&](json::OStream &out) { out.value(whole); }));
}

bool Study::exists(const std::string &folder) {
  return llvm::sys::fs::exists(folder + "/study.json");
}

llvm::Expected<Study> Study::create(const std::string &folder, Plan plan) {
  if (std::string wrong = plan.validate(); !wrong.empty()) return textError(wrong);
  if (exists(folder)) return textError(folder + ": holds a study");
  if (auto e = writeJson(folder, "study.json", toJson(plan))) return std::move(e);
  return Study(folder, std::move(plan));
}

llvm::Expected<Study> Study::open(const std::string &folder) {
  if (!exists(folder)) return textError(fmt::format("{}: holds no study (no study.json)", folder));
  auto file = report::readJsonObject(folder + "/study.json");
  if (!file) return file.takeError();
  auto plan = planFromJson(*file);
  if (!plan)
    return textError(fmt::format("{}/study.json: {}", folder, llvm::toString(plan.takeError())));
  return Study(folder, std::move(*plan));
}

llvm::Error Study::raiseTrials(uint32_t trials) {
  if (trials < plan_.trials)
    return textError(fmt::format("--trials {}: the study in {} has {}; expected at least as many",
                                 trials, folder_, plan_.trials));
  if (trials == plan_.trials) return llvm::Error::success();
  plan_.trials = trials;
  return writeJson(folder_, "study.json", toJson(plan_));
}

std::string Study::programFolder(const Subject &subject) const {
  return folder_ + "/programs/" + subject.name;
}

std::string Study::trialFolder(size_t trial) const {
  return fmt::format("{}/trials/{}/{:04}", folder_, plan_.subjectOf(trial).name,
                     plan_.numberOf(trial));
}

bool Study::isDone(size_t trial) const {
  return llvm::sys::fs::exists(trialFolder(trial) + "/trial.json");
}

std::vector<size_t> Study::pending() const {
  std::vector<size_t> trials;
  for (size_t trial = 0; trial < plan_.trialCount(); ++trial)
    if (!isDone(trial)) trials.push_back(trial);
  return trials;
}

llvm::Expected<TrialFacts> Study::facts(size_t trial) const {
  auto file = report::readJsonObject(trialFolder(trial) + "/trial.json");
  if (!file) return file.takeError();
  auto executions = file->getInteger("executions"), sessions = file->getInteger("sessions"),
       beyond = file->getInteger("beyond_truth");
  auto seconds = file->getNumber("seconds");
  if (!executions || !sessions || !beyond || !seconds)
    return textError(trialFolder(trial) + "/trial.json: not the facts of a trial");
  return TrialFacts{*seconds, static_cast<uint64_t>(*executions), static_cast<uint64_t>(*sessions),
                    static_cast<uint64_t>(*beyond)};
}

/// Reads what the counted units hold besides the matrix. `reachable`: the elements of the study's
/// kind, or null.
static llvm::Error readUnits(const std::string &database, const Plan &plan, const Subject &subject,
                             const std::vector<uint32_t> *reachable, TrialFacts &facts) {
  auto store = campaign::SqliteStore::open(database, /*readOnly=*/true);
  if (!store) return store.takeError();
  if (store->fact("program_key") != subject.key)
    return textError(fmt::format("{}: of another program than the study's {}, or made by another "
                                 "build of Fathom",
                                 database, subject.name));
  auto view = campaign::KindView::of(*store, plan.kind);
  if (!view) return view.takeError();
  std::vector<bool> covered(view->size());
  std::vector<uint32_t> elements; // of the kind, in the unit at hand
  if (auto e = store->forEachUnit([&](const campaign::StoredUnit &unit) {
        if (!unit.complete || unit.number >= plan.units) return;
        facts.executions += campaign::fuzzingOf(unit.executions);
        facts.seconds += unit.seconds;
        // Estimates are made of the fuzzing stages; the truth holds for all.
        for (auto *stored : {&unit.elements, &unit.nonFuzzing}) {
          view->select(*stored, elements);
          for (uint32_t element : elements) covered[element] = true;
        }
      }))
    return e;
  if (!reachable) return llvm::Error::success();
  for (uint32_t element : *reachable)
    if (element < covered.size()) covered[element] = false;
  facts.beyondTruth = static_cast<uint64_t>(std::count(covered.begin(), covered.end(), true));
  return llvm::Error::success();
}

llvm::Expected<Measured> Study::measureAnew(size_t trial, TrialFacts *facts) const {
  const Subject &subject = plan_.subjectOf(trial);
  const std::string database = trialFolder(trial) + "/campaign/campaign.db";
  auto data = campaign::readCampaign(database, plan_.kind);
  if (!data) return data.takeError();
  estimate::IncidenceMatrix &matrix = *data->matrix;
  if (matrix.units() < plan_.units)
    return textError(
        fmt::format("{}: {} complete units of {}", database, matrix.units(), plan_.units));
  if (matrix.units() > plan_.units) {
    std::vector<uint32_t> first(plan_.units);
    std::iota(first.begin(), first.end(), 0);
    matrix = estimate::selectUnits(matrix, first);
  }
  if (facts) {
    Reachable reachable;
    if (subject.truth) {
      auto read = readReachable(programFolder(subject));
      if (!read) return read.takeError();
      reachable = std::move(*read);
    }
    if (auto e = readUnits(database, plan_, subject,
                           subject.truth ? &reachable.of(plan_.kind) : nullptr, *facts))
      return std::move(e);
  }
  return measure(matrix, plan_.measure);
}

llvm::Expected<Measured> Study::measured(size_t trial) const {
  const std::string folder = trialFolder(trial);
  if (llvm::sys::fs::exists(folder + "/estimates.json")) {
    auto file = report::readJsonObject(folder + "/estimates.json");
    if (file) {
      auto stored = measuredFromJson(*file, plan_.measure);
      if (stored) return stored;
      llvm::consumeError(stored.takeError());
    } else {
      llvm::consumeError(file.takeError());
    }
  }
  auto measured = measureAnew(trial, nullptr);
  if (!measured) return measured;
  if (auto e = writeJson(folder, "estimates.json", toJson(*measured, plan_.measure)))
    return std::move(e);
  return measured;
}

llvm::Error Study::finish(size_t trial, uint64_t sessions) const {
  TrialFacts facts;
  facts.sessions = sessions;
  auto measured = measureAnew(trial, &facts);
  if (!measured) return measured.takeError();
  const std::string folder = trialFolder(trial);
  if (auto e = writeJson(folder, "estimates.json", toJson(*measured, plan_.measure))) return e;
  if (!plan_.keepQueues) {
    auto campaign = report::Directory::openOrCreate(folder + "/campaign");
    if (!campaign) return campaign.takeError();
    for (const char *name : {"afl", "units.map", "dictionary.txt"})
      if (auto e = campaign->remove(name)) return e;
  }
  // This file comes last: a process that is killed before it does the end of the trial again.
  return writeJson(folder, "trial.json",
                   json::Object{{"program", plan_.subjectOf(trial).name},
                                {"trial", plan_.numberOf(trial)},
                                {"seed", plan_.seedOf(trial)},
                                {"units", plan_.units},
                                {"seconds", facts.seconds},
                                {"executions", facts.executions},
                                {"sessions", facts.sessions},
                                {"beyond_truth", facts.beyondTruth}});
}

// ---- reachable.json
// --------------------------------------------------------------------------------------------------

const std::vector<uint32_t> &Reachable::of(campaign::ElementKind kind) const {
  switch (kind) {
  case campaign::ElementKind::Block: return blocks;
  case campaign::ElementKind::Statement: return statements;
  case campaign::ElementKind::BranchSide: break;
  }
  return sides;
}

llvm::Error writeReachable(const std::string &folder, const Reachable &reachable) {
  return writeJson(folder, "reachable.json",
                   json::Object{{"branch_sides", json::Array(reachable.sides)},
                                {"blocks", json::Array(reachable.blocks)},
                                {"statements", json::Array(reachable.statements)}});
}

llvm::Expected<Reachable> readReachable(const std::string &folder) {
  const std::string name = folder + "/reachable.json";
  auto file = report::readJsonObject(name);
  if (!file) return file.takeError();
  Reachable reachable;
  auto read = [&](const char *kind, std::vector<uint32_t> &out) {
    const json::Array *all = file->getArray(kind);
    if (!all) return false;
    for (const json::Value &value : *all) {
      auto element = value.getAsInteger();
      if (!element || *element < 0 || *element > UINT32_MAX) return false;
      out.push_back(static_cast<uint32_t>(*element));
    }
    return std::is_sorted(out.begin(), out.end());
  };
  if (!read("branch_sides", reachable.sides) || !read("blocks", reachable.blocks) ||
      !read("statements", reachable.statements))
    return textError(name + ": expected branch_sides, blocks and statements, ascending numbers");
  return reachable;
}

} // namespace fathom::assess
