// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KLEE's test file format (version 3; versions 1 and 2 are read too):
//
//   "KTEST" version, number of arguments, arguments, symArgvs, symArgvLen, number of objects,
//   objects (name, bytes)
//
// Every number is 32 bits, big endian; every string and every object is preceded by its length.
#ifndef FATHOM_REPORT_KTEST_H
#define FATHOM_REPORT_KTEST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::report {

struct KTestObject {
  std::string name;
  std::string bytes;
};

struct KTest {
  uint32_t version = 3;
  std::vector<std::string> arguments; ///< the analysed program's command line
  uint32_t symArgvs = 0, symArgvLen = 0;
  std::vector<KTestObject> objects;
};

std::string encodeKTest(const KTest &test);
/// Errors: not the format, another version, cut short (with the offset).
llvm::Expected<KTest> decodeKTest(llvm::StringRef data);

} // namespace fathom::report
#endif
