// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Documents.h"

#include "Command.h"

#include <fmt/format.h>

#include <filesystem>
#include <unistd.h>

namespace fathom::tool {

namespace fs = std::filesystem;

/// Behind symbolic links, whether anything is there or not: a link stays one.
static std::string behindLinks(fs::path path) {
  constexpr unsigned kMost = 40; // as many as the system follows
  std::error_code failed;
  for (unsigned i = 0; i < kMost && fs::is_symlink(path, failed); i++)
    path = path.parent_path() / fs::read_symlink(path, failed);
  return path.string();
}

void writeDocument(const std::string &option, const std::string &named,
                   const std::function<void(llvm::raw_ostream &)> &write) {
  const std::string path = behindLinks(named);
  std::error_code failed;
  const bool isReplaced = !fs::exists(path, failed) || fs::is_regular_file(path, failed);
  const std::string draft = isReplaced ? fmt::format("{}.{}", path, getpid()) : path;
  bool isWritten = false;
  {
    llvm::raw_fd_ostream out(draft, failed);
    if (!failed) {
      write(out);
      out.close();
      isWritten = !out.has_error();
      out.clear_error();
    }
  }
  failed.clear();
  if (isWritten && isReplaced) fs::rename(draft, path, failed);
  if (isWritten && !failed) return;
  if (isReplaced) fs::remove(draft, failed);
  throw UsageError(fmt::format("{} {}: cannot be written", option, named));
}

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

void printWithList(const nlohmann::json &members, const std::string &list, size_t count,
                   const std::function<nlohmann::json(size_t)> &element) {
  const char *separator = "{\n";
  const auto begin = [&](const std::string &name) {
    fmt::print("{}  {}: ", separator, nlohmann::json(name).dump());
    separator = ",\n";
  };
  const auto printList = [&] {
    begin(list);
    for (size_t i = 0; i < count; i++)
      fmt::print("{}    {}", i ? ",\n" : "[\n", indented(element(i), 4));
    fmt::print("{}", count ? "\n  ]" : "[]");
  };
  bool isPrinted = false;
  for (const auto &[name, value] : members.items()) {
    if (!isPrinted && list < name) {
      printList();
      isPrinted = true;
    }
    begin(name);
    fmt::print("{}", indented(value, 2));
  }
  if (!isPrinted) printList();
  fmt::print("\n}}\n");
}

} // namespace fathom::tool
