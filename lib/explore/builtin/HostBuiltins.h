// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's files and the configuration.
#ifndef FATHOM_EXPLORE_BUILTIN_HOSTBUILTINS_H
#define FATHOM_EXPLORE_BUILTIN_HOSTBUILTINS_H

#include "explore/builtin/BuiltinGroup.h"

#include <map>
#include <string>
#include <vector>

namespace fathom::explore {

struct Engine;
struct ForeignCode;
class LogFollower;

class HostBuiltins : private BuiltinGroup {
public:
  explicit HostBuiltins(Engine &engine);

  void add(BuiltinNames &to);

private:
  bool isHidden(const std::string &real) const;
  /// The path as it may be opened, or empty: outside of the sandbox root (or not there).
  std::string hostPath(const std::string &path, bool follow);
  std::string visibleOrHidden(const std::string &path, bool follow); ///< hostPath, or a result
  Outcome config(State &, const Call &);
  Outcome configString(State &, const Call &);
  Outcome hostStat(State &, const Call &);
  Outcome hostRead(State &, const Call &);
  Outcome hostDirent(State &, const Call &);
  Outcome hostReadlink(State &, const Call &);
  Outcome missingFile(State &, const Call &);

  std::map<std::string, std::vector<std::string>>
      directories_; ///< listings of host directories, sorted

  ForeignCode &foreign_;
  LogFollower &follower_;
};

} // namespace fathom::explore
#endif
