// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Libraries.h"

#include "native/Process.h"
#include "run/Failure.h"
#include "run/InputFiles.h"
#include "run/Installation.h"

#include <fmt/format.h>

namespace fathom::run {

llvm::Error checkLibraries(const std::string &what, const std::vector<std::string> &libraries) {
  for (const std::string &library : libraries) {
    if (library.ends_with(".c"))
      return usageError(fmt::format("{} {}: expected a shared library of the host, not its source: "
                                    "make one with `cc -shared -fPIC -o {}.so {}`",
                                    what, library, library.substr(0, library.size() - 2), library));
    if (library.find('/') != std::string::npos)
      if (llvm::Error e = requireRegularFile(what, library)) return e;
    native::Command load;
    load.program = Installation::get().nativeHelper;
    load.arguments = {"fathom-native-helper", library};
    load.captureOutput = true;
    load.limits.wall = std::chrono::seconds(20);
    native::Outcome o = native::run(load);
    // It says why on stderr; otherwise it ends with 0 because it is asked nothing.
    if (o.kind == native::Outcome::Kind::Exited && o.status == 2)
      return usageError(fmt::format("{} {}: expected a shared library of the host: {}", what,
                                    library, o.output.substr(0, o.output.find('\n'))));
  }
  return llvm::Error::success();
}

} // namespace fathom::run
