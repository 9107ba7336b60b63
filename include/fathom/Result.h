// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_RESULT_H
#define FATHOM_API_RESULT_H

/// \file
/// Failures as values.

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace fathom::api {

/// Why a function has no result.
struct Error {
  /// Whose fault it is.
  enum class Kind {
    Usage,   ///< an option, a file or a program that the caller gave cannot be used
    Internal ///< Fathom itself failed, for example because the disk is full
  };
  Kind kind = Kind::Usage; ///< whose fault it is
  std::string message;     ///< one line, lower case, without a full stop
};

/// A value, or the Error that explains why there is none.
template <class T> class [[nodiscard]] Result {
public:
  /// A result with a value.
  Result(T value) : content_(std::move(value)) {}
  /// A result without one.
  Result(Error error) : content_(std::move(error)) {}

  /// Returns true if there is a value.
  explicit operator bool() const { return content_.index() == 0; }
  /// Returns the value. REQUIRES: there is one.
  T &operator*() {
    assert(*this && "a result that is an error");
    return *std::get_if<0>(&content_);
  }
  /// Returns the value. REQUIRES: there is one.
  const T &operator*() const {
    assert(*this && "a result that is an error");
    return *std::get_if<0>(&content_);
  }
  /// Accesses a member of the value. REQUIRES: there is one.
  T *operator->() { return &**this; }
  /// Accesses a member of the value. REQUIRES: there is one.
  const T *operator->() const { return &**this; }
  /// Returns the error. REQUIRES: there is no value.
  const Error &error() const {
    assert(!*this && "a result that has a value");
    return *std::get_if<1>(&content_);
  }

private:
  std::variant<T, Error> content_;
};

} // namespace fathom::api
#endif
