// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_REPORT_VERSION_H
#define FATHOM_REPORT_VERSION_H

namespace fathom::report {

inline constexpr const char *kVersion = "0.1.0";
/// Of the results folder: raised when a reader of the old one would misread the new one.
inline constexpr int kSchemaVersion = 1;

} // namespace fathom::report
#endif
