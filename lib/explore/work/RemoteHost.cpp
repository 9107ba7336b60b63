// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/RemoteHost.h"

#include <cerrno>

namespace fathom::explore {

static constexpr size_t kMaxKept = 64 << 20;

HostAnswer RemoteHost::ask(const HostQuestion &question) {
  const std::string asked = encode(question);
  if (const auto it = kept_.find(asked); it != kept_.end()) return it->second;
  HostAnswer answer;
  channel_.send(MessageKind::HostQuestion, asked);
  while (true) {
    std::optional<Message> message = channel_.receive(/*wait=*/true);
    if (!message) return {-EIO, {}, {}, {}};
    if (message->kind == MessageKind::HostAnswer && decode(message->body, answer)) break;
    others_.push_back(std::move(*message));
  }
  size_t bytes = asked.size() + answer.text.size();
  for (const std::string &name : answer.names) bytes += name.size();
  if (keptBytes_ + bytes > kMaxKept) kept_.clear(), keptBytes_ = 0;
  keptBytes_ += bytes;
  kept_.emplace(asked, answer);
  return answer;
}

} // namespace fathom::explore
