// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How diagnoses call Fathom. What they choose: CampaignFolderTest.cpp.
#include "report/Diagnose.h"

#include "support/WriteFile.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace fathom::report {
namespace {

TEST(Diagnose, HasTheTimeThatItIsGiven) {
  std::string folder = testing::TempDir() + "/diagnose-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  DiagnoseOptions options;
  options.fathom = folder + "/fathom";
  options.program = folder + "/program";
  options.scratch = folder + "/scratch";
  options.time = std::chrono::milliseconds(700);
  ASSERT_FALSE(writeFile(options.fathom, "#!/bin/sh\necho \"$@\" > '" + folder + "/called'\n"));
  std::filesystem::permissions(options.fathom, std::filesystem::perms::owner_all);
  campaign::Crash crash;
  crash.input = "x";
  EXPECT_TRUE(diagnose(crash, options, nullptr).empty());
  const auto called = llvm::MemoryBuffer::getFile(folder + "/called");
  ASSERT_TRUE(bool(called));
  EXPECT_TRUE((*called)->getBuffer().contains(" --max-time=700ms "))
      << (*called)->getBuffer().str();
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace fathom::report
