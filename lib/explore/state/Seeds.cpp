// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/state/Seeds.h"

#include <algorithm>

namespace fathom::explore {

/// Is it this name, or one of ours for a later object of this name (name_1, name_2, ...)?
static bool isNamed(const std::string &object, const std::string &name) {
  if (!object.starts_with(name)) return false;
  const std::string_view rest = std::string_view(object).substr(name.size());
  return rest.empty() || (rest.size() > 1 && rest[0] == '_' &&
                          rest.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

bool Seed::isInput(const std::string &name) {
  return name == "stdin" || name == "A-data" || name == "fuzz_data";
}

std::vector<uint8_t> Seed::bytesFor(const std::string &name, std::vector<bool> &taken,
                                    uint64_t fuzzBytes) const {
  if (raw) {
    if (isInput(name)) return data;
    if (name != "fuzz_size") return {};
    const uint64_t length = std::min<uint64_t>(data.size(), fuzzBytes);
    std::vector<uint8_t> size(4);
    for (unsigned i = 0; i < 4; i++) size[i] = static_cast<uint8_t>(length >> (8 * i));
    return size;
  }
  taken.resize(objects.size());
  auto take = [&](auto isIt) -> const std::vector<uint8_t> * {
    for (size_t i = 0; i < objects.size(); i++)
      if (!taken[i] && isIt(objects[i].first)) {
        taken[i] = true;
        return &objects[i].second;
      }
    return nullptr;
  };
  auto isIt = [&](const std::string &object) { return object == name; };
  if (const auto *bytes = take(isIt)) return *bytes;
  if (std::any_of(objects.begin(), objects.end(), [&](auto &o) { return isIt(o.first); }))
    if (const auto *bytes = take([&](auto &object) { return isNamed(object, name); }))
      return *bytes;
  return {};
}

} // namespace fathom::explore
