// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An external operation that is C++, so that what it gives is known.
#ifndef FATHOM_UNITTESTS_EXPR_HOSTOPERATION_H
#define FATHOM_UNITTESTS_EXPR_HOSTOPERATION_H

#include "expr/ExternalOperation.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>

namespace fathom::expr::test {

/// Always returns normally; counts how often it is executed.
class Host final : public ExternalOperation {
public:
  using Function = std::function<void(std::span<const uint8_t>, std::span<uint8_t>)>;
  Host(std::string name, uint64_t in, uint64_t out, Function f)
      : ExternalOperation(std::move(name), in, out), f_(std::move(f)) {}
  void apply(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    ++calls;
    out[0] = 0;
    f_(in, out);
  }
  bool isPure() const override { return pure; }
  uint64_t calls = 0;
  bool pure = false;

private:
  Function f_;
};

} // namespace fathom::expr::test
#endif
