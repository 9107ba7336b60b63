// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON documents that may hold a million results: written part by part.
#ifndef FATHOM_REPORT_LISTJSON_H
#define FATHOM_REPORT_LISTJSON_H

#include "support/TextSink.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace fathom::report {

/// Writes an object: `members`, and as `list` what `element` says of 0 to `count` - 1. Members are
/// in the order of their names, as in any document of nlohmann::json.
void writeWithList(const nlohmann::json &members, const std::string &list, size_t count,
                   const std::function<nlohmann::json(size_t)> &element, const TextSink &out);

} // namespace fathom::report
#endif
