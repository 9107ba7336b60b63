// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fathom doctor: flags in, text out. The driver is lib/run/doctor/Doctor.h.
#include "Command.h"

#include "report/Files.h"
#include "run/doctor/Doctor.h"

#include <fmt/format.h>

#include <memory>

namespace fathom::tool {

namespace {

void print(const run::Examination &all, bool json) {
  static const char *const kGrades[] = {"ok", "remark", "problem"};
  if (json) {
    const std::string text = report::jsonText([&](llvm::json::OStream &out) {
      out.object([&] {
        out.attribute("ok", all.isFine());
        out.attributeArray("findings", [&] {
          for (const run::DoctorFinding &f : all.findings)
            out.object([&] {
              out.attribute("grade", kGrades[f.grade]);
              out.attribute("what", report::utf8(f.what));
              out.attribute("advice", report::utf8(f.advice));
            });
        });
      });
    });
    fputs(text.c_str(), stdout);
    return;
  }
  for (const run::DoctorFinding &f : all.findings) {
    fmt::print("{:<8} {}\n", kGrades[f.grade], f.what);
    if (!f.advice.empty()) fmt::print("         -> {}\n", f.advice);
  }
}

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
    print(all, flags->common.json);
    if (!all.whyUnusable.empty()) throw UsageError(all.whyUnusable);
    return all.isFine() ? kDone : kFindings;
  };
}

} // namespace fathom::tool
