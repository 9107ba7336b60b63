// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's files and the configuration.
#ifndef FATHOM_EXPLORE_BUILTIN_HOSTBUILTINS_H
#define FATHOM_EXPLORE_BUILTIN_HOSTBUILTINS_H

#include "explore/builtin/BuiltinGroup.h"
#include "explore/builtin/HostFiles.h"

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
  long owner(size_t which);
  /// A host's answer as the result of a call, and its text in the call's buffer.
  Outcome returnsText(State &, const Call &, const std::string &path, uint64_t to,
                      const HostAnswer &answer);
  Outcome config(State &, const Call &);
  Outcome configString(State &, const Call &);
  Outcome hostStat(State &, const Call &);
  Outcome hostRead(State &, const Call &);
  Outcome hostDirent(State &, const Call &);
  Outcome hostReadlink(State &, const Call &);
  Outcome missingFile(State &, const Call &);

  OwnHost own_;
  HostFiles &host_;                                             ///< that, or ExploreOptions::host
  std::map<std::string, std::vector<std::string>> directories_; ///< listings
  ForeignCode &foreign_;
  LogFollower &follower_;
};

} // namespace fathom::explore
#endif
