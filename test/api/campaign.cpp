// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A campaign through libfathom.so of the build folder, from another program: counts, bugs, the folder read back, and an estimate.
// REQUIRES: thorough, afl-fuzz
// RUN: rm -rf %t && mkdir %t && cd %t && %fathom-cc -g %examples/fuzz_target.c -o target
// RUN: clang++-19 -std=c++17 -Wall -Wextra -Werror -fno-exceptions -I %root/include %s -L %build/lib -Wl,-rpath,%build/lib -lfathom -o %t/campaign
// RUN: cd %t && env -u FATHOM_BUILD FATHOM_CACHE=%t/cache timeout 120 ./campaign target out | FileCheck %s
// CHECK: the first call: enough executions, 8 units or more, branches found
// CHECK-NEXT: read back: fuzz, as many bugs
// CHECK-NEXT: estimated: branch sides, as many units, as many covered
// CHECK-NEXT: the second call: {{.*}}out: holds the results of an earlier run
// CHECK-NEXT: resumed: more executions
#include <fathom/Estimate.h>
#include <fathom/Fuzz.h>
#include <fathom/Results.h>

#include <cstdio>

namespace api = fathom::api;

static int fail(const char *what, const std::string &why = "") {
  printf("%s: %s\n", what, why.c_str());
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const api::Result<api::Program> program = api::load({argv[1]});
  if (!program) return fail("load", program.error().message);
  if (program->executable.empty()) return fail("no executable");
  api::FuzzOptions options;
  options.folder = argv[2];
  options.maxExecutions = 5000;
  options.unitExecutions = 500;
  options.seed = 1;
  const api::Result<api::FuzzResult> first = api::fuzz(*program, options);
  if (!first) return fail("fuzz", first.error().message);
  if (!first->failure.empty()) return fail("fuzz", first->failure);
  printf("the first call:%s%s%s\n", first->executions >= 5000 ? " enough executions," : "",
         first->units >= 8 ? " 8 units or more," : "",
         first->branchesFound && first->branchesFound <= first->branchesTotal ? " branches found" : "");

  const api::Result<api::RunResults> read = api::readResults(options.folder);
  if (!read) return fail("readResults", read.error().message);
  printf("read back: %s%s\n", read->activity.c_str(),
         read->bugs.size() == first->bugs.size() ? ", as many bugs" : "");

  // Of all stages found, of the fuzzing stages covered: no more than found.
  const api::Result<api::CampaignEstimate> estimated = api::estimate(options.folder);
  if (!estimated) return fail("estimate", estimated.error().message);
  printf("estimated: %s%s%s\n", estimated->elements.c_str(),
         estimated->units == first->units ? ", as many units" : "",
         estimated->covered && estimated->covered <= first->branchesFound ? ", as many covered" : "");

  const api::Result<api::FuzzResult> second = api::fuzz(*program, options);
  if (second) return fail("the folder was taken");
  printf("the second call: %s\n", second.error().message.c_str());
  options.resume = true;
  options.maxExecutions = 8000;
  const api::Result<api::FuzzResult> resumed = api::fuzz(*program, options);
  if (!resumed) return fail("fuzz", resumed.error().message);
  printf("resumed:%s\n", resumed->executions >= 8000 ? " more executions" : "");
  return 0;
}
