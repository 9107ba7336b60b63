// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_STATICS_FRONT_FORMATLENGTH_H
#define FATHOM_STATICS_FRONT_FORMATLENGTH_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace fathom::statics {

struct OutputLength {
  uint32_t least = 0, most = 0;
};

/// How many characters printf makes of the format, whatever its arguments are; nullopt: a text or a
/// number of any length. C17, 7.21.6.1, where int has 32 bits and long 64. Cost: linear.
std::optional<OutputLength> outputLength(std::string_view format);

} // namespace fathom::statics
#endif
