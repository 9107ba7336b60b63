// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_REPORT_VERSION_H
#define FATHOM_REPORT_VERSION_H

namespace fathom::report {

/// The release, "0.1.0": the project's version in CMakeLists.txt.
extern const char *const kVersion;
/// The version of the results folder's format. It is raised when a reader of the old format would
/// misread the new one.
inline constexpr int kSchemaVersion = 1;

} // namespace fathom::report
#endif
