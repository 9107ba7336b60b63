// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/Tcp.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace fathom::native;

TEST(Tcp, Endpoints) {
  const auto named = endpointFrom("node-1.example:7000"), six = endpointFrom("[fe80::1]:0");
  ASSERT_TRUE(named && six);
  EXPECT_EQ(named->host, "node-1.example");
  EXPECT_EQ(named->port, "7000");
  EXPECT_EQ(six->host, "fe80::1");
  EXPECT_EQ(six->text(), "[fe80::1]:0");
  for (const char *wrong : {"", ":", "host", "host:", ":7000", "host:65536", "host:7000x",
                            "host:-1", "host: 1", "fe80::1:7000", "[]:1"})
    EXPECT_FALSE(endpointFrom(wrong)) << wrong;
}

TEST(Tcp, TwoEnds) {
  std::string error, from;
  const int listening = listenOn({"127.0.0.1", "0"}, error);
  ASSERT_GE(listening, 0) << error;
  EXPECT_LT(acceptFrom(listening, from), 0) << "nobody is there, and it does not wait";
  const std::string port = std::to_string(portOf(listening));
  const int out = connectTo({"localhost", port}, error);
  ASSERT_GE(out, 0) << error;
  const int in = acceptFrom(listening, from);
  ASSERT_GE(in, 0);
  EXPECT_EQ(from, "127.0.0.1");
  EXPECT_EQ(send(out, "x", 1, 0), 1);
  char got = 0;
  EXPECT_EQ(recv(in, &got, 1, 0), 1);
  EXPECT_EQ(got, 'x');
  EXPECT_LT(listenOn({"127.0.0.1", port}, error), 0);
  EXPECT_EQ(error, "Address already in use");
  for (const int fd : {in, out, listening}) close(fd);
  EXPECT_LT(connectTo({"127.0.0.1", port}, error), 0);
  EXPECT_EQ(error, "Connection refused");
}
