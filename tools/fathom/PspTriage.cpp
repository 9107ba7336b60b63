// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alarms are matched with the points that were sampled by where they are: the same branch or
// division has the same line and column in the module that is analysed and in the one that is
// fuzzed.
#include "PspTriage.h"

#include "Documents.h"
#include "PspRegion.h"

#include "campaign/StateAccess.h"
#include "confirm/ReportFile.h"
#include "psp/HeatMap.h"
#include "psp/Isotonic.h"
#include "run/psp/AlarmPlaces.h"
#include "support/NumberText.h"
#include "support/WriteFile.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace fathom::tool {

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

bool Alarm::isReported(double theta) const {
  return theta <= 0 || probability().value_or(-1) >= theta;
}

namespace {

using namespace statics::abstract;

/// Reads the samples of a point, learns a model and asks it.
class Judge {
public:
  explicit Judge(const PspSamples &samples) : samples_(samples) {}

  /// Takes over what the point says if that is more probable to fail than what is known already.
  /// `regionOf`: A_f where the condition fails, for these variables.
  void judge(Alarm &alarm, uint32_t id,
             const std::function<psp::Region(const std::vector<std::string> &)> &regionOf) {
    const campaign::StatePoint &point = samples_.points()[id];
    const std::optional<Projected> projected = samples_.conditionOf(id);
    if (!projected) return;
    // Reached, in objects of which nothing is known.
    alarm.isInUnknownObject |= projected->samples.isEmpty() && !samples_.of(id).isEmpty();
    const psp::Region failing = regionOf(projected->samples.names());
    psp::Region region;
    // Of states in which it holds the failing ones say nothing.
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
    if (!isBetter) return;
    alarm.condition = point.condition;
    alarm.samples = projected->samples.total();
    alarm.states = projected->samples.distinct();
    alarm.witness = now ? stateText(now->witness, names) : "";
    alarm.failure = std::move(failure);
    alarm.picture = nullptr;
    if (!model || model->samples().names().size() > 2) return; // no picture has three axes
    alarm.picture =
        std::make_shared<const std::string>(draw(alarm, *model, failing, projected->condition));
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

  const PspSamples &samples_;
};

/// Several accesses can have one place, as those of a macro.
bool isSameAccess(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  return !a || !b || *a == *b;
}

/// The alarms of fathom scan --assertions.
std::vector<Alarm> scannedAlarms(const TriageFlags &flags, const PspSamples &samples,
                                 Context &context) {
  run::Session session = context.session();
  const auto checked = orThrow(run::scanAssertions(scanOptions(flags.scan), session));
  const run::CheckedAssertions &scanned = *checked;
  Judge judge(samples);
  std::vector<Alarm> alarms;
  for (const Finding &f : scanned.alarms()) {
    Alarm alarm;
    alarm.file = f.file, alarm.function = f.function;
    alarm.line = f.line, alarm.column = f.column;
    alarm.what = f.kind == CheckKind::Assertion ? fmt::format("assertion '{}'", f.what) : f.what;
    alarm.isAccess = f.kind == CheckKind::Bounds;
    // Each part of an assertion has a branch of its own.
    for (const CheckId id : f.checks) {
      const Check &check = scanned.program.checks[id];
      const std::optional<uint64_t> bytes = bytesTouched(scanned.program, id);
      for (const uint32_t point : samples.at(check.file, check.line, check.column))
        if (const campaign::StatePoint &p = samples.points()[point];
            p.kind == run::pointKindOf(check.kind) &&
            isSameAccess(bytes, campaign::bytesTouched(p)))
          judge.judge(alarm, point, [&](const std::vector<std::string> &names) {
            return failingRegion(scanned.program, scanned.result, id, names);
          });
    }
    alarms.push_back(std::move(alarm));
  }
  return alarms;
}

/// What is checked at a line. Throws UsageError where the program has no code.
Alarm judgeLine(const TriageFlags &flags, const PspSamples &samples, const confirm::Place &at) {
  Alarm alarm;
  alarm.file = at.file;
  alarm.line = at.line;
  const std::vector<uint32_t> points = samples.at(alarm.file, alarm.line);
  if (points.empty() && !samples.hasCode(alarm.file, alarm.line))
    throw UsageError(fmt::format("--reports {}: {}:{} has no code of the program that the "
                                 "campaign ran",
                                 flags.reports, alarm.file, alarm.line));
  Judge judge(samples);
  for (const uint32_t point : points) {
    const campaign::StatePoint &p = samples.points()[point];
    alarm.function = p.function;
    if (p.kind == campaign::PointKind::Assertion || p.kind == campaign::PointKind::Division ||
        p.kind == campaign::PointKind::Access)
      judge.judge(alarm, point, [](const auto &) { return psp::Region(); });
  }
  return alarm;
}

/// Reports of any tool. Each line is judged once, however many reports it has.
std::vector<Alarm> reportedAlarms(const TriageFlags &flags, const PspSamples &samples) {
  const std::unique_ptr<confirm::ReportFile> reports =
      orUsage(confirm::openReports(flags.reports, confirm::PathMap()));
  std::map<std::pair<std::string, uint32_t>, Alarm> byLine;
  std::vector<Alarm> alarms;
  alarms.reserve(reports->size());
  for (size_t i = 0; i < reports->size(); ++i) {
    const confirm::Defect defect = reports->defect(i);
    const std::pair line(defect.sink.file, defect.sink.line);
    auto known = byLine.find(line);
    if (known == byLine.end())
      known = byLine.emplace(line, judgeLine(flags, samples, defect.sink)).first;
    Alarm &alarm = alarms.emplace_back(known->second);
    alarm.column = defect.sink.column;
    alarm.what = defect.rule.empty() ? defect.message : defect.rule + ": " + defect.message;
  }
  return alarms;
}

/// Most probable first; those without an estimate last.
void rank(std::vector<Alarm> &alarms) {
  std::sort(alarms.begin(), alarms.end(), [](const Alarm &a, const Alarm &b) {
    auto key = [](const Alarm &x) {
      return std::tuple(-x.probability().value_or(-1), -x.raw().value_or(-1),
                        std::tie(x.file, x.line, x.column, x.what));
    };
    return key(a) < key(b);
  });
}

/// Returns the names of the files that were written, by alarm; "": none. Reports at one line have
/// one, that of the first of them.
std::vector<std::string> writePictures(const std::vector<Alarm> &alarms,
                                       const CommonOptions &common) {
  std::vector<std::string> names(alarms.size());
  std::unordered_map<const std::string *, size_t> first;
  for (size_t i = 0; i < alarms.size(); ++i) {
    if (!alarms[i].picture) continue;
    const auto [known, isNew] = first.try_emplace(alarms[i].picture.get(), i);
    names[i] = fmt::format("{}.svg", known->second + 1);
    if (!isNew) continue;
    if (first.size() == 1)
      if (std::error_code e = llvm::sys::fs::create_directories(common.output))
        throw UsageError(
            fmt::format("--output {}: cannot be created: {}", common.output, e.message()));
    const std::string path = common.output + "/" + names[i];
    if (std::error_code e = writeFile(path, *alarms[i].picture))
      throw UsageError(fmt::format("cannot write {}: {}", path, e.message()));
  }
  return names;
}

const char *reasonText(const Alarm &alarm, bool sampledAccesses) {
  if (alarm.isInUnknownObject) return "no object is known around the address";
  if (std::get<psp::NoEstimate>(alarm.failure) == psp::NoEstimate::NeverReached)
    return "the campaign never got there";
  if (alarm.isAccess && !sampledAccesses)
    return "the campaign sampled no accesses (--state-samples=alarms)";
  return "it has no condition on sampled variables";
}

std::string estimateText(const Alarm &alarm, bool sampledAccesses) {
  if (std::holds_alternative<psp::NoEstimate>(alarm.failure))
    return fmt::format("no estimate: {}", reasonText(alarm, sampledAccesses));
  const auto &p = std::get<psp::ConditionProbability>(alarm.failure);
  const std::string from =
      fmt::format("{} of {}", counted(alarm.samples, "sample"), counted(alarm.states, "state"));
  if (p.isSeen) return fmt::format("seen to fail at {} ({})", alarm.witness, from);
  if (alarm.witness.empty()) return fmt::format("fails in no state near those seen ({})", from);
  return fmt::format("most probable at {} ({:.4f} by {}; {})", alarm.witness, p.lower,
                     textOf(p.source), from);
}

void printText(const std::vector<Alarm> &alarms, const std::vector<std::string> &pictures,
               const TriageFlags &flags, const PspSamples &samples) {
  const bool sampledAccesses = samples.has(campaign::PointKind::Access);
  for (size_t i = 0; i < alarms.size(); ++i) {
    const Alarm &a = alarms[i];
    const std::optional<double> p = a.probability();
    fmt::print("{}  {}  {}:{}:{}: {}\n", p ? fmt::format("{:.4f}", *p) : "   -  ",
               a.isReported(flags.theta) ? "reported" : "below   ", a.file, a.line, a.column,
               a.what);
    fmt::print("        {}\n", estimateText(a, sampledAccesses));
    if (!pictures[i].empty()) fmt::print("        {}/{}\n", flags.scan.common.output, pictures[i]);
  }
  const auto reported = std::count_if(alarms.begin(), alarms.end(),
                                      [&](const Alarm &a) { return a.isReported(flags.theta); });
  const auto estimated = std::count_if(alarms.begin(), alarms.end(),
                                       [](const Alarm &a) { return a.probability().has_value(); });
  fmt::print("{}, {} with an estimate; {} reported at theta {}\n", counted(alarms.size(), "alarm"),
             estimated, reported, flags.theta);
}

nlohmann::json jsonOf(const Alarm &a, const std::string &picture, const TriageFlags &flags) {
  nlohmann::json out = {{"file", a.file},
                        {"line", a.line},
                        {"column", a.column},
                        {"function", a.function},
                        {"what", a.what},
                        {"condition", a.condition},
                        {"reported", a.isReported(flags.theta)},
                        {"estimate", nullptr}};
  if (!picture.empty()) out["picture"] = picture;
  if (const auto *none = std::get_if<psp::NoEstimate>(&a.failure)) {
    out["no_estimate"] = a.isInUnknownObject ? "unknown object" : psp::textOf(*none);
    return out;
  }
  const auto &p = std::get<psp::ConditionProbability>(a.failure);
  out["estimate"] = {{"probability", *a.probability()},
                     {"raw", p.lower},
                     {"upper", p.upper},
                     {"independent", p.independent},
                     {"seen", p.isSeen},
                     {"source", psp::textOf(p.source)},
                     {"witness", a.witness},
                     {"samples", a.samples},
                     {"states", a.states},
                     {"contradictions", a.contradictions},
                     {"looked_at", p.states},
                     {"sampled", p.isSampled}};
  if (p.isSampled)
    out["estimate"].update(
        {{"upper_error", p.upperError}, {"independent_error", p.independentError}});
  return out;
}

} // namespace

int runTriage(const TriageFlags &flags, Context &context) {
  configureLog(flags.scan.common, context.log);
  if (!(flags.theta >= 0 && flags.theta <= 1))
    throw UsageError(fmt::format("--theta {}: expected 0 to 1", flags.theta));
  if (!flags.reports.empty()) requireRegularFile("--reports", flags.reports);
  const PspSamples samples(flags.campaign);
  requireRegularPrograms(flags.scan.programs);
  samples.requireProgram(flags.scan.programs);
  std::vector<Alarm> alarms = flags.reports.empty() ? scannedAlarms(flags, samples, context)
                                                    : reportedAlarms(flags, samples);
  rank(alarms);
  const std::vector<std::string> pictures = writePictures(alarms, flags.scan.common);
  if (flags.scan.common.json) {
    printWithList(nlohmann::json::object({{"theta", flags.theta}}), "alarms", alarms.size(),
                  [&](size_t i) { return jsonOf(alarms[i], pictures[i], flags); });
  } else if (!flags.scan.common.quiet) {
    printText(alarms, pictures, flags, samples);
  }
  const bool hasReported = std::any_of(alarms.begin(), alarms.end(),
                                       [&](const Alarm &a) { return a.isReported(flags.theta); });
  return flags.scan.common.failOnFindings && hasReported ? kFindings : kDone;
}

} // namespace fathom::tool
