// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An exploration from code, without a command line.
#include "Support.h"

#include "evidence/BugKind.h"
#include "run/explore/Explore.h"

namespace fathom::run::test {
namespace {

constexpr const char *kExplored = R"(
define i32 @sign(i32 %x) {
  %below = icmp slt i32 %x, 0
  br i1 %below, label %no, label %yes
no:
  ret i32 -1
yes:
  ret i32 1
}
define i32 @divide(i32 %x) {
  %q = sdiv i32 10, %x
  ret i32 %q
})";

ExploreRequest requestFor(const Scratch &scratch, const char *entry) {
  ExploreRequest out;
  out.programs = {scratch.program(kExplored)};
  out.options.entry = entry;
  out.output.folder = scratch.path("out");
  return out;
}

TEST(Explore, FollowsBothSides) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ExploreRequest request = requestFor(scratch, "sign");
  ASSERT_FALSE(bool(prepareExploration(request, /*needsFolder=*/true)));
  auto ended = explore(request, session);
  ASSERT_TRUE(bool(ended));
  EXPECT_EQ(ended->result.stats.pathsCompleted, 2u);
  EXPECT_TRUE(ended->folder->findings().empty());
  EXPECT_EQ(ended->failure, "");
  EXPECT_TRUE(llvm::sys::fs::exists(scratch.path("out/run.json")));
}

TEST(Explore, FindsABug) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ExploreRequest request = requestFor(scratch, "divide");
  ASSERT_FALSE(bool(prepareExploration(request, /*needsFolder=*/true)));
  auto ended = explore(request, session);
  ASSERT_TRUE(bool(ended));
  ASSERT_EQ(ended->folder->findings().size(), 1u);
  EXPECT_EQ(ended->folder->findings()[0].kind, evidence::BugKind::DivisionByZero);
}

TEST(Explore, PrintsCode) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ExploreRequest request = requestFor(scratch, "sign");
  ASSERT_FALSE(bool(prepareExploration(request, /*needsFolder=*/false)));
  auto code = printCode(request, "code:sign", session);
  ASSERT_TRUE(bool(code));
  EXPECT_NE(code->find("sign"), std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::exists(scratch.path("out")));
  EXPECT_EQ(usageText(printCode(request, "code:absent", session).takeError()),
            "--print code:absent: the program has no function absent");
}

// A failure is a value: nothing is thrown, printed or ended.
TEST(Explore, ReturnsWrongUsage) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ExploreRequest request = requestFor(scratch, "sign");
  request.options.theta = 2;
  EXPECT_EQ(usageText(prepareExploration(request, /*needsFolder=*/true)),
            "--theta 2: expected a probability from 0.5 to 1");
  request = requestFor(scratch, "sign");
  request.arguments = {"--sym-arg", "-1"};
  EXPECT_NE(usageText(prepareExploration(request, /*needsFolder=*/true)).find("is negative"),
            std::string::npos);
  request = requestFor(scratch, "absent");
  ASSERT_FALSE(bool(prepareExploration(request, /*needsFolder=*/true)));
  EXPECT_NE(usageText(explore(request, session).takeError()).find("absent"), std::string::npos);
  EXPECT_FALSE(llvm::sys::fs::exists(scratch.path("out")));
}

// Nothing is shared between two requests but the process.
TEST(Explore, NeedsAnEmptyFolder) {
  const Scratch scratch;
  Recorder recorder;
  Session session = recorder.session();
  ExploreRequest first = requestFor(scratch, "sign"), second = requestFor(scratch, "sign");
  ASSERT_FALSE(bool(prepareExploration(first, /*needsFolder=*/true)));
  auto ended = explore(first, session);
  ASSERT_TRUE(bool(ended));
  EXPECT_NE(usageText(prepareExploration(second, /*needsFolder=*/true)).find("--force"),
            std::string::npos);
}

} // namespace
} // namespace fathom::run::test
