// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of the coordinator's machine, for a worker on another one. All paths see the same files
// that way, wherever they are explored, and no machine but the coordinator's needs them.
#ifndef FATHOM_EXPLORE_WORK_REMOTEHOST_H
#define FATHOM_EXPLORE_WORK_REMOTEHOST_H

#include "explore/builtin/HostFiles.h"
#include "explore/work/Protocol.h"

#include <deque>
#include <unordered_map>

namespace fathom::explore {

class RemoteHost final : public HostFiles {
public:
  /// `channel` outlives this object. What comes over it before an answer goes to `others`.
  RemoteHost(Channel &channel, std::deque<Message> &others) : channel_(channel), others_(others) {}
  /// Waits for the answer. Answers are kept, and are not asked for again: paths are replayed, and
  /// read the same files each time. EIO if the coordinator is gone.
  HostAnswer ask(const HostQuestion &question) override;

private:
  Channel &channel_;
  std::deque<Message> &others_;
  std::unordered_map<std::string, HostAnswer> kept_; ///< by the encoded question
  size_t keptBytes_ = 0;
};

} // namespace fathom::explore
#endif
