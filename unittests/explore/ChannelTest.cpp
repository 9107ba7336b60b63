// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/Protocol.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

using namespace fathom::explore;

namespace {

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    from.emplace(ends[0]);
    to.emplace(ends[1]);
  }
  /// "" where nothing has come.
  std::string next() {
    std::optional<Message> message = to->receive(/*wait=*/false);
    return message ? message->body : "";
  }
  std::optional<Channel> from, to;
};

} // namespace

TEST(Channel, WhatCanWaitComesBeforeWhatFollows) {
  Pair pair;
  EXPECT_TRUE(pair.from->sendSoon(MessageKind::Test, "one"));
  EXPECT_TRUE(pair.from->sendSoon(MessageKind::Test, "two"));
  EXPECT_EQ(pair.next(), "") << "nobody is woken up";
  EXPECT_TRUE(pair.from->send(MessageKind::Progress, "three"));
  for (const char *body : {"one", "two", "three", ""}) EXPECT_EQ(pair.next(), body);
}

TEST(Channel, WhatCanWaitIsHandedOver) {
  Pair pair;
  EXPECT_TRUE(pair.from->sendSoon(MessageKind::Test, "one"));
  EXPECT_TRUE(pair.from->handOver());
  EXPECT_EQ(pair.next(), "one");
  EXPECT_TRUE(pair.from->handOver()) << "nothing is left";
  EXPECT_EQ(pair.next(), "");
  const std::string large(100000, 'x');
  EXPECT_TRUE(pair.from->sendSoon(MessageKind::Test, large)) << "that is enough";
  EXPECT_EQ(pair.next(), large);
}

TEST(Channel, AMessageThatIsTooLongClosesTheConnection) {
  Pair pair;
  pair.to->limitBody(10);
  EXPECT_TRUE(pair.from->send(MessageKind::Test, "0123456789"));
  EXPECT_EQ(pair.next(), "0123456789");
  pair.from->post(MessageKind::Test, "0123456789a");
  EXPECT_EQ(pair.next(), "");
  EXPECT_TRUE(pair.to->closed());
  EXPECT_FALSE(pair.from->receive(/*wait=*/true)) << "the other side is told";
  EXPECT_TRUE(pair.from->closed());
}
