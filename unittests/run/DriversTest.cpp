// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smaller activities from code, without a command line. Of each: what it returns, and what it
// returns for wrong usage.
#include "Support.h"

#include "run/assess/Studies.h"
#include "run/doctor/Doctor.h"
#include "run/estimate/Estimate.h"
#include "run/OutputFile.h"
#include "run/psp/Labels.h"
#include "run/psp/Query.h"
#include "run/repair/MakePatches.h"
#include "run/repair/RankPatches.h"
#include "run/replay/Replay.h"
#include "run/solve/Solve.h"
#include "run/synth/MakeProgram.h"
#include "run/tests/TestSearch.h"

#include <algorithm>
#include <utility>

namespace fathom::run::test {
namespace {

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Solve, DecidesAFile) {
  const Scratch scratch;
  SolveRequest request;
  request.file = scratch.path("query.smt2");
  EXPECT_TRUE(contains(usageText(solve(request).takeError()), "query.smt2"));
  std::ofstream(request.file) << "(declare-const x (_ BitVec 8))(assert (= x #x07))(check-sat)";
  auto answer = solve(request);
  ASSERT_TRUE(bool(answer));
  EXPECT_EQ(answer->kind, solver::AnswerKind::Sat);
}

TEST(Estimate, ReadsAMatrix) {
  const Scratch scratch;
  EstimateRequest request;
  request.input = scratch.path("");
  EXPECT_TRUE(contains(usageText(estimateCampaign(request).takeError()), "expected campaign.db"));
  // std::filesystem cannot tell whether it is a folder, which must not be thrown.
  const std::string input = std::exchange(request.input, std::string(300, 'n'));
  EXPECT_TRUE(contains(usageText(estimateCampaign(request).takeError()), "nnn"));
  request.input = input;
  std::ofstream(scratch.path("incidence.csv"))
      << "element,1,2,3,4\na,1,1,1,1\nb,0,1,0,1\nc,0,0,1,0\n";
  auto done = estimateCampaign(request);
  ASSERT_TRUE(bool(done));
  EXPECT_EQ(done->analysis.counts.observed(), 3u);
  EXPECT_EQ(done->noun, "elements");
  request.first = 5;
  EXPECT_TRUE(contains(usageText(estimateCampaign(request).takeError()), "has 4 units"));
  request.first = 0;
  request.targets = 3;
  EXPECT_TRUE(contains(usageText(estimateCampaign(request).takeError()), "--targets 3"));
}

TEST(Synth, WritesAProgram) {
  const Scratch scratch;
  SynthRequest request;
  request.folder = scratch.path("subject");
  request.knobs.lines = 200;
  auto made = makeProgram(request);
  ASSERT_TRUE(bool(made));
  EXPECT_TRUE(llvm::sys::fs::exists(scratch.path("subject/truth.json")));
  EXPECT_TRUE(contains(usageText(makeProgram(request).takeError()), "--force"));
  request.force = true;
  EXPECT_TRUE(bool(makeProgram(request)));
  request.folder = scratch.path("other");
  request.like = scratch.path("absent.bc");
  EXPECT_TRUE(contains(usageText(makeProgram(request).takeError()), "absent.bc"));
  EXPECT_FALSE(llvm::sys::fs::exists(request.folder));
  request.like.clear();
  request.folder = scratch.path(std::string(300, 'n')); // no folder has such a long name
  auto refused = makeProgram(request);
  ASSERT_FALSE(bool(refused));
  EXPECT_TRUE(contains(llvm::toString(refused.takeError()), "nnn"));
}

TEST(Doctor, ExaminesAProgram) {
  const Scratch scratch;
  auto done = examine({scratch.program("define i32 @main() {\n  ret i32 0\n}")});
  ASSERT_TRUE(bool(done));
  EXPECT_EQ(done->whyUnusable, "");
  EXPECT_TRUE(std::any_of(done->findings.begin(), done->findings.end(), [](const auto &f) {
    return contains(f.what, "bitcode found and readable");
  }));
  done = examine({scratch.path("absent.bc")});
  ASSERT_TRUE(bool(done));
  EXPECT_TRUE(contains(done->whyUnusable, "absent.bc"));
  EXPECT_FALSE(done->isFine());
  EXPECT_TRUE(contains(usageText(examine({scratch.path("")}).takeError()), scratch.path("")));
}

TEST(Tests, ReturnWrongUsage) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  TestsQuery query;
  query.folder = scratch.path("absent");
  EXPECT_TRUE(
      contains(usageText(TestSearch::open(query, session).takeError()), "no such directory"));
  query.folder = scratch.path("");
  EXPECT_TRUE(contains(usageText(TestSearch::open(query, session).takeError()), "no tests there"));
  std::ofstream(scratch.path("run.json")) << "{}";
  auto search = TestSearch::open(query, session);
  ASSERT_TRUE(bool(search));
  (*search)->each(/*whole=*/false, [](const auto &, const auto &) {
    ADD_FAILURE() << "there is no test";
    return true;
  });
  EXPECT_TRUE(contains(usageText((*search)->one(7).takeError()), "--show 7"));
  query.numbers = {"9-3"};
  EXPECT_TRUE(contains(usageText(TestSearch::open(query, session).takeError()), "--number 9-3"));
  query.numbers.clear();
  query.kinds = {"nothing"};
  EXPECT_TRUE(contains(usageText(TestSearch::open(query, session).takeError()), "--kind nothing"));
}

TEST(Replay, ReturnsWrongUsage) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ReplayRequest request;
  request.program = scratch.program("define i32 @main() {\n  ret i32 0\n}");
  request.folder = scratch.path("absent");
  EXPECT_TRUE(contains(usageText(replayTests(request, session).takeError()), "no such directory"));
  request.folder = scratch.path("");
  request.writable = {"/tmp"};
  EXPECT_TRUE(contains(usageText(replayTests(request, session).takeError()), "only with --binary"));
  request.writable.clear();
  request.binary = scratch.path("absent");
  EXPECT_TRUE(contains(usageText(replayTests(request, session).takeError()), "not an executable"));
}

TEST(Labels, Calibrate) {
  const Scratch scratch;
  const std::string file = scratch.path("labels.csv");
  EXPECT_TRUE(contains(usageText(calibrate(file).takeError()), "cannot be read"));
  std::ofstream(file)
      << "program,line,kind,raw,seen,real\np,1,division,0.2,0,0\np,2,division,,0,1\n";
  auto done = assessLabels({file, /*fit=*/"", /*leaveOut=*/false, /*raw=*/true});
  ASSERT_TRUE(bool(done));
  EXPECT_EQ(done->alarms, 2u);
  EXPECT_EQ(done->predictions.size(), 1u);
  EXPECT_EQ(done->unscored.falseNegatives, 1u);
  EXPECT_TRUE(contains(
      usageText(assessLabels({file, /*fit=*/"", /*leaveOut=*/true, /*raw=*/true}).takeError()),
      "exclude each other"));
}

TEST(Study, NeedsPrograms) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  StudyRequest request;
  request.folder = scratch.path("study");
  EXPECT_TRUE(contains(usageText(createStudy(request, session).takeError()), "needs programs"));
  EXPECT_FALSE(llvm::sys::fs::exists(request.folder));
  EXPECT_TRUE(contains(usageText(openStudy(request.folder).takeError()), request.folder));
}

TEST(Query, NeedsACampaign) {
  const Scratch scratch;
  EXPECT_TRUE(
      contains(usageText(askCampaign({scratch.path("absent"), "a.c:1", "x > 0"}).takeError()),
               scratch.path("absent")));
}

TEST(Repair, ReturnsWrongUsage) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  RepairRequest request;
  request.programs = {scratch.path("absent.c")};
  request.tests = {"true"};
  request.output = scratch.path("patches");
  EXPECT_TRUE(contains(usageText(makePatches(request, session).takeError()), "--at FILE:LINE"));
  request.at = "absent.c:1";
  request.depth = 9;
  EXPECT_EQ(usageText(makePatches(request, session).takeError()), "--depth 9: expected 1 to 4");
  request.depth = 4;
  EXPECT_TRUE(contains(usageText(makePatches(request, session).takeError()), "absent.c"));
  request.at.clear();
  request.rank = scratch.path("others");
  EXPECT_TRUE(contains(usageText(rankPatches(request, session).takeError()), "--campaign DIR"));
}

TEST(OutputFile, ReplacesAFile) {
  const Scratch scratch;
  const std::string file = scratch.path("document");
  std::ofstream(file) << "before";
  const auto write = [](llvm::raw_ostream &out) { out << "after"; };
  ASSERT_FALSE(bool(writeDocument("--sarif", file, write)));
  std::string now;
  std::getline(std::ifstream(file), now);
  EXPECT_EQ(now, "after");
  EXPECT_EQ(usageText(writeDocument("--sarif", scratch.path("absent/document"), write)),
            "--sarif " + scratch.path("absent/document") + ": cannot be written");
}

} // namespace
} // namespace fathom::run::test
