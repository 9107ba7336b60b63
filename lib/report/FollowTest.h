// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way of one test through the engine once more, branch by branch: a test's folder has only a
// hash of it, and some on the way, which is enough to see that a native run went elsewhere but not
// where.
#ifndef FATHOM_REPORT_FOLLOWTEST_H
#define FATHOM_REPORT_FOLLOWTEST_H

#include "report/TestFolder.h"

#include "llvm/Support/JSON.h"

#include <atomic>
#include <chrono>
#include <string>

namespace fathom::report {

struct FollowOptions {
  std::string fathom;     ///< our own executable
  llvm::json::Object run; ///< the exploration's run.json
  std::string scratch;    ///< folder for its files, absolute; made new
  std::chrono::milliseconds time{60000};
};

/// The hashes after branches from .. to of the test's path (fewer, where it ends before). Explores
/// in a child with the options of the run and the test as its only seed.
/// Errors: run.json does not say enough; the child failed, or came another way than the test did.
/// Cost: loading the program, and interpreting one path.
llvm::Expected<std::vector<std::pair<uint64_t, uint64_t>>>
followTest(const StoredTest &test, uint64_t from, uint64_t to, const FollowOptions &options,
           const std::atomic<bool> *stop);

} // namespace fathom::report
#endif
