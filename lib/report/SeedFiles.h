// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs that others have found, to explore from; and ours, for a fuzzer to go on with.
#ifndef FATHOM_REPORT_SEEDFILES_H
#define FATHOM_REPORT_SEEDFILES_H

#include "explore/Results.h"
#include "explore/state/Seeds.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::report {

/// The inputs in a folder, sorted by path: of AFL++'s output those in its queues, of a results
/// folder of ours or of KLEE's the .ktest files (and what is in the store of ours, also for its
/// tests/ alone), and otherwise every file (a libFuzzer corpus); a
/// .ktest file has names, any other is a raw input. Files over a megabyte are left out, as AFL++
/// does; `skipped` says how many. Errors: no such folder, a .ktest file that is none, no input at
/// all.
llvm::Expected<std::vector<explore::Seed>> readSeeds(const std::string &folder, size_t &skipped);

/// The bytes that a fuzzer would have given the program: what a fuzz target is called with,
/// standard input, or the first file. Null: the test has none of these.
const std::vector<uint8_t> *rawInput(const explore::TestCase &test);

} // namespace fathom::report
#endif
