// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %fathom-c++ -g %s -o %t
// RUN: %fathom explore %t -o %t.out --force --fuzz-size 12 --max-time 1m | FileCheck %s
// RUN: %fathom replay %t %t.out --sample 100 | FileCheck %s --check-prefix=REPLAY
//
// A harness for libFuzzer in C++, with the header that takes an input apart.
#include <fuzzer/FuzzedDataProvider.h>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FuzzedDataProvider in(data, size);
  const int n = in.ConsumeIntegralInRange<int>(0, 9);
  const std::string key = in.ConsumeRandomLengthString(8);
  const bool isSet = in.ConsumeBool();
  const std::vector<uint8_t> rest = in.ConsumeRemainingBytes<uint8_t>();
  if (n == 7 && key == "key" && isSet && rest.size() > 1 && rest[0] == 'z')
    throw std::logic_error("found");
  return 0;
}
// CHECK: uncaught-exception in LLVMFuzzerTestOneInput
// CHECK-NEXT: std::logic_error: found
// REPLAY: branch traces all {{[0-9]+}} agree
// REPLAY: 1 of 1 reproduce
