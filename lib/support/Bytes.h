// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data as bytes and back, for messages between our own processes (one machine, one build).
#ifndef FATHOM_SUPPORT_BYTES_H
#define FATHOM_SUPPORT_BYTES_H

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fathom {

class ByteWriter {
public:
  template <typename T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
  }
  void put(std::string_view text) {
    put(static_cast<uint64_t>(text.size()));
    bytes_ += text;
  }
  void put(const std::vector<uint8_t> &data) {
    put(std::string_view(reinterpret_cast<const char *>(data.data()), data.size()));
  }
  /// The number of elements, then each as `one` puts it.
  template <typename List, typename One> void putAll(const List &list, One one) {
    put(static_cast<uint64_t>(list.size()));
    for (const auto &element : list) one(element);
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

/// Past the end everything reads as zero and empty, and ok() is false.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }

  template <typename T> T get() {
    T value{};
    if (rest_.size() < sizeof value) {
      fail();
      return value;
    }
    memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  std::string text() {
    auto size = get<uint64_t>();
    if (size > rest_.size()) {
      fail();
      return {};
    }
    std::string out(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return out;
  }
  std::vector<uint8_t> data() {
    std::string bytes = text();
    return {bytes.begin(), bytes.end()};
  }
  template <typename T, typename One> std::vector<T> all(One one) {
    std::vector<T> out;
    for (auto n = get<uint64_t>(); n && ok_; n--) out.push_back(one());
    return out;
  }

private:
  void fail() {
    ok_ = false;
    rest_ = {};
  }
  std::string_view rest_;
  bool ok_ = true;
};

} // namespace fathom
#endif
