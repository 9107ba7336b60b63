// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "evidence/Input.h"

#include <charconv>

namespace fathom::evidence {

/// More than Linux passes.
static constexpr uint32_t kMaxArgument = 100000;

InputId InputId::argument(size_t index) { return {InputKind::Argument, std::to_string(index)}; }
InputId InputId::standardInput() { return {InputKind::StandardInput, "stdin"}; }
InputId InputId::file(std::string name) { return {InputKind::File, std::move(name)}; }
InputId InputId::environment(std::string_view variable) {
  return {InputKind::Environment, std::string(variable.substr(0, variable.find('=')))};
}

std::optional<uint32_t> InputId::argumentIndex() const {
  uint32_t index = 0;
  const char *end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data(), end, index);
  if (kind != InputKind::Argument || error != std::errc() || rest != end || index > kMaxArgument)
    return std::nullopt;
  return index;
}

} // namespace fathom::evidence
