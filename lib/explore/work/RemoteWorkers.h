// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where workers of other machines come in: listens, makes sure who is there (Greeting.h), and sends
// the program. What it lets in is a connection over which a worker works as over that of a process
// of ours; Coordinator makes no difference but in how it notices that one is gone.
//
// The other end is RemoteWorker.h.
#ifndef FATHOM_EXPLORE_WORK_REMOTEWORKERS_H
#define FATHOM_EXPLORE_WORK_REMOTEWORKERS_H

#include "explore/work/Greeting.h"
#include "explore/work/Protocol.h"
#include "native/Tcp.h"
#include "support/WorkClock.h"

#include <functional>
#include <list>
#include <memory>
#include <poll.h>
#include <string>
#include <vector>

namespace fathom::explore {

class RemoteWorkers {
public:
  /// Listens from now on; no worker is let in before offer(). Null: `error` says why it cannot
  /// listen. `key`: what both sides know. `say` gets a line for each worker that is refused.
  static std::unique_ptr<RemoteWorkers> listen(const native::Endpoint &at, std::string build,
                                               std::string key,
                                               std::function<void(const std::string &)> say,
                                               std::string &error);
  ~RemoteWorkers();
  RemoteWorkers(const RemoteWorkers &) = delete;
  RemoteWorkers &operator=(const RemoteWorkers &) = delete;

  /// Where workers reach us.
  const native::Endpoint &address() const { return address_; }
  /// What workers get: the body of a Parcel, and the fingerprint that the program has to have
  /// there.
  void offer(std::string body, uint64_t fingerprint);

  struct Admitted {
    Channel channel;
    std::string from;
  };
  void addTo(std::vector<pollfd> &fds) const;
  /// Goes on with all that wait at the door; returns those that are ready to work. Never waits.
  std::vector<Admitted> admit();
  /// The exploration has ended: those that wait are sent away, and no worker is let in any more.
  void close();
  /// For a child process: closes our descriptors here, and tells no worker.
  void abandon();
  /// One line about a worker.
  void tell(const std::string &line) const { say_(line); }

private:
  enum class Step : uint8_t { Greets, Proves, Waits, Loads, Ready, Gone };
  struct Guest {
    Channel channel;
    std::string from;
    WallClock::time_point since;
    Step step = Step::Greets;
    std::string nonce; ///< ours
    Hello hello;
  };

  RemoteWorkers(std::string build, std::string key, std::function<void(const std::string &)> say)
      : build_(std::move(build)), key_(std::move(key)), say_(std::move(say)) {}
  void accept();
  void handle(Guest &guest, const Message &message);
  void greet(Guest &guest, const Message &message);
  void refuse(Guest &guest, const std::string &why);
  void sendProgram();

  std::string build_, key_;
  std::function<void(const std::string &)> say_;
  int fd_ = -1;
  native::Endpoint address_;
  Parcel parcel_;
  uint64_t fingerprint_ = 0;
  std::list<Guest> guests_;
};

} // namespace fathom::explore
#endif
