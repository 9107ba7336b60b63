// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value, or why there is none. This layer is used without LLVM, so llvm::Expected is not at hand.
#ifndef FATHOM_ESTIMATE_RESULT_H
#define FATHOM_ESTIMATE_RESULT_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace fathom::estimate {

/// One line for people: what is wrong, where, and what would be right. Lower case, no full stop.
struct Failure {
  std::string message;
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(Failure failure) : value_(std::move(failure)) {}

  explicit operator bool() const { return std::holds_alternative<T>(value_); }
  T &operator*() {
    assert(*this && "a result that is a failure");
    return std::get<T>(value_);
  }
  const T &operator*() const { return const_cast<Result &>(*this).operator*(); }
  T *operator->() { return &**this; }
  const T *operator->() const { return &**this; }
  /// "" when there is a value.
  std::string error() const {
    const auto *failure = std::get_if<Failure>(&value_);
    return failure ? failure->message : std::string();
  }

private:
  std::variant<T, Failure> value_;
};

} // namespace fathom::estimate
#endif
