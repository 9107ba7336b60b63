// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom doctor: flags in, text out. The driver is lib/run/doctor/Doctor.h.
#include "Command.h"
#include "Output.h"

#include "run/doctor/Doctor.h"

#include <memory>

namespace fathom::tool {

namespace {

struct DoctorFlags {
  CommonOptions common;
  std::vector<std::string> programs;
};

} // namespace

Run declareDoctor(CLI::App &app) {
  auto flags = std::make_shared<DoctorFlags>();
  app.footer("exit status: 0 nothing is wrong; 1 something that Fathom needs is missing or does "
             "not work; 2 PROGRAM cannot be analysed\n\nexample:\n  fathom doctor\n  "
             "fathom doctor src/cut");
  app.add_option("PROGRAM", flags->programs, "also check this program");
  flags->common.add(app, /*withOutput=*/false);
  return [flags](Context &context) -> int {
    configureLog(flags->common, context.log);
    const run::Examination all = orThrow(run::examine(flags->programs));
    put(flags->common.json ? all.json() : all.text());
    if (!all.whyUnusable.empty()) throw UsageError(all.whyUnusable);
    return all.isFine() ? kDone : kFindings;
  };
}

} // namespace fathom::tool
