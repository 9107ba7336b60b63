// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong with a campaign, from code. A campaign itself needs AFL++ and takes its time:
// test/campaign.
#include "Support.h"

#include "run/fuzz/Corpus.h"
#include "run/fuzz/Fuzz.h"

namespace fathom::run::test {
namespace {

FuzzRequest fuzzRequest(const Scratch &scratch) {
  FuzzRequest out;
  out.program = scratch.program("define i32 @main() {\n  ret i32 0\n}");
  out.folder = scratch.path("campaign");
  return out;
}

TEST(Fuzz, ReturnsWrongUsage) {
  const Scratch scratch;
  const auto wrong = [&](auto change) {
    FuzzRequest request = fuzzRequest(scratch);
    change(request);
    Recorder recorder;
    Session session = recorder.session();
    llvm::Expected<FuzzedCampaign> done = fuzz(request, session);
    EXPECT_FALSE(llvm::sys::fs::exists(request.folder));
    return done ? std::string() : usageText(done.takeError());
  };
  EXPECT_EQ(wrong([](FuzzRequest &r) { r.force = r.resume = true; }),
            "--force and --resume contradict each other: give one of them");
  EXPECT_EQ(wrong([](FuzzRequest &r) { r.jobs = 65; }), "--jobs 65: expected 1 to 64");
  EXPECT_EQ(wrong([](FuzzRequest &r) { r.input = "pipe"; }), "--input pipe: expected @@ or stdin");
  EXPECT_EQ(wrong([](FuzzRequest &r) {
              r.input = "stdin";
              r.arguments = {"-f", "@@"};
            }),
            "--input stdin: an argument has @@, which stands for an input file");
  EXPECT_EQ(wrong([](FuzzRequest &r) { r.onlyMutators = true; }),
            "--only-mutators: expected --mutator as well");
  EXPECT_EQ(wrong([](FuzzRequest &r) { r.untilStable = 0.1; }),
            "--until-stable: only with --state-samples");
  EXPECT_EQ(wrong([](FuzzRequest &r) {
              r.record = false;
              r.maxUnits = 3;
            }),
            "--max-units: not with --no-record, which counts nothing; use --max-time");
  EXPECT_EQ(wrong([&](FuzzRequest &r) { r.import = scratch.path("absent"); }),
            "--import " + scratch.path("absent") +
                ": expected AFL++'s output folder, or a folder with inputs");
}

TEST(Fuzz, AcceptsARequest) {
  const Scratch scratch;
  EXPECT_FALSE(bool(validate(fuzzRequest(scratch))));
}

TEST(Corpus, TakesAFolderOfFiles) {
  const Scratch scratch;
  EXPECT_NE(usageText(Corpus::open(scratch.path("")).takeError()).find("no input in it"),
            std::string::npos);
  std::ofstream(scratch.path("one")) << "input";
  auto corpus = Corpus::open(scratch.path(""));
  ASSERT_TRUE(bool(corpus));
  auto inputs = corpus->inputs(scratch.path("copies"));
  ASSERT_TRUE(bool(inputs));
  EXPECT_FALSE(llvm::sys::fs::exists(scratch.path("copies")));
}

} // namespace
} // namespace fathom::run::test
