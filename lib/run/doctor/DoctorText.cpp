// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Files.h"
#include "run/doctor/Doctor.h"

#include <fmt/format.h>

namespace fathom::run {

static constexpr const char *kGrades[] = {"ok", "remark", "problem"};

std::string Examination::json() const {
  return report::jsonText([&](llvm::json::OStream &out) {
    out.object([&] {
      out.attribute("ok", isFine());
      out.attributeArray("findings", [&] {
        for (const DoctorFinding &f : findings)
          out.object([&] {
            out.attribute("grade", kGrades[f.grade]);
            out.attribute("what", report::utf8(f.what));
            out.attribute("advice", report::utf8(f.advice));
          });
      });
    });
  });
}

std::string Examination::text() const {
  std::string out;
  for (const DoctorFinding &f : findings) {
    out += fmt::format("{:<8} {}\n", kGrades[f.grade], f.what);
    if (!f.advice.empty()) out += fmt::format("         -> {}\n", f.advice);
  }
  return out;
}

} // namespace fathom::run
