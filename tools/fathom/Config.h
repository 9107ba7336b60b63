// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --config FILE: TOML with the long options' names.
//
//   max-time = "10m"              # for every subcommand
//   [explore]
//   search = "dfs"
//   sym-args = ["0 2 3", "1 1 8"] # several times; [0, 2, 3] is one of them
#ifndef FATHOM_TOOLS_CONFIG_H
#define FATHOM_TOOLS_CONFIG_H

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fathom::tool {

/// The file's settings for `subcommand` as command-line words, to stand before those of the user.
/// An option that `given` (the user's words) has, by any of its names, is left out; in the
/// subcommand's table it replaces the general one. Tables of other `subcommands` are skipped.
/// Throws UsageError with file and line.
std::vector<std::string> configWords(const std::string &file, const CLI::App &subcommand,
                                     const std::vector<std::string> &subcommands,
                                     const std::vector<std::string> &given);

} // namespace fathom::tool
#endif
