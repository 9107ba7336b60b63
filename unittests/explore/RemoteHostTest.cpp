// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/RemoteHost.h"

#include "explore/Options.h"

#include <cerrno>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace fathom::explore;

namespace {

/// A worker's channel, and the coordinator that answers over the other end.
class RemoteHostTest : public testing::Test {
protected:
  RemoteHostTest() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    worker_ = Channel(ends[0]);
    coordinator_ = Channel(ends[1]);
    char name[] = "/tmp/fathom-remote-host-XXXXXX";
    folder_ = mkdtemp(name);
    std::ofstream(folder_ + "/file") << "contents";
    options_.workingDirectory = folder_;
  }
  ~RemoteHostTest() override {
    unlink((folder_ + "/file").c_str());
    rmdir(folder_.c_str());
  }
  /// Answers the next question, after another message.
  void serveOne() {
    OwnHost host(options_);
    const std::optional<Message> message = coordinator_.receive(/*wait=*/true);
    HostQuestion question;
    ASSERT_TRUE(message && message->kind == MessageKind::HostQuestion);
    ASSERT_TRUE(decode(message->body, question));
    coordinator_.send(MessageKind::Share, "between");
    coordinator_.send(MessageKind::HostAnswer, encode(host.ask(question)));
  }
  Channel worker_{-1}, coordinator_{-1};
  std::deque<Message> others_;
  RemoteHost host_{worker_, others_};
  ExploreOptions options_;
  std::string folder_;
};

} // namespace

TEST_F(RemoteHostTest, AnswersAreThoseOfTheCoordinatorsMachineAndAreKept) {
  std::thread serving([this] { serveOne(); });
  const HostQuestion question{HostAsks::Read, folder_ + "/file", 3, 100};
  const HostAnswer answer = host_.ask(question);
  serving.join();
  EXPECT_EQ(answer.result, 5);
  EXPECT_EQ(answer.text, "tents");
  ASSERT_EQ(others_.size(), 1u) << "what came before the answer is not lost";
  EXPECT_EQ(others_[0].body, "between");
  EXPECT_EQ(host_.ask(question).text, "tents") << "nobody answers a second time";
}

TEST_F(RemoteHostTest, ListsAndNumbersComeAsTheyAre) {
  for (const HostQuestion &question :
       {HostQuestion{HostAsks::List, folder_}, HostQuestion{HostAsks::Stat, folder_ + "/file"},
        HostQuestion{HostAsks::Stat, folder_ + "/none"}, HostQuestion{HostAsks::Owner, {}},
        HostQuestion{HostAsks::WorkingDirectory, {}}, HostQuestion{HostAsks::BesideOwn, "file"}}) {
    std::thread serving([this] { serveOne(); });
    const HostAnswer remote = host_.ask(question), own = OwnHost(options_).ask(question);
    serving.join();
    EXPECT_EQ(remote.result, own.result);
    EXPECT_EQ(remote.text, own.text);
    EXPECT_EQ(remote.names, own.names);
    EXPECT_EQ(remote.numbers, own.numbers);
  }
}

TEST_F(RemoteHostTest, WithoutACoordinatorThereIsAnError) {
  coordinator_ = Channel(-1);
  EXPECT_EQ(host_.ask({HostAsks::Read, "/etc/passwd", 0, 1}).result, -EIO);
}
