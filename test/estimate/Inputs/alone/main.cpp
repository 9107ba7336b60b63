// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of somebody else's that uses lib/estimate.
#include "estimate/Estimators.h"
#include "estimate/ReadIncidence.h"

#include <cstdio>

int main(int argc, char **argv) {
  auto data = fathom::estimate::readIncidenceFile(argv[argc - 1]);
  if (!data) return fprintf(stderr, "%s\n", data.error().c_str()), 1;
  for (const auto &e : fathom::estimate::estimateAll(*data, {.replicates = 0}))
    printf("%s %.3f\n", e.key(), e.estimate.value.value_or(-1));
}
