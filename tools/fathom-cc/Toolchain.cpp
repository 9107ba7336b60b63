// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Toolchain.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace fathom::cc {

namespace fs = std::filesystem;

/// A program of LLVM: from the environment, from the LLVM we were built with, or from PATH.
static std::string program(const char *variable, const std::string &name) {
  if (const char *path = std::getenv(variable); path && *path) return path;
  std::string built = std::string(FATHOM_LLVM_BIN "/") + name;
  return access(built.c_str(), X_OK) == 0 ? built : name + "-19";
}

Toolchain Toolchain::find() {
  Toolchain tools;
  tools.clang = program("FATHOM_CLANG", "clang");
  tools.linker = program("FATHOM_LLD", "ld.lld");
  tools.strip = program("FATHOM_STRIP", "llvm-strip");

  std::error_code error;
  if (const char *sysroot = std::getenv("FATHOM_SYSROOT"); sysroot && *sysroot) {
    tools.sysroot = sysroot;
  } else {
    fs::path self = fs::read_symlink("/proc/self/exe", error);
    tools.sysroot = (self.parent_path().parent_path() / "sysroot").string();
  }
  if (!fs::exists(fs::path(tools.sysroot) / "lib", error)) tools.sysroot.clear();

  if (const char *list = std::getenv("FATHOM_PREFIX")) {
    std::string rest = list;
    while (!rest.empty()) {
      size_t colon = rest.find(':');
      if (colon != 0) tools.prefixes.push_back(rest.substr(0, colon));
      rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
    }
  }
  return tools;
}

} // namespace fathom::cc
