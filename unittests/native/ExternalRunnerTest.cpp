// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/ExternalRunner.h"

#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace fathom::native;
using namespace std::chrono_literals;
using Kind = ExternalResult::Kind;
using A = ExternalArgument;
using T = ExternalType;

namespace {
class External : public testing::Test {
protected:
  ExternalResult call(const std::string &name, const std::vector<A> &arguments, T type,
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

TEST_F(External, MemoryIsAtItsAddressAndPointersMeanTheSame) {
  // A list of two elements in blocks of their own, the function gets a pointer to the first.
  const uint64_t first = 0x0a0000001000, second = 0x0c0000002ff0;
  std::vector<uint8_t> head(16, 0), tail(16, 0);
  memcpy(&head[0], &second, 8);
  head[8] = 30;
  tail[8] = 12;
  const std::vector<A> arguments{A::integer(first), A::block(first, head), A::block(second, tail)};
  for (bool apart : {false, true}) {
    ExternalResult r = runner.call("sumList", arguments, T::Integer, 10s, apart);
    ASSERT_EQ(r.kind, Kind::Done) << r.error;
    EXPECT_EQ(r.integer, 42u);
    ASSERT_EQ(r.buffers.size(), 2u);
    EXPECT_EQ(r.buffers[0][8], 0) << "it takes the numbers out";
    EXPECT_EQ(r.buffers[1][8], 0);
  }
  ExternalResult r = runner.call("lastOf", arguments, T::Integer, 10s);
  EXPECT_EQ(r.integer, second);
}

TEST_F(External, WritesBesideTheMemoryAreNoticed) {
  const uint64_t at = 0x0a0000001008;
  for (bool apart : {false, true}) {
    auto fill = [&](uint64_t from, uint64_t size) {
      return runner.call("fill", {A::integer(from), A::integer(size), A::block(at, {1, 2, 3, 4})},
                         T::Void, 10s, apart);
    };
    EXPECT_EQ(fill(at, 4).kind, Kind::Done);
    EXPECT_EQ(fill(at, 5).kind, Kind::WroteOutside);
    EXPECT_EQ(fill(at - 1, 2).kind, Kind::WroteOutside);
    EXPECT_EQ(fill(at, 8192).kind, Kind::Crash);
    EXPECT_EQ(fill(at, 4).kind, Kind::Done);
  }
}

TEST_F(External, MemoryWhereTheChildHasItsOwnIsRefused) {
  ExternalResult r = runner.call("whereAmI", {}, T::Integer, 10s);
  ASSERT_EQ(r.kind, Kind::Done);
  r = runner.call("fill", {A::integer(0), A::integer(0), A::block(r.integer, {1})}, T::Void, 10s);
  EXPECT_EQ(r.kind, Kind::Failed);
  EXPECT_EQ(call("count", {}, T::Integer).kind, Kind::Done); // the conversation goes on
}

TEST_F(External, CallsApartLeaveNothingBehind) {
  EXPECT_EQ(call("count", {}, T::Integer).integer, 1u);
  auto apart = [&](const std::string &name, const std::vector<A> &arguments, T type) {
    return runner.call(name, arguments, type, 300ms, /*apart=*/true);
  };
  EXPECT_EQ(apart("count", {}, T::Integer).integer, 2u);
  EXPECT_EQ(apart("count", {}, T::Integer).integer, 2u);
  ExternalResult r = apart("crash", {}, T::Void);
  EXPECT_EQ(r.kind, Kind::Crash);
  EXPECT_EQ(r.status, SIGSEGV);
  r = apart("leave", {A::integer(9)}, T::Void);
  EXPECT_EQ(r.kind, Kind::Exited);
  EXPECT_EQ(r.status, 9);
  EXPECT_EQ(apart("hang", {}, T::Void).kind, Kind::Timeout);
  EXPECT_EQ(runner.starts(), 1u) << "none of them took the process with it";
}

TEST_F(External, CallsInTurnSeeEachOther) {
  const ExternalRunner::Call count{"count", {}, T::Integer}, crash{"crash", {}, T::Void};
  for (int i = 0; i < 2; ++i) {
    const ExternalRunner::Call three[] = {count, count, count};
    ExternalResult r = runner.callInTurn(three, 10s);
    ASSERT_EQ(r.kind, Kind::Done);
    EXPECT_EQ(r.integer, 3u) << "and nothing of it is left behind";
  }
  EXPECT_EQ(runner.starts(), 1u);
  const ExternalRunner::Call early[] = {count, crash, count};
  ExternalResult r = runner.callInTurn(early, 10s);
  EXPECT_EQ(r.kind, Kind::Crash);
  EXPECT_EQ(r.status, SIGSEGV);
  const ExternalRunner::Call unknown[] = {{"noSuchFunction", {}, T::Void}, count};
  EXPECT_EQ(runner.callInTurn(unknown, 10s).kind, Kind::NotFound);
  EXPECT_EQ(call("count", {}, T::Integer).integer, 1u) << "the conversation goes on";
}

TEST_F(External, DescriptorsAreNotTheFunctionsOwn) {
  ASSERT_EQ(call("count", {}, T::Integer).integer, 1u);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(runner.call("closeAll", {}, T::Integer, 100s, /*apart=*/true).kind, Kind::Exited);
  EXPECT_EQ(call("closeAll", {}, T::Integer).kind, Kind::Exited);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 90s) << "not by the time limit";
  // What it wrote to the socket is no answer, neither to this call nor to the next.
  for (bool apart : {false, true}) {
    EXPECT_EQ(runner.call("chatter", {}, T::Integer, 10s, apart).kind, Kind::Failed);
    EXPECT_EQ(call("count", {}, T::Integer).integer, 1u);
  }
}

TEST(SharedMemory, NobodyMakesItSmaller) {
  SharedMemory memory;
  ASSERT_TRUE(memory.grow(1 << 16));
  EXPECT_EQ(ftruncate(memory.file(), 1 << 12), -1) << "reading what is mapped would be our end";
  ASSERT_TRUE(memory.grow(1 << 17));
  memory.data()[(1 << 17) - 1] = 1;
}

TEST_F(External, MemoryWithoutEndIsRefused) {
  ExternalRunner small{
      {.helper = FATHOM_HELPER, .libraries = {FATHOM_FUNCTIONS}, .memoryBytes = 32 << 20}};
  ExternalResult r = small.call("hoard", {}, T::Integer, 10s);
  EXPECT_EQ(r.kind, Kind::Done) << "malloc says no";
  EXPECT_LT(r.integer, 32u);
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
  EXPECT_LT(std::chrono::steady_clock::now() - started, 60s) << "not at the limit";
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
