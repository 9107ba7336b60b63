// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Libraries.h"

#include "Command.h"

#include "native/Process.h"

#include <fmt/format.h>

namespace fathom::tool {

void checkLibraries(const std::string &what, const std::vector<std::string> &libraries) {
  for (const std::string &library : libraries) {
    if (library.ends_with(".c"))
      throw UsageError(fmt::format("{} {}: expected a shared library of the host, not its source: "
                                   "make one with `cc -shared -fPIC -o {}.so {}`",
                                   what, library, library.substr(0, library.size() - 2), library));
    if (library.find('/') != std::string::npos) requireRegularFile(what, library);
    native::Command load;
    load.program = Installation::get().nativeHelper;
    load.arguments = {"fathom-native-helper", library};
    load.captureOutput = true;
    load.limits.wall = std::chrono::seconds(20);
    native::Outcome o = native::run(load);
    // It says why on stderr; otherwise it ends with 0 because nobody asks it anything.
    if (o.kind == native::Outcome::Kind::Exited && o.status == 2)
      throw UsageError(fmt::format("{} {}: expected a shared library of the host: {}", what,
                                   library, o.output.substr(0, o.output.find('\n'))));
  }
}

} // namespace fathom::tool
