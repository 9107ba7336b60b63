// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Config.h"

#include "Command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <map>

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

/// Symbolic input has several operands: sym-args = [0, 2, 4] is one description, a list of texts is
/// several.
static bool isOneDescription(const std::string &key, const toml::array &list) {
  return key.rfind("sym-", 0) == 0 && list.is_homogeneous<int64_t>();
}

static std::vector<std::string> wordsOf(const std::string &file, const std::string &key,
                                        const toml::node &node) {
  const std::string flag = "--" + key + "=";
  const toml::array *list = node.as_array();
  if (!list) return {flag + valueText(file, key, node)};
  std::vector<std::string> values, out;
  for (const toml::node &item : *list) values.push_back(valueText(file, key, item));
  if (isOneDescription(key, *list)) return {flag + fmt::format("{}", fmt::join(values, " "))};
  for (const std::string &value : values) out.push_back(flag + value);
  return out;
}

/// Whether the word, such as -q, -qo or -oDIR, has the option by a short name.
static bool namesShortly(const std::string &word, const CLI::Option &option, const CLI::App &app) {
  if (!word.starts_with("-") || word.starts_with("--")) return false;
  for (const char letter : word.substr(1)) {
    const CLI::Option *named = app.get_option_no_throw(std::string("-") + letter);
    if (named == &option) return true;
    if (!named || named->get_items_expected_min() > 0) return false; // its value follows
  }
  return false;
}

/// Whether the user's words have the option of this name, by whatever name of it.
static bool isGiven(const std::string &key, const std::vector<std::string> &given,
                    const CLI::App &app) {
  const CLI::Option *option = app.get_option_no_throw("--" + key);
  std::vector<std::string> names{key};
  if (option) names = option->get_lnames();
  return std::ranges::any_of(given, [&](const std::string &word) {
    return std::ranges::any_of(names,
                               [&](const std::string &name) {
                                 return word == "--" + name || word.starts_with("--" + name + "=");
                               }) ||
           (option && namesShortly(word, *option, app));
  });
}

std::vector<std::string> configWords(const std::string &file, const CLI::App &subcommand,
                                     const std::vector<std::string> &subcommands,
                                     const std::vector<std::string> &given) {
  orThrow(run::requireRegularFile("--config", file));
  std::map<std::string, std::vector<std::string>> settings; // the subcommand's own win
  auto add = [&](const toml::table &table) {
    for (auto &&[name, node] : table) {
      std::string key(name.str());
      if (node.is_table()) continue;
      if (key == "config")
        throw UsageError(fmt::format("{}: config: one file cannot name another", file));
      settings[key] = wordsOf(file, key, node);
    }
  };
  try {
    toml::table table = toml::parse_file(file);
    for (auto &&[key, node] : table)
      if (node.is_table() &&
          std::find(subcommands.begin(), subcommands.end(), key.str()) == subcommands.end())
        throw UsageError(fmt::format("{}: line {}: [{}] is not a subcommand of fathom", file,
                                     node.source().begin.line, key.str()));
    add(table);
    if (const toml::table *own = table[subcommand.get_name()].as_table()) add(*own);
  } catch (const toml::parse_error &e) {
    throw UsageError(fmt::format("{}: line {}: {}", file, e.source().begin.line, e.description()));
  }
  std::vector<std::string> out;
  for (auto &[key, words] : settings)
    if (!isGiven(key, given, subcommand)) out.insert(out.end(), words.begin(), words.end());
  return out;
}

} // namespace fathom::tool
