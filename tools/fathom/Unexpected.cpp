// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Unexpected.h"

#include "run/explore/SymbolicArguments.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fathom::tool {

namespace {

/// Whether it is explore or fuzz: what they run has arguments of its own.
bool runsProgram(const CLI::App &subcommand) {
  return subcommand.get_name() == "explore" || subcommand.get_name() == "fuzz";
}

/// "" when none is so near that it is likely meant.
std::string nearestOption(const CLI::App &subcommand, llvm::StringRef word) {
  std::vector<std::string> names;
  for (const CLI::Option *option : subcommand.get_options())
    for (const std::string &name : option->get_lnames()) names.push_back("--" + name);
  if (subcommand.get_name() == "explore")
    for (const char *name : run::symbolicOptions()) names.emplace_back(name);
  std::string nearest;
  // As other tools have it: --entry-point.
  for (const std::string &name : names)
    if (word.starts_with(name + "-") && name.size() > nearest.size()) nearest = name;
  if (!nearest.empty()) return nearest;
  // Two letters, or of long names more; of short ones less, or everything would be near.
  unsigned best = std::clamp<unsigned>(static_cast<unsigned>(word.size()) / 4, 1, 4) + 1;
  for (const std::string &name : names)
    if (unsigned distance = word.edit_distance(name, /*AllowReplacements=*/true, best);
        distance < best) {
      best = distance;
      nearest = name;
    }
  return nearest;
}

/// Also of its own subcommands; nullptr: there is none of this name.
const CLI::Option *findOption(const CLI::App &subcommand, const std::string &name) {
  if (const CLI::Option *option = subcommand.get_option_no_throw(name)) return option;
  for (const CLI::App *own : subcommand.get_subcommands({}))
    if (const CLI::Option *option = own->get_option_no_throw(name); option && option->count())
      return option;
  return nullptr;
}

} // namespace

std::string unexpectedText(const CLI::App &subcommand, const std::vector<std::string> &words) {
  const std::string name = "fathom " + subcommand.get_name();
  auto option = std::find_if(words.begin(), words.end(),
                             [](const std::string &w) { return w.size() > 1 && w[0] == '-'; });
  if (option != words.end()) {
    const std::string flag = option->substr(0, option->find('='));
    const std::string nearest = nearestOption(subcommand, flag);
    return fmt::format("{}: not an option of {}; {}see {} --help", flag, name,
                       nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest), name);
  }
  std::vector<std::string> taken;
  for (const CLI::Option *o : subcommand.get_options())
    if (o->get_positional()) taken.push_back(o->get_name(/*positional=*/true));
  return fmt::format("{}: unexpected; {} takes one {}{}; see {} --help", words[0], name,
                     fmt::join(taken, " and one "),
                     runsProgram(subcommand) ? "; put the program's arguments after --" : "", name);
}

std::string unreadableText(const CLI::App &subcommand, const CLI::ConversionError &error) {
  const llvm::StringRef text = error.what(); // "Could not convert: --theta = x"
  const auto [name, value] = text.split(": ").second.split(" = ");
  const CLI::Option *option = findOption(subcommand, name.str());
  if (!option || value.empty())
    return fmt::format("{}; see fathom {} --help", text.str(), subcommand.get_name());
  const bool isFlag = option->get_items_expected_min() == 0;
  return fmt::format("{}{}{}: expected {}", name.str(), isFlag ? "=" : " ", value.str(),
                     isFlag                           ? "true or false"
                     : option->get_type_name() == "P" ? "a probability, such as 0.9"
                                                      : "a number, such as 0.5");
}

std::string noSubcommandText(const CLI::App &subcommand, const std::string &word) {
  std::vector<std::string> names;
  for (const CLI::App *own : subcommand.get_subcommands({})) names.push_back(own->get_name());
  return fmt::format("{}{}: {}; fathom {} has {}", subcommand.get_name(),
                     word.empty() ? "" : " " + word,
                     word.empty() ? "expected a subcommand" : "no such subcommand",
                     subcommand.get_name(), fmt::join(names, ", "));
}

} // namespace fathom::tool
