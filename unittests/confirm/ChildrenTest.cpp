// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/Children.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <unistd.h>
#include <vector>

using namespace fathom::confirm;
using namespace std::chrono_literals;
using Kind = ChildEnd::Kind;

static std::map<size_t, ChildEnd> run(size_t count, const ChildrenOptions &options,
                                      const std::function<std::string(size_t)> &work) {
  std::map<size_t, ChildEnd> out;
  runInChildren(count, options, work, [&](size_t i, const ChildEnd &end) {
    EXPECT_TRUE(out.emplace(i, end).second) << i;
  });
  EXPECT_EQ(out.size(), count);
  return out;
}

TEST(Children, ResultsOfAnySizeComeBack) {
  ChildrenOptions options;
  options.jobs = 3;
  const auto ends = run(20, options, [](size_t i) { return std::string(i * 30'000, 'x'); });
  for (auto &[i, end] : ends) {
    EXPECT_EQ(end.kind, Kind::Done);
    EXPECT_EQ(end.text.size(), i * 30'000);
  }
}

TEST(Children, OneThatCrashesHangsOrEatsCostsItsOwnWork) {
  ChildrenOptions options;
  options.jobs = 2;
  options.time = 1s;
  options.memoryBytes = 64 << 20;
  const auto ends = run(6, options, [](size_t i) -> std::string {
    if (i == 1) abort();
    if (i == 2) _exit(3);
    if (i == 3) {
      std::vector<std::vector<char>> eaten;
      for (;;) eaten.emplace_back(1 << 20, 'x');
    }
    if (i == 4)
      for (;;) pause();
    return "fine";
  });
  EXPECT_EQ(ends.at(0).kind, Kind::Done);
  EXPECT_EQ(ends.at(1).kind, Kind::Crashed);
  EXPECT_EQ(ends.at(1).text, "SIGABRT");
  EXPECT_EQ(ends.at(2).kind, Kind::Crashed);
  EXPECT_EQ(ends.at(2).text, "exit status 3");
  EXPECT_EQ(ends.at(3).kind, Kind::Memory);
  EXPECT_EQ(ends.at(4).kind, Kind::TimedOut);
  EXPECT_EQ(ends.at(5).kind, Kind::Done);
}

TEST(Children, WhatAChildStartedEndsWithIt) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ChildrenOptions options;
  options.time = 300ms;
  const auto all = run(1, options, [&](size_t) -> std::string {
    if (fork() == 0)
      for (;;) pause();
    for (;;) pause();
  });
  EXPECT_EQ(all.at(0).kind, Kind::TimedOut);
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0); // no process has the other end any more
  close(ends[0]);
}

TEST(Children, TheLimitOfAllAndAnInterruptEndThoseThatRun) {
  ChildrenOptions options;
  options.all = 300ms;
  const auto work = [](size_t i) -> std::string {
    if (i)
      for (;;) pause();
    return "first";
  };
  const auto over = run(4, options, work);
  EXPECT_EQ(over.at(0).kind, Kind::Done);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(over.at(i).kind, Kind::AllOver) << i;

  std::atomic<bool> stop{false};
  options.all = 0ms;
  options.stop = &stop;
  std::map<size_t, ChildEnd> out;
  runInChildren(4, options, work, [&](size_t i, const ChildEnd &end) {
    out[i] = end;
    stop = true;
  });
  EXPECT_EQ(out.at(0).kind, Kind::Done);
  for (size_t i = 1; i < 4; ++i) EXPECT_EQ(out.at(i).kind, Kind::Interrupted) << i;
}
