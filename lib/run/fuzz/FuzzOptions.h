// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a request to what the campaign and its folder need.
#ifndef FATHOM_RUN_FUZZOPTIONS_H
#define FATHOM_RUN_FUZZOPTIONS_H

#include "report/CampaignFolder.h"
#include "run/fuzz/Fuzz.h"

namespace fathom::run {

/// Reads dictionaries, looks for afl-fuzz. A UsageError: something of it is missing or unusable.
llvm::Expected<campaign::CampaignOptions> campaignOptions(const FuzzRequest &request);

report::CampaignFolderOptions folderOptions(const FuzzRequest &request,
                                            const campaign::CampaignOptions &options,
                                            const campaign::FuzzVariant &variant);

} // namespace fathom::run
#endif
