// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs on their way into a study: copied, so that the study does not depend on what happens to
// them; built, when they are generated; and of generated ones it is measured what can be reached.
#ifndef FATHOM_ASSESS_SUBJECTS_H
#define FATHOM_ASSESS_SUBJECTS_H

#include "assess/Plan.h"
#include "native/VariantCache.h"
#include "synth/Knobs.h"

#include "llvm/Support/Error.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace fathom::assess {

/// What the user wants in the study.
struct Request {
  std::string name;
  /// An executable of fathom-cc, its .bc, a C file; or a folder of fathom synth with witnesses/.
  std::string program;
  std::vector<std::string> arguments;
  std::string corpus;                ///< folder, or empty; of generated programs their seeds
  std::optional<synth::Knobs> knobs; ///< instead of `program`: generate one
};

struct SubjectTools {
  std::string fathomCc;
  native::VariantTools variant; ///< of fuzzing variants
  std::chrono::milliseconds testTime{1000};
};

/// Does the folder hold a generated program?
bool isGenerated(const std::string &folder);

/// Makes `folder` (programs/NAME) and the subject.
///
/// The truth of a generated program is what its witnesses cover, which together reach everything
/// that can be reached (docs/synth.md): measured on the program that is fuzzed, so it is exact for
/// branch sides and blocks of its bitcode, whatever lines they are on.
///
/// Errors: what fuzzVariant says of the program; no witnesses; a corpus without a usable input; the
/// program does not build; *stop.
llvm::Expected<Subject> prepare(const Request &request, const std::string &folder,
                                campaign::ElementKind kind, const SubjectTools &tools,
                                const std::atomic<bool> &stop);

} // namespace fathom::assess
#endif
