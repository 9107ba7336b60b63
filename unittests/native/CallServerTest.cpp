// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes wrong when a server starts. That programs reach it, and it their memory, is what
// test/external/replay-*.c show.
#include "native/CallServer.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace fathom::native;

namespace {

class CallServerTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_NE(mkdtemp(folder_.data()), nullptr); }
  void TearDown() override {
    unlink((folder_ + "/calls").c_str());
    rmdir(folder_.c_str());
  }
  std::string problem(const CallServerOptions &options) {
    llvm::Expected<CallServer> server = CallServer::start(options);
    return server ? "" : llvm::toString(server.takeError());
  }
  std::string folder_ = "/tmp/fathom-calls-XXXXXX";
};

TEST_F(CallServerTest, Starts) {
  EXPECT_EQ(problem({FATHOM_HELPER, {FATHOM_FUNCTIONS, "libm.so.6"}, folder_ + "/calls"}), "");
}

TEST_F(CallServerTest, LibraryThatIsNotThere) {
  const std::string text = problem({FATHOM_HELPER, {"libnone.so.7"}, folder_ + "/calls"});
  EXPECT_NE(text.find("libnone.so.7: cannot open shared object file"), std::string::npos) << text;
}

TEST_F(CallServerTest, HelperThatIsNone) {
  EXPECT_EQ(problem({"/bin/true", {}, folder_ + "/calls"}), "/bin/true: exit status 0");
  EXPECT_EQ(problem({folder_ + "/none", {}, folder_ + "/calls2"}).rfind("cannot start", 0), 0u);
  unlink((folder_ + "/calls2").c_str());
}

TEST_F(CallServerTest, NameOfTheSocket) {
  const std::string longName = folder_ + "/" + std::string(100, 'c');
  EXPECT_NE(problem({FATHOM_HELPER, {}, longName}).find("expected at most 107"), std::string::npos);
  EXPECT_EQ(problem({FATHOM_HELPER, {}, folder_ + "/none/calls"}),
            "cannot listen at " + folder_ + "/none/calls: No such file or directory");
}

} // namespace
