// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a driver fails. A UsageError says what is wrong with what the driver was given: an option, a
// file, a program. Every other error is a failure of Fathom itself. The tool maps the first to exit
// status 2, the second to 3.
#ifndef FATHOM_RUN_FAILURE_H
#define FATHOM_RUN_FAILURE_H

#include "llvm/Support/Error.h"

#include <string>

namespace fathom::run {

/// Wrong usage or unusable input, in one line.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID; // NOLINT(readability-identifier-naming): LLVM finds it by this name
  explicit UsageError(std::string text) : text_(std::move(text)) {}
  const std::string &text() const { return text_; }
  void log(llvm::raw_ostream &out) const override;
  std::error_code convertToErrorCode() const override;

private:
  std::string text_;
};

llvm::Error usageError(std::string text);

/// What a lower layer says of the input that it was given, with the same text.
llvm::Error asUsage(llvm::Error error);
template <class T> llvm::Expected<T> asUsage(llvm::Expected<T> value) {
  if (!value) return asUsage(value.takeError());
  return value;
}

} // namespace fathom::run
#endif
