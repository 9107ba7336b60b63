// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Installation.h"

#include "native/Process.h"
#include "run/Failure.h"
#include "support/OwnFile.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <unistd.h>

namespace fathom::run {

const Installation &Installation::get() {
  static const Installation here = [] {
    Installation i;
    const std::string beside = ownFile().substr(0, ownFile().rfind('/')); // bin/, or lib/
    const char *build = getenv("FATHOM_BUILD");
    i.build = build && *build ? build : beside.substr(0, beside.rfind('/'));
    i.bin = beside.ends_with("/lib") ? i.build + "/bin" : beside;
    auto firstThere = [&](std::initializer_list<std::string> candidates) -> std::string {
      for (const std::string &c : candidates)
        if (access(c.c_str(), R_OK) == 0) return c;
      return "";
    };
    i.fathom = firstThere({i.bin + "/fathom", i.build + "/bin/fathom"});
    i.fathomCc = firstThere({i.bin + "/fathom-cc", i.build + "/bin/fathom-cc"});
    i.nativeHelper =
        firstThere({i.bin + "/fathom-native-helper", i.build + "/bin/fathom-native-helper"});
    i.sysroot = i.build + "/sysroot";
    std::getline(std::ifstream(i.sysroot + "/lib/version") >> std::ws, i.sysrootVersion);
    i.runtimeBitcode = firstThere({i.build + "/lib/fathom/runtime.bc"});
    i.remedy = access((i.build + "/CMakeCache.txt").c_str(), F_OK) == 0
                   ? "build Fathom with ./dev build"
                   : "install Fathom again";
    return i;
  }();
  return here;
}

llvm::Expected<native::VariantTools> variantTools(const char *runtimeObject) {
  const Installation &here = Installation::get();
  native::VariantTools tools;
  tools.linker = native::findProgram("ld.lld-19");
  if (tools.linker.empty()) tools.linker = native::findProgram("ld.lld");
  if (tools.linker.empty())
    return usageError("ld.lld is not installed; Debian has it in the package lld-19");
  tools.runtimeObject = fmt::format("{}/lib/fathom/{}", here.build, runtimeObject);
  if (access(tools.runtimeObject.c_str(), R_OK) != 0)
    return usageError(fmt::format("{} is missing; {}", tools.runtimeObject, here.remedy));
  if (access((here.sysroot + "/lib/libfathom-native.a").c_str(), R_OK) != 0)
    return usageError(fmt::format("{}: no sysroot there; {}", here.sysroot, here.remedy));
  tools.sysroot = here.sysroot;
  tools.cache = native::defaultCache();
  return tools;
}

} // namespace fathom::run
