// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_INSTALLATION_H
#define FATHOM_RUN_INSTALLATION_H

#include "native/VariantCache.h"

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

/// Where the files are that belong to this executable, or to libfathom (support/OwnFile.h): the
/// folder that holds bin/ and lib/. It is the build folder, or PREFIX/lib/fathom, which has the
/// same layout (cmake/Install.cmake); PREFIX/bin/fathom and PREFIX/lib/libfathom.so are links.
/// $FATHOM_BUILD names another one.
struct Installation {
  std::string build;  ///< the folder that holds bin/
  std::string bin;    ///< where our own executables are
  std::string fathom; ///< the command line, for what needs a process of its own; "": not there
  std::string fathomCc;
  std::string nativeHelper;   ///< "" when there is none
  std::string runtimeBitcode; ///< "" when there is none
  std::string sysroot;        ///< sysroot/ of that folder
  std::string sysrootVersion; ///< what it calls itself; "" when it does not say
  const char *remedy;         ///< what to do when something is missing: "build Fathom with ..."
  static const Installation &get();
};

/// What native variants are made with. `runtimeObject`: its name in lib/fathom. A UsageError when
/// something of it is missing.
llvm::Expected<native::VariantTools> variantTools(const char *runtimeObject);

} // namespace fathom::run
#endif
