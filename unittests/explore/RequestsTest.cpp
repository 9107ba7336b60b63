// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/Requests.h"

#include <gtest/gtest.h>

namespace fathom::explore::test {
namespace {

TEST(Requests, OfOneOtherAShare) {
  const std::vector<Request> requests = requestsFor({{0, 1000}}, 1, 32);
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].worker, 0u);
  EXPECT_EQ(requests[0].most, 32u);
}

TEST(Requests, NobodyIsIdleOrNobodyHasAnything) {
  EXPECT_TRUE(requestsFor({{0, 1000}, {1, 5}}, 0, 32).empty());
  EXPECT_TRUE(requestsFor({}, 3, 32).empty());
}

TEST(Requests, TheRichestAreAsked) {
  const std::vector<Request> requests = requestsFor({{4, 10}, {5, 30}, {6, 20}, {7, 40}}, 2, 32);
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].worker, 7u);
  EXPECT_EQ(requests[1].worker, 5u);
}

// At the start one of 64 has all there is: what it gives is enough for all others.
TEST(Requests, AFewGiveToMany) {
  const std::vector<Request> first = requestsFor({{0, 5000}}, 63, 32);
  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].most, 63u * 32);
  const std::vector<Request> then = requestsFor({{0, 10}, {1, 20}, {2, 30}}, 8, 32);
  ASSERT_EQ(then.size(), 3u);
  EXPECT_EQ(then[0].worker, 2u);
  EXPECT_EQ(then[0].most, 3u * 32);
  EXPECT_EQ(then[1].most, 3u * 32);
  EXPECT_EQ(then[2].most, 2u * 32);
}

} // namespace
} // namespace fathom::explore::test
