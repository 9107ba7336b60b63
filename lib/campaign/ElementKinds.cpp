// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "campaign/ElementKinds.h"

namespace fathom::campaign {

const char *kindName(ElementKind kind) { return kElementKinds[static_cast<size_t>(kind)]; }

const char *kindNoun(ElementKind kind) {
  switch (kind) {
  case ElementKind::BranchSide: return "branch sides";
  case ElementKind::Block: return "basic blocks";
  case ElementKind::Statement: return "statements";
  }
  return "";
}

std::optional<ElementKind> kindNamed(const std::string &name) {
  for (ElementKind kind : {ElementKind::BranchSide, ElementKind::Block, ElementKind::Statement})
    if (name == kindName(kind)) return kind;
  return std::nullopt;
}

} // namespace fathom::campaign
