// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestRecord.h"

#include <cstring>

namespace fathom::report {

using explore::EndKind;
using explore::TestCase;

namespace {

/// Bits of a record's first byte, above the two of the end.
enum Flag : uint8_t { UsesExternal = 4, UsesUnwritten = 8, CoversNew = 16 };

class RecordWriter {
public:
  explicit RecordWriter(std::string &out) : out_(out) {}
  void byte(uint8_t value) { out_ += static_cast<char>(value); }
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    byte(static_cast<uint8_t>(value));
  }
  void signedNumber(int64_t value) {
    number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void hash(uint64_t value) { out_.append(reinterpret_cast<const char *>(&value), sizeof value); }
  void bytes(std::string_view value) {
    number(value.size());
    out_ += value;
  }
  void bytes(const std::vector<uint8_t> &value) {
    bytes({reinterpret_cast<const char *>(value.data()), value.size()});
  }

private:
  std::string &out_;
};

/// Past the end everything reads as zero and empty, and ok() is false.
class RecordReader {
public:
  explicit RecordReader(std::string_view bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }
  uint8_t byte() {
    const std::string_view b = take(1);
    return b.empty() ? 0 : static_cast<uint8_t>(b[0]);
  }
  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t b = byte();
      value |= uint64_t(b & 0x7f) << shift;
      if (!(b & 0x80)) return value;
    }
    ok_ = false;
    return 0;
  }
  int64_t signedNumber() {
    const uint64_t value = number();
    return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }
  uint64_t hash() {
    uint64_t value = 0;
    const std::string_view b = take(sizeof value);
    if (!b.empty()) memcpy(&value, b.data(), sizeof value);
    return value;
  }
  /// So many elements, each of at least one byte, are still there.
  uint64_t count() {
    const uint64_t n = number();
    ok_ &= n <= rest_.size();
    return ok_ ? n : 0;
  }
  template <typename T> T bytes() {
    const std::string_view b = take(number());
    return T(b.begin(), b.end());
  }

private:
  std::string_view take(uint64_t size) {
    ok_ &= size <= rest_.size();
    if (!ok_) return {};
    const std::string_view out = rest_.substr(0, size);
    rest_.remove_prefix(out.size());
    return out;
  }
  std::string_view rest_;
  bool ok_ = true;
};

} // namespace

void encodeRecord(const TestCase &test, const std::string &bug, std::string &out) {
  RecordWriter w(out);
  w.byte(static_cast<uint8_t>(
      static_cast<unsigned>(test.end) | (test.usesExternal ? UsesExternal : 0u) |
      (test.usesUninit ? UsesUnwritten : 0u) | (test.coversNew ? CoversNew : 0u)));
  w.signedNumber(test.status);
  w.bytes(test.why);
  w.bytes(bug);
  w.number(test.inputs.size());
  for (const evidence::Input &input : test.inputs) {
    w.signedNumber(static_cast<int64_t>(input.id.kind));
    w.bytes(input.id.name);
    w.bytes(input.data);
  }
  w.number(test.symbols.size());
  for (const explore::SymbolValue &symbol : test.symbols) {
    w.bytes(symbol.name);
    w.bytes(symbol.data);
  }
  w.bytes(test.stdoutData);
  w.bytes(test.stderrData);
  w.bytes(test.smtLib);
  w.number(test.failedAllocations.size());
  for (uint32_t allocation : test.failedAllocations) w.number(allocation);
  w.number(test.instructions);
  w.number(test.decisions);
  w.number(test.trace.count);
  w.number(test.trace.checkpoints.size());
  uint64_t before = 0;
  for (auto &[count, hash] : test.trace.checkpoints) {
    w.signedNumber(static_cast<int64_t>(count - before));
    before = count;
  }
  for (auto &[count, hash] : test.trace.checkpoints) w.hash(hash);
  w.hash(test.trace.hash);
  w.hash(test.path);
}

bool decodeRecord(std::string_view &bytes, TestRecord &record) {
  RecordReader r(bytes);
  record = {};
  TestCase &test = record.test;
  const uint8_t flags = r.byte();
  test.end = static_cast<EndKind>(flags & 3);
  test.usesExternal = flags & UsesExternal;
  test.usesUninit = flags & UsesUnwritten;
  test.coversNew = flags & CoversNew;
  test.status = static_cast<int>(r.signedNumber());
  test.why = r.bytes<std::string>();
  record.bug = r.bytes<std::string>();
  for (uint64_t n = r.count(); n && r.ok(); --n) {
    evidence::Input &input = test.inputs.emplace_back();
    input.id.kind = static_cast<evidence::InputKind>(r.signedNumber());
    input.id.name = r.bytes<std::string>();
    input.data = r.bytes<std::vector<uint8_t>>();
  }
  for (uint64_t n = r.count(); n && r.ok(); --n) {
    explore::SymbolValue &symbol = test.symbols.emplace_back();
    symbol.name = r.bytes<std::string>();
    symbol.data = r.bytes<std::vector<uint8_t>>();
  }
  test.stdoutData = r.bytes<std::string>();
  test.stderrData = r.bytes<std::string>();
  test.smtLib = r.bytes<std::string>();
  for (uint64_t n = r.count(); n && r.ok(); --n)
    test.failedAllocations.push_back(static_cast<uint32_t>(r.number()));
  test.instructions = r.number();
  test.decisions = static_cast<uint32_t>(r.number());
  test.trace.count = r.number();
  uint64_t before = 0;
  for (uint64_t n = r.count(); n && r.ok(); --n) {
    before += static_cast<uint64_t>(r.signedNumber());
    test.trace.checkpoints.emplace_back(before, 0);
  }
  for (auto &[count, hash] : test.trace.checkpoints) hash = r.hash();
  test.trace.hash = r.hash();
  test.path = r.hash();
  bytes = r.rest();
  return r.ok();
}

} // namespace fathom::report
