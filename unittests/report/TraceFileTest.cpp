// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer's side is played here as runtime/native/trace.c plays it in a program.
#include "report/TraceFile.h"
#include "report/NativeVariant.h"

#include "report/Files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../runtime/native/trace.h"

using namespace fathom::report;
using namespace fathom::explore;

namespace {

using Path = std::vector<std::pair<uint32_t, uint32_t>>; // branch, side

BranchTrace traceOf(const Path &path) {
  BranchTrace t;
  t.hash = kTraceSeed;
  for (auto &[id, side] : path) {
    t.hash = traceStep(t.hash, id, side);
    ++t.count;
    if ((t.count & (t.count - 1)) == 0) t.checkpoints.emplace_back(t.count, t.hash);
  }
  return t;
}

class Trace : public testing::Test {
protected:
  Trace() : name(testing::TempDir() + "fathom-trace-" + std::to_string(getpid())) {
    auto made = TraceFile::create(name, 4);
    EXPECT_TRUE(bool(made));
    file.emplace(std::move(*made));
  }
  ~Trace() override { unlink(name.c_str()); }

  TraceCheck run(const Path &expected, const Path &native, bool prefix) {
    BranchTrace wanted = traceOf(expected);
    EXPECT_TRUE(file->reset(wanted, {}));
    int fd = open(name.c_str(), O_RDWR);
    auto *t = static_cast<fathom_trace *>(
        mmap(nullptr, sizeof(fathom_trace) + 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    close(fd);
    EXPECT_EQ(t->magic, FATHOM_TRACE_MAGIC);
    EXPECT_EQ(t->coverBytes, 4u);
    EXPECT_EQ(t->failures, 0u);
    t->started = 1;
    for (auto &[id, side] : native) {
      t->hash = ((t->hash ^ ((uint64_t(id) << 20) + side + 1)) * 0x9E3779B97F4A7C15ul) ^
                (t->hash >> 29); // as in trace.c
      uint64_t n = ++t->count;
      if ((n & (n - 1)) == 0) t->checkpoints[__builtin_ctzl(n)] = t->hash;
      if (n == t->wanted) t->hashAtWanted = t->hash;
    }
    t->cover[1] = 1;
    munmap(t, sizeof(fathom_trace) + 4);
    EXPECT_EQ(file->cover()[1], 1);
    return file->check(wanted, prefix);
  }

  std::string name;
  std::optional<TraceFile> file;
};

Path steps(size_t n) {
  Path p;
  for (uint32_t i = 0; i < n; ++i) p.emplace_back(i * 7 % 13, i % 2);
  return p;
}

// A run is told which allocations fail, as many as there is room for; the next one of none.
TEST_F(Trace, SaysWhichAllocationsFail) {
  auto told = [&] {
    int fd = open(name.c_str(), O_RDWR);
    auto *t = static_cast<fathom_trace *>(
        mmap(nullptr, sizeof(fathom_trace) + 4, PROT_READ, MAP_SHARED, fd, 0));
    close(fd);
    std::vector<uint32_t> out(t->failing, t->failing + t->failures);
    munmap(t, sizeof(fathom_trace) + 4);
    return out;
  };
  std::vector<uint32_t> failing{2, 3, 70000};
  EXPECT_TRUE(file->reset({}, failing));
  EXPECT_EQ(told(), failing);
  failing.resize(TraceFile::kMaxFailures, 80000);
  EXPECT_TRUE(file->reset({}, failing));
  EXPECT_EQ(told(), failing);
  failing.push_back(80001);
  EXPECT_FALSE(file->reset({}, failing));
  EXPECT_TRUE(file->reset({}, {}));
  EXPECT_TRUE(told().empty());
}

} // namespace

TEST_F(Trace, Same) {
  EXPECT_TRUE(run(steps(100), steps(100), false).same);
  EXPECT_TRUE(run({}, {}, false).same);
}

TEST_F(Trace, PrefixOnly) {
  EXPECT_FALSE(run(steps(50), steps(100), false).same);
  EXPECT_TRUE(run(steps(50), steps(100), true).same);
  EXPECT_TRUE(run({}, steps(3), true).same);
  EXPECT_FALSE(run(steps(50), steps(49), true).same);
}

TEST_F(Trace, DivergenceIsBracketed) {
  Path other = steps(100);
  other[40].second ^= 1; // the 41st
  TraceCheck c = run(steps(100), other, false);
  EXPECT_FALSE(c.same);
  EXPECT_EQ(c.after, 32u);
  EXPECT_EQ(c.before, 64u);
  c = run(steps(100), steps(70), false); // stops early
  EXPECT_EQ(c.after, 64u);
  EXPECT_EQ(c.before, 71u);
  other = steps(100);
  other[0].first = 5;
  c = run(steps(100), other, false);
  EXPECT_EQ(c.after, 0u);
  EXPECT_EQ(c.before, 1u);
}

TEST(TraceLayout, RoundTrip) {
  fathom::program::TraceLayout layout, back;
  layout.branches = {{"f", "/a b.c", 3, 4, 2, 0}, {"g", "/c.c", 5, 6, 7, 2}, {"h", "", 0, 0, 2, 9}};
  layout.lines = {{"/a b.c", 1}, {"/c.c", 2}};
  layout.sides = 11;
  layout.makesSymbolic = true;
  layout.foreign = {{"crc32", ""}, {"take", "a parameter of a type that cannot be passed"}};
  ASSERT_TRUE(parseLayout(layoutText(layout), back));
  EXPECT_EQ(back.sides, 11u);
  EXPECT_EQ(back.coverBytes(), 13u);
  EXPECT_TRUE(back.makesSymbolic);
  EXPECT_EQ(back.branches[1].function, "g");
  EXPECT_EQ(back.branches[1].sideBase, 2u);
  EXPECT_EQ(back.lines[0].file, "/a b.c");
  ASSERT_EQ(back.foreign.size(), 2u);
  EXPECT_EQ(back.foreign[0].name, "crc32");
  EXPECT_EQ(back.foreign[0].refused, "");
  EXPECT_EQ(back.foreign[1].refused, "a parameter of a type that cannot be passed");
  EXPECT_FALSE(parseLayout("", back));
  EXPECT_FALSE(parseLayout("fathom-trace-layout 0 0 0 0 0\n", back));
  std::string text = layoutText(layout);
  EXPECT_FALSE(parseLayout(text.substr(0, text.find("take ")), back));
  EXPECT_FALSE(parseLayout(text.substr(0, text.find("crc32") - 8), back));
}
