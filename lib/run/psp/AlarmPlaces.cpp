// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/psp/AlarmPlaces.h"

namespace fathom::run {

using statics::abstract::CheckKind;

campaign::PointKind pointKindOf(CheckKind kind) {
  switch (kind) {
  case CheckKind::Bounds: return campaign::PointKind::Access;
  case CheckKind::Division: return campaign::PointKind::Division;
  default: return campaign::PointKind::Assertion;
  }
}

std::set<campaign::PointPlace> placesOf(const CheckedAssertions &scanned) {
  std::set<campaign::PointPlace> out;
  for (const statics::abstract::Finding &f : scanned.alarms())
    for (const statics::abstract::CheckId id : f.checks) {
      const statics::abstract::Check &check = scanned.program.checks[id];
      if (check.line)
        out.insert({pointKindOf(check.kind), scanned.program.functions[check.function].name,
                    check.line, check.column});
    }
  return out;
}

} // namespace fathom::run
