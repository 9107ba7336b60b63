// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts data of the layers below to the plain data of include/fathom.
#ifndef FATHOM_API_CONVERT_H
#define FATHOM_API_CONVERT_H

#include <fathom/Evidence.h>
#include <fathom/Result.h>

#include "evidence/StackFrame.h"
#include "report/Sarif.h"
#include "report/TestFolder.h"

#include "llvm/Support/Error.h"

namespace fathom::api {

/// A UsageError gets the kind Usage, any other error the kind Internal.
Error toApiError(llvm::Error error);
inline Error usageError(std::string text) { return {Error::Kind::Usage, std::move(text)}; }

Frame toApiFrame(const evidence::StackFrame &frame);
std::vector<Frame> toApiFrames(const std::vector<evidence::StackFrame> &frames);
Bug toApiBug(const report::Finding &finding);
std::vector<Bug> toApiBugs(const std::vector<report::Finding> &findings);
/// `bug`: the folder of the bug that it ends in; "": none.
Test toApiTest(const report::StoredTest &test, uint64_t number, const std::string &bug);
std::vector<LedgerEntry> toApiLedger(const explore::Ledger &ledger);

} // namespace fathom::api
#endif
