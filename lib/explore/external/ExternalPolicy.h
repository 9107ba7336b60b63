// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done with values that cross an external operation, chosen by options (--external,
// --defer-bias):
//
//                       result                                arguments afterwards
//   concretize          its value for one input               symbolic
//   concretize-strict   its value for one input               that one input
//   symbolic-return     anything                              symbolic
//   defer               a symcrete: the value for the         symbolic: a branch on them alone does
//                       witness, until a branch needs another not look whether the result still
//                       fits
//   defer-strict        a symcrete                            symcretes: the result always fits
//
// A symcrete is a pair of a symbol and a witness. With defer-strict the symbol is the application
// of the operation to its arguments as a term (expr/ExternalOperation.h), and the witness follows
// from that of the inputs. With defer (and with defer-strict where --defer-bias is below 1) it is a
// symbol of its own, with a value in the state's witness and its definition, the application, in
// the state (State::results).
//
// Source: Pandey, Kotcharlakota, Roy: Deferred Concretization in Symbolic Execution via Fuzzing
// (ISSTA 2019), sections 2.4, 3 and 4 (coverage and divergence mode, bias).
#ifndef FATHOM_EXPLORE_EXTERNAL_EXTERNALPOLICY_H
#define FATHOM_EXPLORE_EXTERNAL_EXTERNALPOLICY_H

#include "explore/external/ExternalEffects.h"
#include "explore/Options.h"
#include "support/NameTable.h"

#include <cstdint>
#include <string>

namespace fathom::explore {

struct ExternalPolicy {
  ExternalMode mode = ExternalMode::Concretize;
  double bias = 0; ///< the probability of asking for results that fit at a branch on arguments
  bool deferFloats = false, deferNonlinear = false; ///< --external-ops
  /// ... and intrinsics of x86 are executed, also those that have a meaning in terms.
  bool deferVectors = false;
  EffectTable effects;

  bool defers() const { return mode == ExternalMode::Defer || mode == ExternalMode::DeferStrict; }
  /// Results are terms over the inputs, and always fit.
  bool isExact() const { return defers() && bias >= 1; }

  /// Returns "" or what is wrong with the options, naming the option.
  static std::string make(const ExploreOptions &options, ExternalPolicy &out);
};

/// Operations of --external-ops.
inline constexpr auto kExternalOpNames =
    nameTable<bool ExternalPolicy::*>({{"fp", &ExternalPolicy::deferFloats},
                                       {"vector", &ExternalPolicy::deferVectors},
                                       {"nonlinear", &ExternalPolicy::deferNonlinear}});

} // namespace fathom::explore
#endif
