// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of an enumeration by the names that a user writes: one table for parsing, printing and
// error messages.
//
//   constexpr auto kPointers = nameTable<Pointers>({{"fork", Pointers::Fork}, ...});
//   if (std::optional<Pointers> p = kPointers.find(text)) ...
#ifndef FATHOM_SUPPORT_NAMETABLE_H
#define FATHOM_SUPPORT_NAMETABLE_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fathom {

template <typename Value> struct NamedValue {
  std::string_view name;
  Value value;
};

template <typename Value, size_t Size> struct NameTable {
  NamedValue<Value> entries[Size];

  constexpr std::optional<Value> find(std::string_view name) const {
    for (const NamedValue<Value> &e : entries)
      if (e.name == name) return e.value;
    return std::nullopt;
  }
  /// "" for a value that has no name.
  constexpr std::string_view nameOf(Value value) const {
    for (const NamedValue<Value> &e : entries)
      if (e.value == value) return e.name;
    return "";
  }
  /// "a, b or c".
  std::string names() const {
    std::string out;
    for (size_t i = 0; i < Size; i++) {
      out += i == 0 ? "" : i + 1 == Size ? " or " : ", ";
      out += entries[i].name;
    }
    return out;
  }
};

template <typename Value, size_t Size>
constexpr NameTable<Value, Size> nameTable(const NamedValue<Value> (&entries)[Size]) {
  NameTable<Value, Size> table{};
  for (size_t i = 0; i < Size; i++) table.entries[i] = entries[i];
  return table;
}

} // namespace fathom
#endif
