// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One test as bytes, for the store (TestStore.h). Numbers have as many bytes as they need and what
// is alike in most tests comes first, so that a compressor finds it; the hashes, in which nothing
// is alike, stand together at the end.
#ifndef FATHOM_REPORT_TESTRECORD_H
#define FATHOM_REPORT_TESTRECORD_H

#include "explore/Results.h"

#include <string>
#include <string_view>

namespace fathom::report {

/// What is stored of a test, beside its number.
struct TestRecord {
  explore::TestCase test;
  std::string bug; ///< where the bug is reported that the path ends in, "bugs/000001"; "": none
};

/// Appends the record to `out`.
void encodeRecord(const explore::TestCase &test, const std::string &bug, std::string &out);

/// Takes the record that `bytes` begins with off them. False: they begin with none.
bool decodeRecord(std::string_view &bytes, TestRecord &record);

} // namespace fathom::report
#endif
