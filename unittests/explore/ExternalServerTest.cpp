// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// External functions as operations: layout of inputs and outputs, what is remembered, what goes
// wrong. The functions are those of unittests/native/Inputs/functions.c.
#include "explore/external/ExternalServer.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace fathom;
using namespace fathom::explore;
using native::ExternalType;

namespace {

class Server : public testing::Test {
protected:
  Server() {
    options.nativeHelper = FATHOM_HELPER;
    options.libraries = {FATHOM_FUNCTIONS};
    options.externalTimeout = std::chrono::milliseconds(2000);
  }
  static void put(std::vector<uint8_t> &bytes, uint64_t at, uint64_t word) {
    memcpy(&bytes[at], &word, 8);
  }
  static uint64_t word(const std::vector<uint8_t> &bytes, uint64_t at) {
    uint64_t v;
    memcpy(&v, &bytes[at], 8);
    return v;
  }
  std::vector<uint8_t> run(const ExternalSignature &f, const std::vector<uint8_t> &in) {
    auto operation = server.operation(f);
    std::vector<uint8_t> out(operation->outputBytes, 0xee);
    operation->apply(in, out);
    return out;
  }
  ExternalStatus status(const std::vector<uint8_t> &out) {
    return static_cast<ExternalStatus>(out[ExternalSignature::kStatusAt]);
  }
  ExploreOptions options;
  ExternalServer server{options};
};

TEST_F(Server, BlocksArgumentsAndResultsAreWhereTheSignatureSays) {
  ExternalSignature f;
  f.function = "reverse";
  f.arguments = {ExternalType::Integer, ExternalType::Integer};
  f.result = ExternalType::Integer;
  f.blocks = {{4, true}, {3, false}};
  ASSERT_EQ(f.inputBytes(), 2 * 8 + 2 * 8 + 7u);
  ASSERT_EQ(f.outputBytes(), 10 + 4u);
  const uint64_t at = 0x0a0000002000;
  std::vector<uint8_t> in(f.inputBytes());
  put(in, 0, at);
  put(in, 8, 4);
  put(in, f.addressAt(0), at);
  put(in, f.addressAt(1), at + 100);
  memcpy(&in[f.contentsAt(0)], "abcdxyz", 7);
  std::vector<uint8_t> out = run(f, in);
  EXPECT_EQ(status(out), ExternalStatus::Returned);
  EXPECT_EQ(word(out, ExternalSignature::kValueAt), 4u);
  EXPECT_EQ(memcmp(&out[f.resultsAt(0)], "dcba", 4), 0);

  EXPECT_EQ(run(f, in), out);
  EXPECT_EQ(server.stats().executed, 1u);
  EXPECT_EQ(server.stats().remembered, 1u);
  EXPECT_TRUE(server.validate(*server.operation(f), in, out));
  out[f.resultsAt(0)] ^= 1;
  EXPECT_FALSE(server.validate(*server.operation(f), in, out));
  EXPECT_EQ(server.stats().disagreements, 1u);
}

TEST_F(Server, StatefulFunctionsSeeTheCallsBeforeThem) {
  ExternalSignature count;
  count.function = "count";
  count.result = ExternalType::Integer;
  count.stateful = true;
  auto earlier = std::make_shared<const ExternalSignature>(count);
  EXPECT_EQ(word(run(count, {0}), ExternalSignature::kValueAt), 1u);
  count.before = {earlier, earlier};
  ASSERT_EQ(count.inputBytes(), 3u);
  EXPECT_NE(count.name(), earlier->name());
  std::vector<uint8_t> in(3), out = run(count, in);
  EXPECT_EQ(status(out), ExternalStatus::Returned);
  EXPECT_EQ(word(out, ExternalSignature::kValueAt), 3u);
  EXPECT_TRUE(server.validate(*server.operation(count), in, out));

  // Memory of its own is a value, which later calls are given back.
  ExternalSignature where;
  where.function = "whereAmI";
  where.result = ExternalType::Integer;
  where.returnsPointer = true;
  EXPECT_EQ(status(run(where, {0})), ExternalStatus::ForeignPointer);
  where.stateful = true;
  out = run(where, {0});
  EXPECT_EQ(status(out), ExternalStatus::Returned);
  EXPECT_EQ(out[ExternalSignature::kBlockAt], ExternalSignature::kForeignBlock);
  EXPECT_NE(word(out, ExternalSignature::kValueAt), 0u);
  where.before = {earlier};
  EXPECT_EQ(word(run(where, {0, 0}), ExternalSignature::kValueAt),
            word(out, ExternalSignature::kValueAt));
}

TEST_F(Server, WhatWasPreparedIsNotExecutedAgain) {
  ExternalSignature f;
  f.function = "leave"; // with 0 to 3: each ends its process
  f.arguments = {ExternalType::Integer};
  ExternalSignature absolute;
  absolute.function = "abs";
  absolute.arguments = {ExternalType::Integer};
  absolute.result = ExternalType::Integer;
  std::vector<uint8_t> inputs;
  for (uint8_t i = 0; i < 64; ++i) {
    inputs.resize(size_t(8) * (i + 1));
    put(inputs, uint64_t(8) * i, i % 32);
  }
  server.operation(absolute)->prepare(inputs, 64);
  EXPECT_EQ(server.stats().executed, 32u) << "each once";
  std::vector<uint8_t> in(8);
  put(in, 0, 31);
  EXPECT_EQ(word(run(absolute, in), ExternalSignature::kValueAt), 31u);
  EXPECT_EQ(server.stats().executed, 32u);
  // What goes wrong is left to apply(), which knows how.
  server.operation(f)->prepare(std::span(inputs).first(8), 1);
  put(in, 0, 0);
  EXPECT_EQ(status(run(f, in)), ExternalStatus::Exited);
  EXPECT_EQ(server.detail(*server.operation(f), in), 0);
}

TEST_F(Server, ReturnedPointersAreABlockAndAnOffset) {
  ExternalSignature f;
  f.function = "lastOf";
  f.arguments = {ExternalType::Integer};
  f.result = ExternalType::Integer;
  f.returnsPointer = true;
  f.blocks = {{32, false}, {20, false}};
  const uint64_t first = 0x0a0000001000, second = 0x0c0000002ff0;
  std::vector<uint8_t> in(f.inputBytes());
  put(in, 0, first);
  put(in, f.addressAt(0), first);
  put(in, f.addressAt(1), second);
  put(in, f.contentsAt(0), second + 4); // next; that of the last one is 0
  std::vector<uint8_t> out = run(f, in);
  EXPECT_EQ(status(out), ExternalStatus::Returned);
  EXPECT_EQ(out[ExternalSignature::kBlockAt], 2) << "into the second";
  EXPECT_EQ(word(out, ExternalSignature::kValueAt), 4u);

  f = {};
  f.function = "whereAmI";
  f.result = ExternalType::Integer;
  f.returnsPointer = true;
  EXPECT_EQ(status(run(f, std::vector<uint8_t>(f.inputBytes()))), ExternalStatus::ForeignPointer);
}

TEST_F(Server, WhatGoesWrongIsAResultAndKeptWithItsArguments) {
  ExternalSignature f;
  f.function = "leave";
  f.arguments = {ExternalType::Integer};
  std::vector<uint8_t> in(f.inputBytes());
  put(in, 0, 9);
  EXPECT_EQ(status(run(f, in)), ExternalStatus::Exited);
  EXPECT_EQ(server.detail(*server.operation(f), in), 9);
  std::vector<ExternalFault> faults = server.takeFaults();
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].function, "leave");
  EXPECT_EQ(faults[0].arguments, "(9)");
  EXPECT_TRUE(server.takeFaults().empty());
  run(f, in);
  EXPECT_TRUE(server.takeFaults().empty()) << "remembered, not executed again";

  f.function = "no_such_function";
  EXPECT_EQ(status(run(f, in)), ExternalStatus::NotFound);
  f.ofProgram = true; // there is no variant
  EXPECT_EQ(status(run(f, in)), ExternalStatus::NotRun);
}

TEST_F(Server, WhatIsToldIsNotExecuted) {
  ExternalSignature f;
  f.function = "crash";
  auto operation = server.operation(f);
  std::vector<uint8_t> in(f.inputBytes()), out(f.outputBytes(), 3), got(f.outputBytes());
  server.remember(*operation, in, out);
  operation->apply(in, got);
  EXPECT_EQ(got, out);
  EXPECT_EQ(server.stats().executed, 0u);
}

TEST_F(Server, CallsApartDoNotSeeEachOther) {
  ExternalSignature f;
  f.function = "count";
  f.apart = true;
  f.result = ExternalType::Integer;
  f.arguments = {ExternalType::Integer}; // which it does not look at: not the same input
  for (uint64_t i = 0; i < 3; i++) {
    std::vector<uint8_t> in(f.inputBytes());
    put(in, 0, i);
    EXPECT_EQ(word(run(f, in), ExternalSignature::kValueAt), 1u);
  }
}

} // namespace
