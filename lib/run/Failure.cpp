// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/Failure.h"

#include "llvm/Support/raw_ostream.h"

namespace fathom::run {

char UsageError::ID = 0;

void UsageError::log(llvm::raw_ostream &out) const { out << text_; }

std::error_code UsageError::convertToErrorCode() const {
  return std::make_error_code(std::errc::invalid_argument);
}

llvm::Error usageError(std::string text) { return llvm::make_error<UsageError>(std::move(text)); }

llvm::Error asUsage(llvm::Error error) {
  return error ? usageError(llvm::toString(std::move(error))) : llvm::Error::success();
}

} // namespace fathom::run
