// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alarms with their probabilities, for people and for programs.
#ifndef FATHOM_RUN_TRIAGETEXT_H
#define FATHOM_RUN_TRIAGETEXT_H

#include "run/psp/Triage.h"
#include "support/TextSink.h"

namespace fathom::run {

/// Alarm by alarm; `folder`: where the pictures are.
void writeTriageText(const Triage &triage, double theta, const std::string &folder,
                     const TextSink &out);
void writeTriageJson(const Triage &triage, double theta, const TextSink &out);

} // namespace fathom::run
#endif
