// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/Process.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace fathom::native;
using namespace std::chrono_literals;
using EndKind = Outcome::Kind;

static Command shell(const std::string &script) {
  Command c;
  c.program = "/bin/sh";
  c.arguments = {"sh", "-c", script};
  c.captureOutput = true;
  return c;
}

static std::string contents(const std::string &file) {
  std::ifstream in(file);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

static std::string scratch(const std::string &name) {
  return testing::TempDir() + "fathom-native-" + std::to_string(getpid()) + name;
}

TEST(Process, ExitStatusAndOutput) {
  Outcome o = run(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(o.kind, EndKind::Exited);
  EXPECT_EQ(o.status, 7);
  EXPECT_EQ(o.output, "out\nerr\n");
  EXPECT_EQ(describe(o), "exit status 7");
  EXPECT_FALSE(o.ok());
  EXPECT_GT(o.peakMemoryBytes, 0u);
}

TEST(Process, SignalIsNamed) {
  Outcome o = run(shell("kill -SEGV $$"));
  EXPECT_EQ(o.kind, EndKind::Signalled);
  EXPECT_EQ(o.status, SIGSEGV);
  EXPECT_EQ(describe(o), "signal SIGSEGV");
}

TEST(Process, ArgvZeroAndEnvironmentAreExactlyAsGiven) {
  Command c = shell("echo $0-$X-$HOME");
  c.arguments = {"other name", "-c", "echo \"$0-$X-$HOME\"", "zero"};
  c.environment = {"X=1"};
  EXPECT_EQ(run(c).output, "zero-1-\n");
}

TEST(Process, FilesAndDirectory) {
  std::string in = scratch("in"), out = scratch("out"), err = scratch("err");
  std::ofstream(in) << "input";
  std::ofstream(out) << "longer than what will be written";
  Command c = shell("cat; pwd; echo e >&2");
  c.captureOutput = false;
  c.stdinFile = in;
  c.stdoutFile = out;
  c.stderrFile = err;
  c.directory = "/";
  EXPECT_TRUE(run(c).ok());
  EXPECT_EQ(contents(out), "input/\n");
  EXPECT_EQ(contents(err), "e\n");
  for (auto &f : {in, out, err}) unlink(f.c_str());
}

TEST(Process, NoSignalIsIgnored) {
  auto *before = signal(SIGHUP, SIG_IGN); // as nohup does
  Outcome o = run(shell("grep SigIgn /proc/self/status; kill -HUP $$; echo alive"));
  signal(SIGHUP, before);
  EXPECT_EQ(o.status, SIGHUP) << o.output;
  EXPECT_NE(o.output.find("SigIgn:\t0000000000000000\n"), std::string::npos) << o.output;
}

/// What it would do if it were allowed to changes nothing.
TEST(Process, TheMachineCannotBeChanged) {
  Command c = shell("date -s @$(date +%s) >/dev/null");
  Outcome o = run(c);
  EXPECT_NE(o.status, 0) << o.output; // no user may, root included
  EXPECT_NE(o.output.find("Operation not permitted"), std::string::npos) << o.output;
  c = shell("kill -0 $$ && echo itself; kill -0 $PPID || echo another");
  EXPECT_EQ(run(c).output, "itself\n"); // not a subject: us it may
  c.isSubject = true;
  o = run(c);
  EXPECT_NE(o.output.find("itself\n"), std::string::npos) << o.output;
  EXPECT_NE(o.output.find("No such process"), std::string::npos) << o.output;
  EXPECT_NE(o.output.find("another\n"), std::string::npos) << o.output;
  c = shell("mount -t tmpfs none /nowhere");
  c.isSubject = true;
  o = run(c);
  EXPECT_NE(o.output.find("Function not implemented"), std::string::npos) << o.output;
}

TEST(Process, WallLimitKillsTheWholeGroup) {
  std::string file = scratch("alive");
  Command c = shell("(sleep 1; echo alive >" + file + ") & sleep 30");
  c.limits.wall = 100ms;
  auto started = std::chrono::steady_clock::now();
  Outcome o = run(c);
  EXPECT_EQ(o.kind, EndKind::TimedOut);
  EXPECT_LT(std::chrono::steady_clock::now() - started, 25s);
  std::this_thread::sleep_for(1300ms);
  EXPECT_NE(access(file.c_str(), F_OK), 0) << "a grandchild survived";
  unlink(file.c_str());
}

TEST(Process, WhatIsLeftInTheBackgroundDiesWithTheChild) {
  std::string file = scratch("left");
  EXPECT_TRUE(run(shell("(sleep 1; echo alive >" + file + ") & exit 0")).ok());
  std::this_thread::sleep_for(1300ms);
  EXPECT_NE(access(file.c_str(), F_OK), 0);
  unlink(file.c_str());
}

TEST(Process, CpuLimit) {
  Command c = shell("while :; do :; done");
  c.limits.cpuSeconds = 1;
  c.limits.wall = 20s;
  Outcome o = run(c);
  EXPECT_EQ(o.kind, EndKind::TimedOut);
  EXPECT_LT(o.seconds, 10);
}

TEST(Process, MemoryLimit) {
  Command c = shell("dd if=/dev/zero of=/dev/null bs=300M count=1 2>&1");
  c.limits.memoryBytes = 100 << 20;
  EXPECT_FALSE(run(c).ok());
  c.limits.memoryBytes = 0;
  EXPECT_TRUE(run(c).ok());
}

TEST(Process, FileSizeLimit) {
  std::string file = scratch("big");
  Command c = shell("exec head -c 100000 /dev/zero >" + file);
  c.limits.fileBytes = 1000;
  Outcome o = run(c);
  EXPECT_EQ(o.kind, EndKind::Signalled);
  EXPECT_EQ(o.status, SIGXFSZ);
  EXPECT_EQ(contents(file).size(), 1000u);
  unlink(file.c_str());
}

TEST(Process, StopFlag) {
  std::atomic<bool> stop{false};
  std::thread later([&] {
    std::this_thread::sleep_for(100ms);
    stop = true;
  });
  Outcome o = run(shell("sleep 30"), &stop);
  later.join();
  EXPECT_EQ(o.kind, EndKind::Stopped);
  EXPECT_LT(o.seconds, 5);
}

TEST(Process, NotStarted) {
  Command c;
  c.program = "/nonexistent/program";
  c.arguments = {"x"};
  Outcome o = run(c);
  EXPECT_EQ(o.kind, EndKind::NotStarted);
  EXPECT_EQ(o.error, "cannot start /nonexistent/program: No such file or directory");
  c = shell("true");
  c.captureOutput = false;
  c.stdinFile = "/nonexistent/in";
  EXPECT_EQ(run(c).error, "cannot open /nonexistent/in: No such file or directory");
}

TEST(Process, NoDescriptorLeaks) {
  int fd = open("/dev/null", O_RDONLY); // not close-on-exec
  Outcome o = run(shell("ls /proc/self/fd | wc -l"));
  close(fd);
  EXPECT_EQ(o.output, "4\n"); // 0, 1, 2, and the directory itself
}

TEST(Process, ClosedStandardDescriptorsAreNoneOfTheChilds) {
  // The files that are opened for the child then get the numbers of our standard descriptors.
  int saved[3];
  for (int fd = 0; fd < 3; ++fd) saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
  for (int fd = 0; fd < 3; ++fd) close(fd);
  const Outcome outcome = run(shell("cat; echo out; echo err >&2"));
  Command toFile = shell("cat; echo out");
  toFile.captureOutput = false;
  toFile.stdoutFile = toFile.stderrFile = scratch("closed");
  const Outcome written = run(toFile);
  for (int fd = 0; fd < 3; ++fd) {
    dup2(saved[fd], fd);
    close(saved[fd]);
  }
  EXPECT_EQ(outcome.output, "out\nerr\n");
  EXPECT_TRUE(outcome.ok()) << describe(outcome);
  EXPECT_EQ(contents(scratch("closed")), "out\n");
  EXPECT_TRUE(written.ok()) << describe(written);
}

TEST(Process, DescriptorsMayTradeTheirNumbers) {
  std::ofstream(scratch("a")) << "a";
  std::ofstream(scratch("b")) << "b";
  const int a = open(scratch("a").c_str(), O_RDONLY | O_CLOEXEC),
            b = open(scratch("b").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_LT(std::max(a, b), 10) << "the shell knows one digit";
  Command c = shell(fmt::format("cat <&{}; cat <&{}", a, b));
  c.descriptors = {{a, b}, {b, a}};
  EXPECT_EQ(run(c).output, "ba");
  c.descriptors = {{a, a}, {b, b}};
  lseek(a, 0, SEEK_SET);
  lseek(b, 0, SEEK_SET);
  EXPECT_EQ(run(c).output, "ab");
  close(a);
  close(b);
}

TEST(Process, WithoutDescriptorsNothingIsStarted) {
  const int lowest = open("/dev/null", O_RDONLY | O_CLOEXEC);
  close(lowest);
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  // Enough for the child's input and output, and not for that which says when it has ended.
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(lowest) + 2;
  setrlimit(RLIMIT_NOFILE, &few);
  llvm::Expected<Child> child = Child::start(shell("exit 0"));
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(bool(child));
  EXPECT_NE(llvm::toString(child.takeError()).find("cannot start /bin/sh: Too many open files"),
            std::string::npos);
}

TEST(Process, AddressesAreTheSameInEveryRun) {
  std::string first = run(shell("grep stack /proc/self/maps")).output;
  EXPECT_EQ(first, run(shell("grep stack /proc/self/maps")).output);
}

TEST(Process, ManyThreads) {
  std::atomic<int> fine{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        Outcome o = run(shell("exit " + std::to_string(t * 25 + i)));
        fine += o.kind == EndKind::Exited && o.status == t * 25 + i;
      }
    });
  for (auto &t : threads) t.join();
  EXPECT_EQ(fine, 100);
}

TEST(Process, FindProgram) {
  EXPECT_FALSE(findProgram("sh").empty());
  EXPECT_EQ(findProgram("no such program"), "");
}
