// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a campaign counts as an element. Units store branch sides and blocks (MapLayout.h);
// statements follow from blocks.
#ifndef FATHOM_CAMPAIGN_ELEMENTKINDS_H
#define FATHOM_CAMPAIGN_ELEMENTKINDS_H

#include <optional>
#include <string>

namespace fathom::campaign {

enum class ElementKind { BranchSide, Block, Statement };

inline constexpr const char *kElementKinds[] = {"branch-sides", "blocks", "statements"};

/// As options and files have it, of kElementKinds.
const char *kindName(ElementKind kind);
/// For texts: "branch sides", "basic blocks", "statements".
const char *kindNoun(ElementKind kind);
/// Nothing when it is none of kElementKinds.
std::optional<ElementKind> kindNamed(const std::string &name);

} // namespace fathom::campaign
#endif
