// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/OwnFile.h"

#include <cstdlib>
#include <dlfcn.h>

namespace fathom {

/// Absolute, with links resolved; "": there is no such file.
static std::string resolved(const char *path) {
  char *real = realpath(path, nullptr);
  std::string out = real ? real : "";
  free(real);
  return out;
}

const std::string &ownFile() {
  static const std::string file = [] {
    // With BUILD_SHARED_LIBS, each layer is a library of its own, and belongs to an executable.
    Dl_info here;
    if (dladdr(reinterpret_cast<const void *>(&ownFile), &here) && here.dli_fname)
      if (std::string library = resolved(here.dli_fname);
          library.find("/libfathom.so") != std::string::npos)
        return library;
    return resolved("/proc/self/exe");
  }();
  return file;
}

} // namespace fathom
