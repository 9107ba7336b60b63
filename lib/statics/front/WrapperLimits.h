// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of what is analysed once for each call, like xmalloc: by the pointer analysis
// (pointers/Wrappers.h) and by the abstract interpreter (translate/WrapperCopies.h), which have the
// same idea of it.
#ifndef FATHOM_STATICS_FRONT_WRAPPERLIMITS_H
#define FATHOM_STATICS_FRONT_WRAPPERLIMITS_H

#include <cstddef>

namespace fathom::statics {

/// Statements of a wrapper of an allocator.
inline constexpr size_t kMaxInWrapper = 300;
/// Greatest number of statements of a wrapper that only returns what it gets: there are many calls
/// of such.
inline constexpr size_t kMaxInPassing = 40;
/// Wrappers of wrappers: xnmalloc calls xmalloc, which calls what checks its result.
inline constexpr unsigned kMaxNestedWrappers = 4;
/// Greatest number of copies of all wrappers together; in the pointer analysis, where a copy costs
/// less, of those for calls through pointers.
inline constexpr size_t kMaxWrapperCopies = 2'000;

} // namespace fathom::statics
#endif
