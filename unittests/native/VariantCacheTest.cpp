// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/VariantCache.h"

#include "support/WriteFile.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace fathom::native {
namespace {

namespace fs = std::filesystem;

/// A sysroot with a linker that writes what it is given into its output.
class VariantCacheTest : public testing::Test {
protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/variant-cache-XXXXXX";
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    fs::create_directories(folder_ + "/lib");
    tools_.sysroot = folder_;
    tools_.linker = folder_ + "/linker";
    tools_.runtimeObject = folder_ + "/trace.o";
    tools_.cache = folder_ + "/cache";
    write("linker", "#!/bin/sh\n"
                    "for word; do if [ \"$last\" = -o ]; then echo \"$@\" >\"$word\"; chmod +x "
                    "\"$word\"; fi; last=$word; done\n");
    fs::permissions(tools_.linker, fs::perms::owner_all);
    for (const char *name : {"program.bc", "trace.o", "lib/libfathom-native.a", "lib/libc.a"})
      write(name, "1");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string &name, const std::string &text) const {
    ASSERT_FALSE(writeFile(folder_ + "/" + name, text));
  }
  /// Whether the variant came from the cache.
  bool isKept() {
    llvm::Expected<CachedVariant> variant = cachedVariant(folder_ + "/program.bc", tools_, recipe_);
    EXPECT_TRUE(bool(variant)) << llvm::toString(variant.takeError());
    if (!variant) return false;
    EXPECT_EQ(variant->text, "text");
    const auto linked = llvm::MemoryBuffer::getFile(variant->executable);
    EXPECT_TRUE(linked && (*linked)->getBuffer().contains("libfathom-native.a"));
    return variant->fromCache;
  }

  std::string folder_;
  VariantTools tools_;
  VariantRecipe recipe_{"test", 1, false, [](const std::string &object) {
                          EXPECT_FALSE(writeFile(object, ""));
                          return llvm::Expected<std::string>("text");
                        }};
};

TEST_F(VariantCacheTest, EverythingThatIsLinkedCounts) {
  EXPECT_FALSE(isKept());
  EXPECT_TRUE(isKept());
  for (const char *name : {"program.bc", "trace.o", "lib/libfathom-native.a", "lib/libc.a",
                           "lib/libfathom-harness.a", "lib/libclang_rt.builtins.a"}) {
    write(name, "other");
    EXPECT_FALSE(isKept()) << name;
    EXPECT_TRUE(isKept()) << name;
  }
  fs::last_write_time(tools_.linker, fs::last_write_time(tools_.linker) + std::chrono::hours(1));
  EXPECT_FALSE(isKept()) << "another linker";
  recipe_.allowUndefined = true;
  EXPECT_FALSE(isKept());
  EXPECT_TRUE(isKept());
}

} // namespace
} // namespace fathom::native
