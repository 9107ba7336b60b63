// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an explored program learns of the machine: real files, read only, below the sandbox root,
// and whose they are. One interface, because a worker on another machine asks the coordinator's
// (work/RemoteHost.h): all paths see one machine.
#ifndef FATHOM_EXPLORE_BUILTIN_HOSTFILES_H
#define FATHOM_EXPLORE_BUILTIN_HOSTFILES_H

#include <cstdint>
#include <string>
#include <vector>

namespace fathom::explore {

struct ExploreOptions;

enum class HostAsks : uint8_t {
  Stat,             ///< numbers: those of fathom_host_stat, in its order
  LinkStat,         ///< the same, of a link itself
  Read,             ///< text: up to `size` bytes from `offset`; result: how many
  List,             ///< names: of a folder, sorted
  ReadLink,         ///< text: up to `size` bytes; result: how many
  StandardInput,    ///< text: the absolute path of ExploreOptions::stdinFile
  WorkingDirectory, ///< text: the absolute path of ExploreOptions::workingDirectory
  BesideOwn,        ///< text: that folder, if it has a file `path`; result: 1 if so
  Owner             ///< numbers: effective user and group
};

struct HostQuestion {
  HostAsks what{};
  std::string path;
  uint64_t offset = 0, size = 0;
};

struct HostAnswer {
  int64_t result = 0; ///< negative: an errno
  std::string text;
  std::vector<std::string> names;
  std::vector<uint64_t> numbers;
};

class HostFiles {
public:
  virtual ~HostFiles() = default;
  virtual HostAnswer ask(const HostQuestion &question) = 0;
};

/// Of this machine.
class OwnHost final : public HostFiles {
public:
  /// `options` outlives this object.
  explicit OwnHost(const ExploreOptions &options) : options_(options) {}
  HostAnswer ask(const HostQuestion &question) override;

private:
  bool isHidden(const std::string &real) const;
  /// The path as it may be opened, or empty: outside of the sandbox root (or not there).
  std::string hostPath(const std::string &path, bool follow) const;
  std::string visibleOrHidden(const std::string &path, bool follow) const; ///< or a result
  HostAnswer stat(const std::string &path, bool follow) const;
  HostAnswer read(const HostQuestion &question) const;
  HostAnswer list(const std::string &path) const;
  HostAnswer readLink(const HostQuestion &question) const;
  HostAnswer besideOwn(const std::string &path) const;

  const ExploreOptions &options_;
};

} // namespace fathom::explore
#endif
