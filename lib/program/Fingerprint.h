// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_PROGRAM_FINGERPRINT_H
#define FATHOM_PROGRAM_FINGERPRINT_H

#include "program/Code.h"

namespace fathom::program {

/// A hash of what the program does: code and initial data, not names of files or where things lie
/// on the disk. Two programs with one fingerprint can follow each other's paths. Linear.
uint64_t fingerprint(const Program &program);

} // namespace fathom::program
#endif
