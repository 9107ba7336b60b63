// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data of the layers below as plain data of include/fathom.
#ifndef FATHOM_API_CONVERT_H
#define FATHOM_API_CONVERT_H

#include <fathom/Evidence.h>
#include <fathom/Result.h>

#include "evidence/StackFrame.h"
#include "report/Sarif.h"
#include "report/TestFolder.h"

#include "llvm/Support/Error.h"

namespace fathom::api {

/// A UsageError is the caller's fault, any other error ours.
Error errorOf(llvm::Error error);
inline Error usageError(std::string text) { return {Error::Kind::Usage, std::move(text)}; }

Frame frameOf(const evidence::StackFrame &frame);
std::vector<Frame> framesOf(const std::vector<evidence::StackFrame> &frames);
Bug bugOf(const report::Finding &finding);
std::vector<Bug> bugsOf(const std::vector<report::Finding> &findings);
/// `bug`: the folder of the bug that it ends in; "": none.
Test testOf(const report::StoredTest &test, uint64_t number, const std::string &bug);
std::vector<LedgerEntry> ledgerOf(const explore::Ledger &ledger);

} // namespace fathom::api
#endif
