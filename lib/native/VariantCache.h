// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native variants of a program, from an object file to an executable in a cache by content: the
// part that does not depend on what they are instrumented for.
#ifndef FATHOM_NATIVE_VARIANTCACHE_H
#define FATHOM_NATIVE_VARIANTCACHE_H

#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace fathom::native {

struct VariantTools {
  std::string linker;         ///< ld.lld
  std::string sysroot;        ///< build/sysroot
  std::string runtimeObject;  ///< of runtime/native: trace.o, fuzz.o
  std::string cache;          ///< folder; created
  std::string runtimeBitcode; ///< the model, where the variant depends on it; may be empty
};

/// A variant as it lies in the cache: the executable, and a text that its builder needs again.
struct CachedVariant {
  std::string executable;
  std::string text;
  bool fromCache = false;
};

/// One kind of variant.
struct VariantRecipe {
  std::string kind; ///< a word: the file's ending, and what errors call it
  int version = 0;  ///< raised whenever instrumented code or how it is linked changes
  /// Undefined symbols are null, instead of an error.
  bool allowUndefined = false;
  /// Writes the object file and returns the text.
  std::function<llvm::Expected<std::string>(const std::string &objectFile)> build;
};

/// $FATHOM_CACHE, or fathom/ in $XDG_CACHE_HOME or ~/.cache; /tmp/fathom-cache-UID when there is no
/// home.
std::string defaultCache();

/// The variant of this bitcode file, from the cache or built. Several processes may do so at once.
/// Errors: the recipe's own; a symbol that neither the program nor the sysroot has; no space.
llvm::Expected<CachedVariant> cachedVariant(const std::string &bitcode, const VariantTools &tools,
                                            const VariantRecipe &recipe);

} // namespace fathom::native
#endif
