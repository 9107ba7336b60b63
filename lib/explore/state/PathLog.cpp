// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/state/PathLog.h"

namespace fathom::explore {

const char *name(Record kind) {
  switch (kind) {
  case Record::Answer: return "an answer";
  case Record::Fork: return "a fork";
  case Record::Witness: return "a witness";
  case Record::Known: return "what was known";
  case Record::Range: return "a range";
  case Record::Environment: return "what the world was like";
  case Record::Region: return "a merged loop";
  case Record::Counter: return "a counter";
  }
  return "";
}

const char *LogReader::kindThere() const {
  const unsigned kind = static_cast<uint8_t>(bytes_[at_]) >> 4 & 7;
  return kind < kRecordKinds ? name(static_cast<Record>(kind)) : "no record";
}

} // namespace fathom::explore
