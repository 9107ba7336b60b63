// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom-cc: a C compiler that leaves, beside every program it links, the whole program as LLVM
// bitcode. See docs/fathom-cc.md; start reading at Driver::run.
#include "Arguments.h"
#include "Driver.h"
#include "ElfSections.h"
#include "Help.h"
#include "Toolchain.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

using namespace fathom::cc;

/// Internal: fathom-cc --fathom-seal=libc OBJECT, for scripts/build-sysroot.
static int sealForSysroot(int argc, char **argv) {
  for (int i = 2; i < argc; i++) {
    if (std::string error = sealObject(argv[i], /*libc=*/true); !error.empty()) {
      std::fprintf(stderr, "fathom-cc: error: %s\n", error.c_str());
      return 1;
    }
  }
  return 0;
}

int main(int argc, char **argv) {
  std::string_view name = argv[0];
  if (argc > 1 && std::string_view(argv[1]) == "--fathom-seal=libc")
    return sealForSysroot(argc, argv);
  if (argc == 2 && std::string_view(argv[1]) == "--fathom-help") {
    std::fputs(kHelp, stdout);
    return 0;
  }

  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *, 64> expanded(argv + 1, argv + argc);
  llvm::cl::ExpandResponseFiles(saver, llvm::cl::TokenizeGNUCommandLine, expanded);

  Arguments args = parseArguments(std::vector<std::string>(expanded.begin(), expanded.end()));
  if (!args.error.empty()) {
    std::fprintf(stderr, "fathom-cc: error: %s\n", args.error.c_str());
    return 1;
  }
  if (name.ends_with("++")) args.cxx = args.cxxDriver = true;
  Toolchain tools = Toolchain::find();
  if (tools.sysroot.empty()) {
    std::fprintf(
        stderr,
        "fathom-cc: error: no sysroot beside this program; build or install Fathom again, or set "
        "FATHOM_SYSROOT\n");
    return 1;
  }
  return drive(args, tools);
}
