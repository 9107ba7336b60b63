// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data as bytes and back, for messages between our own processes (one kind of
// machine, one build).
#ifndef FATHOM_SUPPORT_BYTES_H
#define FATHOM_SUPPORT_BYTES_H

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fathom {

/// A structure is stored field by field: eachField(structure, f), found beside its type, calls f
/// for every field, in an order of its own. Numbers, enumerations, text, vectors and pairs are
/// stored as they are. A ByteWriter also takes other containers, such as maps; a ByteReader reads
/// vectors only (of pairs, where a map was written).
class ByteWriter {
public:
  template <typename T> void put(const T &value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes_.append(reinterpret_cast<const char *>(&value), sizeof value);
    } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
      putBytes(value);
    } else if constexpr (std::is_same_v<T, std::vector<uint8_t>>) {
      putBytes({reinterpret_cast<const char *>(value.data()), value.size()});
    } else if constexpr (requires { value.size(), value.begin(); }) {
      put(static_cast<uint64_t>(value.size()));
      for (const auto &element : value) put(element);
    } else if constexpr (requires { value.first, value.second; }) {
      put(value.first), put(value.second);
    } else {
      eachField(value, [&](const auto &field) { put(field); });
    }
  }
  std::string take() { return std::move(bytes_); }

private:
  void putBytes(std::string_view bytes) {
    put(static_cast<uint64_t>(bytes.size()));
    bytes_ += bytes;
  }
  std::string bytes_;
};

/// Past the end everything reads as zero and empty, and ok() is false.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }

  template <typename T> T get() {
    T value{};
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::string_view bytes = take(sizeof value);
      if (ok_) memcpy(&value, bytes.data(), sizeof value);
    } else if constexpr (std::is_same_v<T, std::string> ||
                         std::is_same_v<T, std::vector<uint8_t>>) {
      std::string_view bytes = take(get<uint64_t>());
      value.assign(bytes.begin(), bytes.end());
    } else if constexpr (requires { value.push_back(value.front()); }) { // a list
      for (auto n = get<uint64_t>(); n && ok_; n--) value.push_back(get<typename T::value_type>());
    } else if constexpr (requires { value.first, value.second; }) {
      value.first = get<decltype(value.first)>();
      value.second = get<decltype(value.second)>();
    } else {
      eachField(value,
                [&](auto &field) { field = get<std::remove_reference_t<decltype(field)>>(); });
    }
    return value;
  }

private:
  std::string_view take(uint64_t size) {
    if (size > rest_.size()) ok_ = false, rest_ = {};
    std::string_view out = ok_ ? rest_.substr(0, size) : std::string_view();
    rest_.remove_prefix(out.size());
    return out;
  }
  std::string_view rest_;
  bool ok_ = true;
};

template <typename T> std::string toBytes(const T &value) {
  ByteWriter out;
  out.put(value);
  return out.take();
}
/// False: `bytes` is not what toBytes() made of a T.
template <typename T> bool fromBytes(const std::string &bytes, T &value) {
  ByteReader in(bytes);
  value = in.get<T>();
  return in.ok();
}

} // namespace fathom
#endif
