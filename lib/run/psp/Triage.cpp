// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alarms are matched with the points that were sampled by where they are: the same branch or
// division has the same line and column in the module that is analysed and in the one that is
// fuzzed.
#include "run/psp/Triage.h"

#include "campaign/StateAccess.h"
#include "confirm/ReportFile.h"
#include "psp/HeatMap.h"
#include "psp/Isotonic.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/psp/AlarmPlaces.h"
#include "run/psp/CampaignSamples.h"
#include "run/psp/FailingRegion.h"
#include "run/scan/ScanAssertions.h"
#include "support/NumberText.h"
#include "support/WriteFile.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace fathom::run {

std::optional<double> Alarm::raw() const {
  const auto *p = std::get_if<psp::ConditionProbability>(&failure);
  return p ? std::optional(p->lower) : std::nullopt;
}

std::optional<double> Alarm::probability() const {
  const auto *p = std::get_if<psp::ConditionProbability>(&failure);
  if (!p) return std::nullopt;
  if (p->isSeen) return 1;
  return psp::clampEstimate(psp::Isotonic::shipped()(p->lower), psp::ModelOptions().epsilon);
}

Triage::Apart Triage::apart() const {
  Apart apart;
  std::set<double> different;
  for (const Alarm &alarm : alarms) {
    const std::optional<double> p = alarm.probability();
    if (!p) {
      ++apart.without;
    } else if (std::get<psp::ConditionProbability>(alarm.failure).isSeen) {
      ++apart.seen;
    } else {
      ++apart.estimated;
      different.insert(*p);
    }
  }
  apart.different = different.size();
  return apart;
}

bool Alarm::isReported(double theta) const {
  return theta <= 0 || probability().value_or(-1) >= theta;
}

namespace {

/// Reads the samples of a point, learns a model and asks it.
class Judge {
public:
  explicit Judge(const CampaignSamples &samples) : samples_(samples) {}

  /// Takes over what the point says if that is more probable to fail than what is known already.
  /// `regionOf`: A_f where the condition fails, for these variables.
  llvm::Error judge(Alarm &alarm, uint32_t id,
                    const std::function<psp::Region(const std::vector<std::string> &)> &regionOf) {
    const campaign::StatePoint &point = samples_.points()[id];
    llvm::Expected<std::optional<Projected>> asked = samples_.conditionOf(id);
    if (!asked) return asked.takeError();
    const std::optional<Projected> projected = std::move(*asked);
    if (!projected) return llvm::Error::success();
    // Reached, in objects of which nothing is known.
    llvm::Expected<psp::Samples> all = samples_.of(id);
    if (!all) return all.takeError();
    alarm.isInUnknownObject |= projected->samples.isEmpty() && !all->isEmpty();
    const psp::Region failing = regionOf(projected->samples.names());
    psp::Region region;
    // `failing` says nothing about states in which the condition holds.
    region.predicate = [failing, holds = projected->condition](const psp::State &state) {
      return holds.holds(state) || failing.contains(state);
    };
    for (const auto &[state, count] : projected->samples.counts())
      alarm.contradictions +=
          projected->condition.negation().holds(state) && !failing.contains(state);
    const std::vector<std::string> names = projected->samples.names();
    const std::optional<psp::Model> model =
        psp::Model::learn(projected->samples, region, psp::Forest::shipped(), modelOptions(point));
    psp::Satisfiability failure =
        psp::satisfiability(model, projected->condition.negation(), satisfiabilityOptions(point));
    const auto *now = std::get_if<psp::ConditionProbability>(&failure);
    const bool isBetter = alarm.condition.empty() || (now && now->lower > alarm.raw().value_or(-1));
    if (!isBetter) return llvm::Error::success();
    alarm.condition = point.condition;
    alarm.samples = projected->samples.total();
    alarm.states = projected->samples.distinct();
    alarm.witness = now ? stateText(now->witness, names) : "";
    alarm.failure = std::move(failure);
    alarm.picture = nullptr;
    if (!model || model->samples().names().size() > 2)
      return llvm::Error::success(); // no picture has three axes
    alarm.picture =
        std::make_shared<const std::string>(draw(alarm, *model, failing, projected->condition));
    return llvm::Error::success();
  }

private:
  /// Accesses are many, and most have two variables: a smaller grid, and a limit on the states that
  /// are looked at one by one, keep them to a tenth of a second each.
  static psp::ModelOptions modelOptions(const campaign::StatePoint &point) {
    psp::ModelOptions out;
    if (point.kind == campaign::PointKind::Access) out.diffusion.mostCells = size_t(1) << 15;
    return out;
  }
  static psp::SatisfiabilityOptions satisfiabilityOptions(const campaign::StatePoint &point) {
    psp::SatisfiabilityOptions out;
    if (point.kind == campaign::PointKind::Access) out.mostStates = 5'000, out.draws = 2'000;
    return out;
  }

  std::string draw(const Alarm &alarm, const psp::Model &model, const psp::Region &failing,
                   const psp::Condition &condition) const {
    const psp::HeatMapText text = {
        alarm.condition,
        fmt::format("{}:{} in {}: most probable failing state {:.4f}, {} of {}", alarm.file,
                    alarm.line, alarm.function, alarm.raw().value_or(0),
                    counted(alarm.samples, "sample"), counted(alarm.states, "state"))};
    return psp::heatMap(model, failing, condition, text);
  }

  const CampaignSamples &samples_;
};

/// Several accesses can have one place, as those of a macro.
bool isSameAccess(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  return !a || !b || *a == *b;
}

/// The alarms of fathom scan --assertions.
llvm::Expected<std::vector<Alarm>> scannedAlarms(const TriageOptions &options,
                                                 const CampaignSamples &samples, Session &session) {
  auto checked = scanAssertions(options.scan, session);
  if (!checked) return checked.takeError();
  const CheckedAssertions &scanned = **checked;
  Judge judge(samples);
  std::vector<Alarm> alarms;
  for (const statics::abstract::Finding &f : scanned.alarms()) {
    Alarm alarm;
    alarm.file = f.file, alarm.function = f.function;
    alarm.line = f.line, alarm.column = f.column;
    alarm.what = f.kind == statics::abstract::CheckKind::Assertion
                     ? fmt::format("assertion '{}'", f.what)
                     : f.what;
    alarm.isAccess = f.kind == statics::abstract::CheckKind::Bounds;
    // Each part of an assertion has a branch of its own.
    for (const statics::abstract::CheckId id : f.checks) {
      const statics::abstract::Check &check = scanned.program.checks[id];
      const std::optional<uint64_t> bytes = bytesTouched(scanned.program, id);
      for (const uint32_t point : samples.at(check.file, check.line, check.column))
        if (const campaign::StatePoint &p = samples.points()[point];
            p.kind == pointKindOf(check.kind) && isSameAccess(bytes, campaign::bytesTouched(p)))
          if (llvm::Error e = judge.judge(alarm, point, [&](const std::vector<std::string> &names) {
                return failingRegion(scanned.program, scanned.result, id, names);
              }))
            return std::move(e);
    }
    alarms.push_back(std::move(alarm));
  }
  return alarms;
}

/// What is checked at a line. A UsageError where the program has no code.
llvm::Expected<Alarm> judgeLine(const TriageOptions &options, const CampaignSamples &samples,
                                const confirm::Place &at) {
  Alarm alarm;
  alarm.file = at.file;
  alarm.line = at.line;
  const std::vector<uint32_t> points = samples.at(alarm.file, alarm.line);
  if (points.empty()) {
    llvm::Expected<bool> hasCode = samples.hasCode(alarm.file, alarm.line);
    if (!hasCode) return hasCode.takeError();
    if (!*hasCode)
      return usageError(fmt::format("--reports {}: {}:{} has no code of the program that the "
                                    "campaign ran",
                                    options.reports, alarm.file, alarm.line));
  }
  Judge judge(samples);
  for (const uint32_t point : points) {
    const campaign::StatePoint &p = samples.points()[point];
    alarm.function = p.function;
    if (p.kind == campaign::PointKind::Assertion || p.kind == campaign::PointKind::Division ||
        p.kind == campaign::PointKind::Access)
      if (llvm::Error e = judge.judge(alarm, point, [](const auto &) { return psp::Region(); }))
        return std::move(e);
  }
  return alarm;
}

/// Reports of any tool. Each line is judged once, however many reports it has.
llvm::Expected<std::vector<Alarm>> reportedAlarms(const TriageOptions &options,
                                                  const CampaignSamples &samples) {
  auto opened = asUsage(confirm::openReports(options.reports, confirm::PathMap()));
  if (!opened) return opened.takeError();
  const std::unique_ptr<confirm::ReportFile> reports = std::move(*opened);
  std::map<std::pair<std::string, uint32_t>, Alarm> byLine;
  std::vector<Alarm> alarms;
  alarms.reserve(reports->size());
  for (size_t i = 0; i < reports->size(); ++i) {
    const confirm::Defect defect = reports->defect(i);
    const std::pair line(defect.sink.file, defect.sink.line);
    auto known = byLine.find(line);
    if (known == byLine.end()) {
      llvm::Expected<Alarm> judged = judgeLine(options, samples, defect.sink);
      if (!judged) return judged.takeError();
      known = byLine.emplace(line, std::move(*judged)).first;
    }
    Alarm &alarm = alarms.emplace_back(known->second);
    alarm.column = defect.sink.column;
    alarm.what = defect.rule.empty() ? defect.message : defect.rule + ": " + defect.message;
  }
  return alarms;
}

/// Most probable first; those without an estimate last. Equally probable ones by their places:
/// below what was calibrated, Eq. 6 does not tell real alarms from false ones (bench/RESULTS.md),
/// so an order by it would say what is not known.
void rank(std::vector<Alarm> &alarms) {
  std::sort(alarms.begin(), alarms.end(), [](const Alarm &a, const Alarm &b) {
    auto key = [](const Alarm &x) {
      return std::tuple(-x.probability().value_or(-1), std::tie(x.file, x.line, x.column, x.what));
    };
    return key(a) < key(b);
  });
}

/// Returns the names of the files that were written, by alarm; "": none. Reports at one line have
/// one, that of the first of them.
llvm::Expected<std::vector<std::string>> writePictures(const std::vector<Alarm> &alarms,
                                                       const std::string &folder) {
  std::vector<std::string> names(alarms.size());
  std::unordered_map<const std::string *, size_t> first;
  for (size_t i = 0; i < alarms.size(); ++i) {
    if (!alarms[i].picture) continue;
    const auto [known, isNew] = first.try_emplace(alarms[i].picture.get(), i);
    names[i] = fmt::format("{}.svg", known->second + 1);
    if (!isNew) continue;
    if (first.size() == 1)
      if (std::error_code e = llvm::sys::fs::create_directories(folder))
        return usageError(fmt::format("--output {}: cannot be created: {}", folder, e.message()));
    const std::string path = folder + "/" + names[i];
    if (std::error_code e = writeFile(path, *alarms[i].picture))
      return usageError(fmt::format("cannot write {}: {}", path, e.message()));
  }
  return names;
}

} // namespace

llvm::Expected<Triage> triage(const TriageOptions &options, Session &session) {
  if (!(options.theta >= 0 && options.theta <= 1))
    return usageError(fmt::format("--theta {}: expected 0 to 1", options.theta));
  if (!options.reports.empty())
    if (llvm::Error e = requireRegularFile("--reports", options.reports)) return std::move(e);
  llvm::Expected<CampaignSamples> samples = CampaignSamples::open(options.campaign);
  if (!samples) return samples.takeError();
  if (llvm::Error e = requireRegularPrograms(options.scan.programs)) return std::move(e);
  if (llvm::Error e = samples->requireProgram(options.scan.programs)) return std::move(e);
  auto alarms = options.reports.empty() ? scannedAlarms(options, *samples, session)
                                        : reportedAlarms(options, *samples);
  if (!alarms) return alarms.takeError();
  Triage out;
  out.alarms = std::move(*alarms);
  out.sampledAccesses = samples->has(campaign::PointKind::Access);
  rank(out.alarms);
  auto pictures = writePictures(out.alarms, options.pictures);
  if (!pictures) return pictures.takeError();
  out.pictures = std::move(*pictures);
  return out;
}

} // namespace fathom::run
