// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a study stores and reads back; what it refuses.
#include "Support.h"

#include "assess/Pictures.h"
#include "assess/Plots.h"
#include "assess/Report.h"
#include "assess/RunTrial.h"
#include "assess/Schedule.h"
#include "assess/Slurm.h"
#include "assess/Study.h"
#include "assess/Subjects.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

using namespace fathom;
using namespace fathom::assess;

namespace {

MeasureOptions smallOptions() {
  MeasureOptions options;
  options.points = 3;
  options.sizes = {1, 2};
  options.replicates = 5;
  return options;
}

Subject subject(const std::string &name, std::optional<uint64_t> truth = std::nullopt) {
  Subject s;
  s.name = name, s.from = "/some/where/" + name, s.key = "key of " + name;
  s.elements = 6;
  s.truth = truth;
  s.arguments = {"-x", "@@"};
  s.hasCorpus = truth.has_value();
  return s;
}

Plan smallPlan() {
  Plan plan;
  plan.subjects = {subject("a", 4), subject("b")};
  plan.trials = 3;
  plan.seed = 10;
  plan.units = 6;
  plan.unit.time = std::chrono::milliseconds(2500);
  plan.measure = smallOptions();
  plan.measure.seed = 10;
  return plan;
}

std::string textOf(llvm::json::Object object) {
  std::string out;
  llvm::raw_string_ostream(out) << llvm::json::Value(std::move(object));
  return out;
}

llvm::json::Object reread(llvm::json::Object object) {
  auto value = llvm::json::parse(textOf(std::move(object)));
  return std::move(*value->getAsObject());
}

/// A campaign as fathom fuzz leaves it: three branches; `units` with what each covers.
void writeCampaign(const std::string &folder, const std::string &key,
                   const std::vector<std::vector<uint32_t>> &units, size_t complete) {
  std::filesystem::create_directories(folder);
  campaign::MapLayout layout;
  for (uint32_t i = 0; i < 3; ++i) layout.branches.push_back({"f", "f.c", i + 1, 1, 2, 2 * i});
  layout.sides = 6;
  layout.unreachable.resize(layout.elements());
  auto store = campaign::SqliteStore::create(folder + "/campaign.db", layout,
                                             {{"unit", "2500ms"}, {"program_key", key}});
  ASSERT_TRUE(bool(store)) << llvm::toString(store.takeError());
  for (size_t i = 0; i < units.size(); ++i)
    ASSERT_FALSE(bool(store->put({.number = i,
                                  .complete = i < complete,
                                  .seconds = 2.5,
                                  .executions = campaign::StageCounts{0, 100},
                                  .elements = units[i],
                                  .nonFuzzing = {}})));
}

std::string failure(llvm::Error error) { return llvm::toString(std::move(error)); }

} // namespace

TEST(Measured, ComesBackFromJson) {
  Rng rng(3);
  std::vector<double> population(50, 0.2);
  population.resize(80, 0.02);
  const MeasureOptions options = smallOptions();
  Measured measured = measure(simulated(population, 12, rng), options);
  auto again = measuredFromJson(reread(toJson(measured, options)), options);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(textOf(toJson(*again, options)), textOf(toJson(measured, options)));
  EXPECT_EQ(again->accumulation, measured.accumulation);
  EXPECT_EQ(again->joined.size(), 3u);

  MeasureOptions other = options;
  other.levels = {0.8};
  auto refused = measuredFromJson(reread(toJson(measured, options)), other);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(failure(refused.takeError()), "made with other levels, unit sizes or estimators");
  // A damaged file is not taken for a trial, wherever the damage is.
  for (const char *key : {"accumulation", "over_time", "by_unit_size", "stop_rule_units"}) {
    llvm::json::Object damaged = reread(toJson(measured, options));
    damaged[key] = "?";
    auto result = measuredFromJson(damaged, options);
    EXPECT_FALSE(bool(result)) << key;
    llvm::consumeError(result.takeError());
  }
  llvm::json::Object damaged = reread(toJson(measured, options));
  (*(*damaged.getArray("over_time"))[1].getAsObject()->getObject("estimators")).erase("chao2");
  auto result = measuredFromJson(damaged, options);
  EXPECT_FALSE(bool(result));
  llvm::consumeError(result.takeError());
}

TEST(Measured, JoinsOnlyWhatEverySizeDivides) {
  EXPECT_EQ(joinedUnits(30, {1, 2, 4}), 28u);
  EXPECT_EQ(joinedUnits(30, {1, 4, 6}), 24u);
  EXPECT_EQ(joinedUnits(30, {1}), 30u);
  MeasureOptions options = smallOptions();
  EXPECT_EQ(options.validate(12), "");
  options.sizes = {2, 4};
  EXPECT_NE(options.validate(12), "");
  options.sizes = {1, 4, 2};
  EXPECT_NE(options.validate(12), "");
  options.sizes = {1, 7};
  EXPECT_NE(options.validate(12), "") << "one unit of size 7 says nothing";
  options = smallOptions();
  options.points = 13;
  EXPECT_NE(options.validate(12), "");
  options = smallOptions();
  options.levels = {1.0};
  EXPECT_NE(options.validate(12), "");
}

TEST(Plan, ComesBackFromJson) {
  Plan plan = smallPlan();
  plan.kind = campaign::ElementKind::Block;
  plan.keepQueues = true;
  auto again = planFromJson(reread(toJson(plan)));
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(textOf(toJson(*again)), textOf(toJson(plan)));
  EXPECT_EQ(again->measure, plan.measure);
  EXPECT_EQ(again->subjects[0].truth, 4u);
  EXPECT_FALSE(again->subjects[1].truth);
  for (const char *key : {"schema", "programs", "trials", "unit", "units", "levels"}) {
    llvm::json::Object damaged = reread(toJson(plan));
    damaged[key] = "?";
    auto result = planFromJson(damaged);
    EXPECT_FALSE(bool(result)) << key;
    llvm::consumeError(result.takeError());
  }
}

TEST(Plan, NumbersTrialsSoThatABrokenStudyIsBalanced) {
  Plan plan = smallPlan();
  std::set<std::pair<std::string, uint32_t>> seen;
  std::set<uint64_t> seeds;
  for (size_t trial = 0; trial < plan.trialCount(); ++trial) {
    EXPECT_EQ(plan.numberOf(trial), trial / 2 + 1);
    seen.emplace(plan.subjectOf(trial).name, plan.numberOf(trial));
    seeds.insert(plan.seedOf(trial));
  }
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(seeds.size(), 6u);
  EXPECT_EQ(plan.trialSeconds(), 15);
  EXPECT_EQ(plan.validate(), "");
  plan.subjects[1].name = "a";
  EXPECT_NE(plan.validate().find("two programs are called a"), std::string::npos);
  for (const char *name : {"", ".x", "-x", "a/b", "a b", "\xc3\xa4"})
    EXPECT_FALSE(isSubjectName(name)) << name;
}

TEST(Study, FinishesTrialsFromTheirCampaigns) {
  Scratch scratch;
  const std::string folder = scratch.path + "/study";
  auto study = Study::create(folder, smallPlan());
  ASSERT_TRUE(bool(study)) << llvm::toString(study.takeError());
  EXPECT_EQ(failure(Study::create(folder, smallPlan()).takeError()), folder + ": holds a study");
  EXPECT_EQ(study->pending().size(), 6u);
  ASSERT_FALSE(bool(writeReachable(study->programFolder(study->plan().subjects[0]),
                                   Reachable{{0, 1, 2, 4}, {}, {}})));
  // Eight units, of which the first six count: side 5 is not covered in those, side 3 is, which
  // cannot be reached.
  const std::vector<std::vector<uint32_t>> units{{0, 1}, {0}, {0, 3}, {2}, {0}, {0}, {5}, {0}};
  writeCampaign(study->trialFolder(0) + "/campaign", "key of a", units, 7);
  ASSERT_EQ(failure(study->finish(0, 2)), failure(llvm::Error::success()));
  EXPECT_TRUE(study->isDone(0));
  EXPECT_EQ(study->pending().size(), 5u);
  auto facts = study->facts(0);
  ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
  EXPECT_EQ(facts->executions, 600u);
  EXPECT_EQ(facts->seconds, 15);
  EXPECT_EQ(facts->sessions, 2u);
  EXPECT_EQ(facts->beyondTruth, 1u);
  auto measured = study->measured(0);
  ASSERT_TRUE(bool(measured)) << llvm::toString(measured.takeError());
  EXPECT_EQ(measured->accumulation, (std::vector<uint64_t>{2, 2, 3, 4, 4, 4}));
  EXPECT_EQ(measured->snapshots.back().observed, 4u);
  EXPECT_EQ(measured->joined[1].observed, 4u);

  // Estimates that were lost, or are damaged, are made again.
  const std::string file = study->trialFolder(0) + "/estimates.json";
  std::ofstream(file) << "{";
  auto again = study->measured(0);
  ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError());
  EXPECT_EQ(textOf(toJson(*again, smallOptions())), textOf(toJson(*measured, smallOptions())));

  // Another program; too few complete units.
  writeCampaign(study->trialFolder(1) + "/campaign", "another", units, 8);
  EXPECT_NE(failure(study->finish(1, 1)).find("of another program than the study's b"),
            std::string::npos);
  writeCampaign(study->trialFolder(2) + "/campaign", "key of a", units, 5);
  EXPECT_NE(failure(study->finish(2, 1)).find("5 complete units of 6"), std::string::npos);
  EXPECT_FALSE(study->isDone(1) || study->isDone(2));

  auto reopened = Study::open(folder);
  ASSERT_TRUE(bool(reopened)) << llvm::toString(reopened.takeError());
  EXPECT_EQ(reopened->pending(), (std::vector<size_t>{1, 2, 3, 4, 5}));
  EXPECT_NE(failure(reopened->raiseTrials(2)), "success");
  ASSERT_FALSE(bool(reopened->raiseTrials(4)));
  EXPECT_EQ(Study::open(folder)->pending().size(), 7u);
}

namespace {

/// A script instead of `fathom`, with what it does.
std::string standIn(const Scratch &scratch, const std::string &commands) {
  const std::string file = scratch.path + "/stand-in";
  std::ofstream(file) << "#!/bin/sh\n" << commands;
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

} // namespace

TEST(RunTrial, StartsOverOnlyWhatHasNoUnits) {
  Scratch scratch;
  auto study = Study::create(scratch.path + "/study", smallPlan());
  ASSERT_TRUE(bool(study)) << llvm::toString(study.takeError());
  const std::string fathom =
      standIn(scratch, "echo \"$@\" > '" + scratch.path + "/called'; echo no; exit 2\n");
  const std::atomic<bool> stop = false;
  auto reason = [&](size_t trial) {
    return failure(runTrial(*study, trial, fathom, stop).takeError());
  };
  auto called = [&] {
    std::string line;
    std::getline(std::ifstream(scratch.path + "/called"), line);
    return line;
  };
  std::filesystem::create_directories(study->trialFolder(0) + "/campaign");
  std::ofstream(study->trialFolder(0) + "/campaign/campaign.db")
      << "a text that is no database, and long enough to be read as one";
  EXPECT_NE(reason(0).find("not the database of a campaign"), std::string::npos);
  EXPECT_EQ(called(), "") << "the campaign that is there stays";
  // Its creation was killed.
  std::filesystem::create_directories(study->trialFolder(1) + "/campaign");
  std::ofstream(study->trialFolder(1) + "/campaign/campaign.db") << "";
  EXPECT_EQ(reason(1), "b trial 1: no");
  EXPECT_NE(called().find("--force"), std::string::npos) << called();
  // Nothing is there.
  EXPECT_EQ(reason(2), "a trial 2: no");
  EXPECT_NE(called().find("--force"), std::string::npos) << called();
}

TEST(Schedule, AStopAfterTheLastTrialInterruptsNothing) {
  Scratch scratch;
  Plan plan = smallPlan();
  plan.subjects.pop_back();
  plan.trials = 1;
  auto study = Study::create(scratch.path + "/study", plan);
  ASSERT_TRUE(bool(study)) << llvm::toString(study.takeError());
  ScheduleOptions options;
  options.fathom = standIn(scratch, "touch '" + study->trialFolder(0) + "/trial.json'\n");
  std::atomic<bool> stop = false;
  const ScheduleResult result = runPending(
      *study, options, [&](const ScheduleStatus &status) { stop = status.done == status.total; },
      stop);
  EXPECT_TRUE(stop);
  EXPECT_EQ(result.end, ScheduleEnd::AllDone);
  EXPECT_TRUE(result.failures.empty());
}

TEST(Subjects, APathThatCannotBeIsNotAGeneratedProgram) {
  EXPECT_FALSE(isGenerated(std::string(300, 'n'))); // no folder has such a long name
}

TEST(Slurm, ScriptRunsTheTrialOfItsLine) {
  Scratch scratch;
  auto study = Study::create(scratch.path + "/it's", smallPlan());
  ASSERT_TRUE(bool(study)) << llvm::toString(study.takeError());
  SlurmOptions options;
  // Prints its arguments.
  options.fathom = scratch.path + "/fat hom";
  std::ofstream(options.fathom) << "#!/bin/sh\nfor a in \"$@\"; do echo \"$a\"; done >"
                                << scratch.path << "/out\n";
  std::filesystem::permissions(options.fathom, std::filesystem::perms::owner_all);
  std::ofstream(scratch.path + "/list") << "4\n17\n23\n5\n";
  const std::string script = slurmScript(*study, options, scratch.path + "/list");
  EXPECT_NE(script.find("#SBATCH --time=0:10:17\n"), std::string::npos) << script; // 1.1 * 15 + 600
  std::ofstream(scratch.path + "/script") << script;
  const std::string run =
      "SLURM_ARRAY_TASK_ID=2 sh '" + scratch.path + "/script' 1"; // first 1, task 2: line 3
  ASSERT_EQ(system(run.c_str()), 0);
  std::ifstream in(scratch.path + "/out");
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word);) words.push_back(word);
  EXPECT_EQ(words,
            (std::vector<std::string>{"assess", "-o", study->folder(), "-q", "--trial", "23"}));
}

TEST(Report, HasEveryEstimatorEverywhere) {
  Plan plan = smallPlan();
  Rng rng(1);
  std::vector<ProgramTrials> programs{{"a", 60, {}}, {"b", std::nullopt, {}}};
  for (ProgramTrials &program : programs)
    for (int i = 0; i < 3; ++i)
      program.trials.push_back(
          measure(simulated(std::vector<double>(60, 0.2), 6, rng), plan.measure));
  Findings findings = judge(programs, plan.measure);
  ReportContext context{plan, 6, 1234, {"a: trials covered 1 more"}};
  const std::string text = summaryText(findings, context),
                    markdown = reportMarkdown(findings, context);
  auto json = llvm::json::parse(resultsJson(findings, context));
  ASSERT_TRUE(bool(json)) << llvm::toString(json.takeError());
  auto pictures = plots(programs, findings, plan);
  std::set<std::string> names;
  for (auto &[name, svg] : pictures) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"bias.svg", "coverage.svg", "a-bias.svg",
                                          "a-unit-sizes.svg", "a-accumulation.svg",
                                          "b-unit-sizes.svg", "b-accumulation.svg"}));
  const llvm::json::Object *estimators = json->getAsObject()->getObject("estimators");
  for (estimate::Estimator e : estimate::allEstimators()) {
    EXPECT_NE(text.find(estimatorName(e)), std::string::npos);
    EXPECT_NE(markdown.find(estimatorName(e)), std::string::npos);
    ASSERT_TRUE(estimators->getObject(estimatorKey(e)));
    for (auto &[name, svg] : pictures)
      if (name != "bias.svg" && name != "a-bias.svg") // without a value there is no line
        EXPECT_NE(svg.find(estimatorName(e)), std::string::npos) << name;
  }
  EXPECT_NE(text.find("WRONG TRUTH: a: trials covered 1 more"), std::string::npos);
  EXPECT_NE(markdown.find("Without ground truth"), std::string::npos);
  for (const std::string &all : {text, markdown}) EXPECT_EQ(all.find("nan"), std::string::npos);
}

TEST(Plots, MarkWhatIsBeyondTheScaleAndHaveAColourForEach) {
  Plan plan = smallPlan();
  Rng rng(1);
  std::vector<ProgramTrials> programs{{"a", 60, {}}};
  for (int i = 0; i < 3; ++i)
    programs[0].trials.push_back(
        measure(simulated(std::vector<double>(60, 0.2), 6, rng), plan.measure));
  for (Measured &trial : programs[0].trials) // six units are few: some explode
    for (Snapshot &snapshot : trial.snapshots)
      for (StoredAnswer &answer : snapshot.answers)
        if (answer.value) answer.value = std::min(*answer.value, 70.0);
  auto picture = [&](const std::string &wanted) {
    for (auto &[name, svg] : plots(programs, judge(programs, plan.measure), plan))
      if (name == wanted) return svg;
    return std::string();
  };
  const std::string note = "triangles: beyond the scale";
  EXPECT_EQ(picture("bias.svg").find(note), std::string::npos);
  for (Measured &trial : programs[0].trials)
    trial.snapshots.back().answers[indexOf(estimate::Estimator::Unpmle)].value = 600;
  const std::string cut = picture("bias.svg");
  EXPECT_NE(cut.find(note), std::string::npos);
  const std::string colour = colourOf(indexOf(estimate::Estimator::Unpmle));
  EXPECT_NE(cut.find(" Z\" fill=\"" + colour), std::string::npos) << "a triangle of its colour";
  std::set<std::string> colours;
  for (size_t e = 0; e < estimate::allEstimators().size(); ++e) colours.insert(colourOf(e));
  EXPECT_EQ(colours.size(), estimate::allEstimators().size());
}
