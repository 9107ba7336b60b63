// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/ExternalRunner.h"

#include <csignal>
#include <gtest/gtest.h>

using namespace fathom::native;
using namespace std::chrono_literals;
using Kind = ExternalResult::Kind;
using A = ExternalArgument;
using T = ExternalType;

namespace {
class External : public testing::Test {
protected:
  ExternalResult call(const std::string &name, std::vector<A> arguments, T type,
                      std::chrono::milliseconds time = 10s) {
    return runner.call(name, arguments, type, time);
  }
  ExternalRunner runner{{.helper = FATHOM_HELPER, .libraries = {FATHOM_FUNCTIONS, "libm.so.6"}}};
};
} // namespace

TEST_F(External, IntegersInRegistersAndOnTheStack) {
  std::vector<A> arguments;
  for (uint64_t i = 1; i <= 10; ++i) arguments.push_back(A::integer(i * 100));
  ExternalResult r = call("addTen", arguments, T::Integer);
  ASSERT_EQ(r.kind, Kind::Done) << r.error;
  EXPECT_EQ(r.integer, 38500u);
}

TEST_F(External, RealsInRegistersAndOnTheStack) {
  std::vector<A> arguments;
  for (int i = 1; i <= 10; ++i) arguments.push_back(A::real(i * 0.5));
  EXPECT_EQ(call("addReals", arguments, T::Double).real, 192.5);
  EXPECT_EQ(
      call("mixed", {A::integer(1), A::real(0.5), A::integer(2), A::single(0.25f)}, T::Double).real,
      3.75);
  EXPECT_EQ(call("halve", {A::single(3)}, T::Float).real, 1.5);
}

TEST_F(External, Variadic) {
  EXPECT_EQ(call("sumVariadic", {A::integer(3), A::real(1), A::real(2), A::real(3.5)}, T::Integer)
                .integer,
            6u);
}

TEST_F(External, HostLibraries) {
  EXPECT_EQ(call("pow", {A::real(2), A::real(10)}, T::Double).real, 1024);
  EXPECT_EQ(call("abs", {A::integer(static_cast<uint32_t>(-5))}, T::Integer).integer, 5u);
}

TEST_F(External, BuffersComeBack) {
  ExternalResult r = call("reverse", {A::bytes({1, 2, 3, 4, 5}), A::integer(5)}, T::Integer);
  ASSERT_EQ(r.buffers.size(), 1u);
  EXPECT_EQ(r.buffers[0], (std::vector<uint8_t>{5, 4, 3, 2, 1}));
  std::vector<uint8_t> large(3 << 20, 7); // more than a socket takes at once
  large[0] = 1;
  r = call("reverse", {A::bytes(large), A::integer(large.size())}, T::Integer);
  EXPECT_EQ(r.buffers[0].back(), 1);
}

TEST_F(External, StateIsKeptUntilSomethingGoesWrong) {
  EXPECT_EQ(call("count", {}, T::Integer).integer, 1u);
  EXPECT_EQ(call("count", {}, T::Integer).integer, 2u);
  EXPECT_EQ(runner.starts(), 1u);
  EXPECT_EQ(call("crash", {}, T::Void).kind, Kind::Crash);
  EXPECT_EQ(call("count", {}, T::Integer).integer, 1u);
  EXPECT_EQ(runner.starts(), 2u);
}

TEST_F(External, Crashes) {
  ExternalResult r = call("crash", {}, T::Void);
  EXPECT_EQ(r.kind, Kind::Crash);
  EXPECT_EQ(r.status, SIGSEGV);
  EXPECT_EQ(call("abortNow", {}, T::Void).status, SIGABRT);
}

TEST_F(External, Hangs) {
  auto started = std::chrono::steady_clock::now();
  EXPECT_EQ(call("hang", {}, T::Void, 200ms).kind, Kind::Timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - started, 5s);
  EXPECT_EQ(call("count", {}, T::Integer).kind, Kind::Done);
}

TEST_F(External, Exits) {
  ExternalResult r = call("leave", {A::integer(9)}, T::Void);
  EXPECT_EQ(r.kind, Kind::Exited);
  EXPECT_EQ(r.status, 9);
}

TEST_F(External, UnknownFunction) {
  EXPECT_EQ(call("no_such_function", {A::bytes({1})}, T::Void).kind, Kind::NotFound);
  EXPECT_EQ(call("count", {}, T::Integer).kind, Kind::Done); // the conversation goes on
}

TEST(ExternalRunner, LibraryThatIsNotThere) {
  ExternalRunner runner({.helper = FATHOM_HELPER, .libraries = {"/nonexistent.so"}});
  ExternalResult r = runner.call("f", {}, T::Void, 1s);
  EXPECT_EQ(r.kind, Kind::Failed);
  EXPECT_NE(r.error.find("/nonexistent.so"), std::string::npos) << r.error;
}

TEST(ExternalRunner, HelperThatIsNotThere) {
  ExternalRunner runner({.helper = "/nonexistent/helper", .libraries = {}});
  EXPECT_EQ(runner.call("f", {}, T::Void, 1s).error,
            "cannot start /nonexistent/helper: No such file or directory");
}
