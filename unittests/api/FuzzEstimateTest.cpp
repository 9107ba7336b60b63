// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A campaign with AFL++ is test/api/fuzz.test.
#include "Support.h"

#include <fathom/Estimate.h>
#include <fathom/Fuzz.h>

namespace fathom::api::test {
namespace {

TEST(Fuzz, ReturnsWrongUsage) {
  const Scratch scratch;
  const Program program = scratch.program("define i32 @main() {\n  ret i32 0\n}");
  const auto wrong = [&](auto change) {
    FuzzOptions options;
    options.folder = scratch.path("campaign");
    options.maxExecutions = 100;
    change(options);
    std::string text = usageOf(fuzz(program, options));
    EXPECT_FALSE(std::filesystem::exists(scratch.path("campaign"))) << text;
    return text;
  };
  EXPECT_TRUE(contains(usageOf(fuzz(Program(), {})), "0 programs given"));
  EXPECT_TRUE(contains(wrong([](FuzzOptions &o) { o.folder = ""; }), "-o"));
  EXPECT_TRUE(contains(wrong([](FuzzOptions &o) { o.maxExecutions = 0; }), "would not end"));
  EXPECT_EQ(wrong([](FuzzOptions &o) { o.jobs = 65; }), "--jobs 65: expected 1 to 64");
  EXPECT_EQ(wrong([](FuzzOptions &o) { o.replace = o.resume = true; }),
            "--force and --resume contradict each other: give one of them");
  EXPECT_EQ(wrong([](FuzzOptions &o) { o.unitTime = std::chrono::milliseconds(99); }),
            "--unit 99ms: expected a time of 100ms or more");
  EXPECT_EQ(wrong([](FuzzOptions &o) { o.testTime = std::chrono::milliseconds(1); }),
            "--test-time 1ms: expected 20ms to 1h");
}

TEST(Estimate, ReadsAMatrix) {
  const Scratch scratch;
  const std::string file = scratch.write(
      "incidence.csv", "element,1,2,3,4\na,1,1,1,1\nb,0,1,0,1\nc,0,0,1,0\nd,1,0,0,0\n");
  const Result<CampaignEstimate> done = estimate(file);
  ASSERT_TRUE(bool(done)) << done.error().message;
  EXPECT_EQ(done->elements, "elements");
  EXPECT_EQ(done->units, 4u);
  EXPECT_EQ(done->covered, 4u);
  // [chao87] by hand: D + (t-1)/t * Q1 (Q1 - 1) / (2 (Q2 + 1)) = 4 + 3/4 * 2 * 1 / 4
  const Estimate *chao = nullptr;
  for (const Estimate &one : done->estimates)
    if (one.key == "chao2_bc") chao = &one;
  ASSERT_NE(chao, nullptr);
  ASSERT_TRUE(chao->reachable.has_value());
  EXPECT_NEAR(*chao->reachable, 4.375, 1e-9);
  ASSERT_TRUE(chao->lower && chao->upper);
  EXPECT_LE(*chao->lower, *chao->reachable);
  EXPECT_GE(*chao->upper, *chao->reachable);
  if (done->best) EXPECT_LT(*done->best, done->estimates.size());
}

TEST(Estimate, ReturnsWrongUsage) {
  const Scratch scratch;
  EXPECT_TRUE(contains(usageOf(estimate(scratch.path("absent"))), "absent"));
  EXPECT_TRUE(contains(usageOf(estimate(scratch.path(""))), "expected campaign.db"));
  const std::string file = scratch.write("incidence.csv", "element,1,2\na,1,1\nb,0,1\n");
  EstimateOptions options;
  options.of = "lines";
  EXPECT_EQ(usageOf(estimate(file, options)),
            "--of lines: expected branch-sides, blocks, statements");
  options = {};
  options.level = 1;
  EXPECT_TRUE(contains(usageOf(estimate(file, options)), "confidence level 1"));
  options = {};
  options.firstUnits = 3;
  EXPECT_TRUE(contains(usageOf(estimate(file, options)), "has 2 units"));
  scratch.write("incidence.csv", "nonsense");
  EXPECT_TRUE(contains(usageOf(estimate(file)), "incidence.csv"));
}

} // namespace
} // namespace fathom::api::test
