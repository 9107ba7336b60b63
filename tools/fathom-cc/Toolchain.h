// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_CC_TOOLCHAIN_H
#define FATHOM_CC_TOOLCHAIN_H

#include <string>
#include <vector>

namespace fathom::cc {

/// Where the parts that fathom-cc puts together are.
struct Toolchain {
  std::string clang, linker, strip;  ///< programs
  std::string sysroot;               ///< holds include/, lib/, usr/; empty when there is none
  std::vector<std::string> prefixes; ///< install prefixes of libraries built before: FATHOM_PREFIX

  /// FATHOM_SYSROOT, or ../sysroot beside the folder fathom-cc itself lies in. FATHOM_CLANG and
  /// FATHOM_LLD replace the programs. FATHOM_PREFIX is a colon-separated list.
  static Toolchain find();
};

} // namespace fathom::cc

#endif
