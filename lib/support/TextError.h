// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SUPPORT_TEXTERROR_H
#define FATHOM_SUPPORT_TEXTERROR_H

#include <llvm/ADT/Twine.h>
#include <llvm/Support/Error.h>

#include <string>

namespace fathom {

/// An error that is its message: for failures that callers report and do not tell apart.
inline llvm::Error textError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}
/// The same for a failure with a file: its path comes first.
inline llvm::Error pathError(const std::string &path, const llvm::Twine &why) {
  return textError(path + ": " + why);
}

} // namespace fathom
#endif
