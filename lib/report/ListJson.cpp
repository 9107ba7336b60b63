// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ListJson.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fathom::report {

/// The value as it stands in an indented document. No text in it has an end of line.
static std::string indented(const nlohmann::json &value, size_t columns) {
  const std::string text = value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '\n') out.append(columns, ' ');
  }
  return out;
}

void writeWithList(const nlohmann::json &members, const std::string &list, size_t count,
                   const std::function<nlohmann::json(size_t)> &element, const TextSink &out) {
  const char *separator = "{\n";
  const auto begin = [&](const std::string &name) {
    out(fmt::format("{}  {}: ", separator, nlohmann::json(name).dump()));
    separator = ",\n";
  };
  const auto printList = [&] {
    begin(list);
    for (size_t i = 0; i < count; i++)
      out(fmt::format("{}    {}", i ? ",\n" : "[\n", indented(element(i), 4)));
    out(fmt::format("{}", count ? "\n  ]" : "[]"));
  };
  bool isPrinted = false;
  for (const auto &[name, value] : members.items()) {
    if (!isPrinted && list < name) {
      printList();
      isPrinted = true;
    }
    begin(name);
    out(fmt::format("{}", indented(value, 2)));
  }
  if (!isPrinted) printList();
  out(fmt::format("\n}}\n"));
}

} // namespace fathom::report
