// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "expr/Model.h"

#include <algorithm>
#include <cassert>

namespace fathom::expr {

uint8_t Model::byte(ExprPtr symbol, uint64_t index) const {
  const uint32_t at = symbol->array().index;
  if (at >= arrays_.size() || !arrays_[at]) return 0;
  const auto &bytes = *arrays_[at];
  return index < bytes.size() ? bytes[index] : 0;
}

void Model::setByte(ExprPtr symbol, uint64_t index, uint8_t value) {
  const ArrayInfo &info = symbol->array();
  assert(index < info.sizeBytes && "a model has no bytes past the end of a symbol");
  if (info.index >= arrays_.size()) arrays_.resize(info.index + 1);
  auto &shared = arrays_[info.index];
  if (!shared) {
    if (value == 0) return;
    shared = std::make_shared<std::vector<uint8_t>>();
  } else if (shared.use_count() > 1) {
    shared = std::make_shared<std::vector<uint8_t>>(*shared);
  }
  // Every vector here was made non-const, by this function, and is not shared any more.
  auto &bytes = const_cast<std::vector<uint8_t> &>(*shared);
  if (index >= bytes.size()) {
    if (value == 0) return;
    bytes.resize(index + 1, 0);
  }
  bytes[index] = value;
}

std::vector<uint8_t> Model::bytes(ExprPtr symbol) const {
  const ArrayInfo &info = symbol->array();
  std::vector<uint8_t> out(info.sizeBytes, 0);
  if (info.index < arrays_.size() && arrays_[info.index]) {
    const auto &bytes = *arrays_[info.index];
    std::copy_n(bytes.begin(), std::min<size_t>(bytes.size(), out.size()), out.begin());
  }
  return out;
}

size_t Model::sizeBytes() const {
  size_t n = arrays_.size() * sizeof(arrays_[0]);
  for (const auto &bytes : arrays_)
    if (bytes) n += bytes->size();
  return n;
}

bool Model::operator==(const Model &other) const {
  static const std::vector<uint8_t> kNone;
  for (size_t i = 0; i < std::max(arrays_.size(), other.arrays_.size()); ++i) {
    const auto &a = i < arrays_.size() && arrays_[i] ? *arrays_[i] : kNone;
    const auto &b = i < other.arrays_.size() && other.arrays_[i] ? *other.arrays_[i] : kNone;
    if (&a == &b) continue;
    const auto &longer = a.size() >= b.size() ? a : b;
    size_t common = std::min(a.size(), b.size());
    if (!std::equal(a.begin(), a.begin() + static_cast<ptrdiff_t>(common), b.begin())) return false;
    if (std::any_of(longer.begin() + static_cast<ptrdiff_t>(common), longer.end(),
                    [](uint8_t v) { return v; }))
      return false;
  }
  return true;
}

} // namespace fathom::expr
