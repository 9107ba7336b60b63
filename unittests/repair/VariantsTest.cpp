// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Oracle: each candidate compiled alone prints what the variant prints when it is chosen.
#include "repair/Variants.h"

#include "native/Process.h"
#include "support/WriteFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

namespace fathom::repair {
namespace {

class VariantsTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("repair-variants", folder_));
  }
  void TearDown() override { (void)llvm::sys::fs::remove_directories(folder_); }

  std::string path(const char *name) const { return (folder_ + "/" + name).str(); }

  void compile(const std::string &source, const char *name) {
    ASSERT_FALSE(writeFile(path("x.c"), source));
    native::Command command;
    command.program = native::findProgram("clang-19");
    command.arguments = {"clang", "-Werror",  "-Wall",    "-Wno-parentheses",
                         "-o",    path(name), path("x.c")};
    command.inheritEnvironment = true;
    command.captureOutput = true;
    const native::Outcome outcome = native::run(command);
    ASSERT_TRUE(outcome.ok()) << outcome.output << outcome.error;
  }

  std::string outputOf(const char *name, std::vector<std::string> environment) {
    native::Command command;
    command.program = path(name);
    command.arguments = {name};
    command.environment = std::move(environment);
    command.captureOutput = true;
    command.limits.wall = std::chrono::seconds(10);
    return native::run(command).output;
  }

  llvm::SmallString<128> folder_;
};

const char *const kSource = "#include <stdio.h>\n"
                            "int main(void) {\n"
                            "  unsigned char t[] = {250, 3, 7};\n"
                            "  for (int i = 0; i < 3; i++) {\n"
                            "    unsigned u = t[i];\n"
                            "    int x = t[i] + 10, y = __LINE__;\n"
                            "    if (x <\n"
                            "        15)\n"
                            "      x = x * 2;\n"
                            "    printf(\"%d %d %d %u;\", i, x, y, u);\n"
                            "  }\n"
                            "}\n";

TEST_F(VariantsTest, EachChoiceIsTheCandidateAlone) {
  const std::vector<std::string> candidates = {"i == 1", "(t[i] - 300) < u", "t[i] > 200", "0"};
  for (const auto &[line, index] : {std::pair(6u, 0u), std::pair(7u, 0u), std::pair(9u, 1u)}) {
    const std::vector<Hole> holes = holesAt(kSource, line);
    ASSERT_GT(holes.size(), index);
    compile(variantSource(kSource, holes[index], {"i", "u"}, candidates), "all");
    compile(kSource, "one");
    EXPECT_EQ(outputOf("all", {}), outputOf("one", {}));
    for (size_t i = 0; i < candidates.size(); ++i) {
      compile(fill(kSource, holes[index], candidates[i]), "one");
      const std::string alone = outputOf("one", {});
      EXPECT_EQ(outputOf("all", {std::string(kChoiceVariable) + "=" + std::to_string(i + 1)}),
                alone)
          << line << ": " << candidates[i];
      EXPECT_FALSE(alone.empty());
    }
  }
}

TEST_F(VariantsTest, CommentsOfTheHoleAreLeftOut) {
  const std::string source = "int printf(const char *, ...);\n"
                             "int main(void) {\n"
                             "  int a = 3, c;\n"
                             "  c = a + // first\n"
                             "      2 /* last */;\n"
                             "  printf(\"%d %d;\", c, __LINE__);\n"
                             "  return 0;\n"
                             "}\n";
  const std::vector<Hole> holes = holesAt(source, 4);
  ASSERT_FALSE(holes.empty());
  compile(variantSource(source, holes[0], {"a"}, {"(" + holes[0].original + ") * a"}), "all");
  EXPECT_EQ(outputOf("all", {}), "5 6;");
  EXPECT_EQ(outputOf("all", {std::string(kChoiceVariable) + "=1"}), "15 6;");
}

TEST_F(VariantsTest, LogsStates) {
  compile(variantSource(kSource, holesAt(kSource, 7)[0], {"i", "x"}, {}), "all");
  outputOf("all", {std::string(kLogVariable) + "=" + path("log")});
  auto log = llvm::MemoryBuffer::getFile(path("log"));
  ASSERT_TRUE(bool(log));
  const std::vector<LoggedState> states = readLog((*log)->getBuffer().str(), 2);
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0].values, (std::vector<int64_t>{0, 260}));
  EXPECT_EQ(states[0].result, 0);
  EXPECT_EQ(states[1].values, (std::vector<int64_t>{1, 13}));
  EXPECT_EQ(states[1].result, 1);
}

TEST(ReadLog, BelievesOnlyWholeStates) {
  const std::vector<LoggedState> states =
      readLog("S 1 2\nS 3 -4\nR 7\nR 8\nR 9\nS 5\nx\nS 6 z\nS 1 1\nR 1 2\nS 9 9", 2);
  ASSERT_EQ(states.size(), 3u);
  EXPECT_EQ(states[0].result, 8); // the hole's expression came here again
  EXPECT_EQ(states[1].result, 7);
  EXPECT_EQ(states[1].values, (std::vector<int64_t>{3, -4}));
  EXPECT_EQ(states[2].result, std::nullopt);
  EXPECT_EQ(readLog("S\nR 1\n", 0).size(), 1u);
}

} // namespace
} // namespace fathom::repair
