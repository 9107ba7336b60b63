// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a bug or a report the same in two versions of a program: no line numbers. Written
// where the sources are known, so that results can be compared when they are gone.
#ifndef FATHOM_REPORT_IDENTITY_H
#define FATHOM_REPORT_IDENTITY_H

#include "report/SourceCode.h"

#include <string>
#include <string_view>
#include <vector>

namespace fathom::statics {
struct Report;
} // namespace fathom::statics

namespace fathom::report {

struct Finding;

/// Each a hash of 16 hexadecimal digits, or "": not known.
struct Identity {
  /// Its fingerprint. Users name it by its first digits.
  std::string id;
  /// Kind, and the code of its line from its column on: in any file and any function.
  std::string place;
  /// The functions that it is about, without their names: changes when their code does.
  std::string code;
};

/// Whether somebody has dismissed it (Dismissals.h).
enum class Dismissed : uint8_t {
  No,
  Yes,
  Reopened, ///< before its code changed
  Similar   ///< one like it, before the code changed
};
struct DismissalMark {
  Dismissed state = Dismissed::No;
  std::string because{};
  bool isDismissed() const { return state == Dismissed::Yes; }
};

/// How many digits of an id are shown.
inline constexpr size_t kShownId = 8;
inline std::string_view shownId(std::string_view id) { return id.substr(0, kShownId); }

/// By the kind, the functions on its stack, and the code of its line. `ordinal`: of findings that
/// agree in these.
Identity identityOf(const Finding &finding, SourceCode &code, unsigned ordinal = 0);
/// The same with the ordinal that it has after `earlier`.
Identity identityAfter(const std::vector<Finding> &earlier, const Finding &finding,
                       SourceCode &code);
/// Their ids are scanFingerprints.
std::vector<Identity> identitiesOf(const std::vector<statics::Report> &reports,
                                   SourceLines &sources);

} // namespace fathom::report
#endif
