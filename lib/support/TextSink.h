// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_SUPPORT_TEXTSINK_H
#define FATHOM_SUPPORT_TEXTSINK_H

#include <functional>
#include <string>

namespace fathom {

/// Takes text part by part: of a document that may hold a million results.
using TextSink = std::function<void(const std::string &)>;

} // namespace fathom
#endif
