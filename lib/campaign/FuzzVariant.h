// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fuzzing variants of a program: made from the same bitcode as everything else, instrumented by
// MapPass.h, linked with runtime/native/fuzz.c, kept in the cache of variants. The comparison
// variant is instrumented by ComparisonPass.h as well, and slower: afl-fuzz runs it once for an
// input.
#ifndef FATHOM_CAMPAIGN_FUZZVARIANT_H
#define FATHOM_CAMPAIGN_FUZZVARIANT_H

#include "campaign/MapLayout.h"
#include "campaign/StatePoints.h"

#include "native/VariantCache.h"
#include "program/Load.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::campaign {

/// Raised whenever instrumented code, its runtime or the dictionary changes.
inline constexpr int kFuzzVariantVersion = 13;

/// The largest map that a fork server can announce to AFL++.
inline constexpr uint32_t kMaxCounters = 0xfffffeu >> 1;

/// What the fuzzing variant checks besides what the processor does (SanitizePass.h).
struct Sanitizers {
  bool address = false, undefined = false;
  bool any() const { return address || undefined; }
  std::string text() const; ///< as parseSanitizers takes it; "": none
  /// The object of runtime/native that a variant with these is linked with.
  const char *runtimeObject() const;
};
/// "address", "undefined", or both, with a comma between them; false when it is something else.
bool parseSanitizers(const std::string &text, Sanitizers &sanitizers);

struct FuzzVariant {
  std::string executable;
  MapLayout layout;
  std::string dictionary; ///< in AFL++'s form (Dictionary.h); may be empty
  /// LLVMFuzzerTestOneInput with main from runtime/harness; its input is standard input, or comes
  /// in memory, many to a process.
  bool isHarness = false;
  bool fromCache = false;
  std::string key; ///< changes with the program, the sanitizers and the points
  Sanitizers sanitizers;
  std::string bitcode;            ///< hash of the program's bitcode file
  std::vector<StatePoint> points; ///< by number; none: it samples no states
};

/// `states`: the points at which it samples states. `tools`: with sanitizers.runtimeObject().
/// Errors: what loadProgram says of the inputs; a harness whose input only the engine can make; no
/// branch or block of the program's own; more counters than AFL++ can take; what cachedVariant
/// says.
llvm::Expected<FuzzVariant> fuzzVariant(const std::vector<std::string> &inputs,
                                        const program::LoadOptions &load,
                                        const native::VariantTools &tools,
                                        const Sanitizers &sanitizers = {},
                                        const PointChoice &states = {});

/// FuzzVariant::bitcode of these inputs, without building anything. Errors: what loadProgram says
/// of them; the file cannot be read.
llvm::Expected<std::string> bitcodeHash(const std::vector<std::string> &inputs,
                                        const program::LoadOptions &load);

/// The executable of the comparison variant, with the same map. `tools`: with compare.o.
/// Errors: as above.
llvm::Expected<std::string> comparisonVariant(const std::vector<std::string> &inputs,
                                              const program::LoadOptions &load,
                                              const native::VariantTools &tools);

} // namespace fathom::campaign
#endif
