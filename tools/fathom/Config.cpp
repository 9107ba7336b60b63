// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Config.h"

#include "Command.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <unistd.h>

namespace fathom::tool {

static std::string valueText(const std::string &file, const std::string &key,
                             const toml::node &node) {
  if (auto *s = node.as_string()) return s->get();
  if (auto *i = node.as_integer()) return std::to_string(i->get());
  if (auto *f = node.as_floating_point()) return fmt::format("{}", f->get());
  if (auto *b = node.as_boolean()) return b->get() ? "true" : "false";
  throw UsageError(
      fmt::format("{}: line {}: {} has to be a string, a number, true or false, or a list of them",
                  file, node.source().begin.line, key));
}

static void addKey(const std::string &file, const std::string &key, const toml::node &node,
                   const std::vector<std::string> &given, std::vector<std::string> &out) {
  std::string flag = "--" + key;
  for (const std::string &word : given)
    if (word == flag || word.rfind(flag + "=", 0) == 0 ||
        (key == "output" && word.rfind("-o", 0) == 0))
      return;
  if (auto *list = node.as_array()) {
    for (const toml::node &item : *list) out.push_back(flag + "=" + valueText(file, key, item));
    return;
  }
  out.push_back(flag + "=" + valueText(file, key, node));
}

std::vector<std::string> configWords(const std::string &file, const std::string &subcommand,
                                     const std::vector<std::string> &given) {
  if (access(file.c_str(), R_OK) != 0)
    throw UsageError(fmt::format("--config {}: {}", file, strerror(errno)));
  std::vector<std::string> out;
  try {
    toml::table table = toml::parse_file(file);
    for (auto &&[key, node] : table) {
      if (node.is_table()) continue;
      addKey(file, std::string(key.str()), node, given, out);
    }
    if (const toml::table *own = table[subcommand].as_table())
      for (auto &&[key, node] : *own) addKey(file, std::string(key.str()), node, given, out);
  } catch (const toml::parse_error &e) {
    throw UsageError(fmt::format("{}: line {}: {}", file, e.source().begin.line, e.description()));
  }
  return out;
}

} // namespace fathom::tool
