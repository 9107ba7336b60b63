// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times and sizes as people write them.
#ifndef FATHOM_SUPPORT_QUANTITY_H
#define FATHOM_SUPPORT_QUANTITY_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace fathom {

/// "90s", "10m", "2h", "500ms", "1h30m"; a bare number is seconds. Absent: it is no time, or less
/// than a millisecond.
std::optional<std::chrono::milliseconds> durationFrom(const std::string &text);
/// "512M", "4G"; a bare number is bytes; powers of 1024. Absent: it is no size, or less than a
/// byte.
std::optional<uint64_t> sizeFrom(const std::string &text);

} // namespace fathom
#endif
