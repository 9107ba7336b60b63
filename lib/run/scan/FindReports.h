// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checkers report of a program.
#ifndef FATHOM_RUN_FINDREPORTS_H
#define FATHOM_RUN_FINDREPORTS_H

#include "report/ScanStore.h"
#include "run/AnalysisBudget.h"
#include "run/scan/ScanOptions.h"
#include "statics/heap/LocalHeap.h"
#include "statics/valueflow/ValueFlow.h"

namespace llvm {
class Module;
} // namespace llvm

namespace fathom::run {

/// Separated by commas.
std::string kindNames(statics::DefectKinds kinds);
/// What the reports depend on, but the program: how they are shown is not part of it.
std::string reportsQuestion(const ScanOptions &options);
/// As a step of the budget; says how long it took.
statics::heap::HeapResult runLocalHeaps(const statics::View &view, unsigned threads,
                                        AnalysisBudget &budget, Session &session);
/// What local heaps and checkers say.
report::ScanResult findReports(const llvm::Module &module, const statics::ValueFlow &flow,
                               const ScanOptions &options, AnalysisBudget &budget,
                               Session &session);

} // namespace fathom::run
#endif
