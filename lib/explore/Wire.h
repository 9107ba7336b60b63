// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the coordinator and its workers say to each other: messages over a socket, each a kind and a
// body.
//
//   coordinator -> worker   Work (logs to explore from), Share (give some away), Covered, Stop,
//   Finish worker -> coordinator   Test, Bug, Echo, Progress (statistics), Covered, Given (logs),
//   Idle, Final (statistics, ledger)
#ifndef FATHOM_EXPLORE_WIRE_H
#define FATHOM_EXPLORE_WIRE_H

#include "explore/Results.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::explore {

enum class MessageKind : uint8_t {
  Work,
  Share,
  Covered,
  Stop,
  Finish,
  Test,
  Bug,
  Echo,
  Progress,
  Given,
  Idle,
  Final
};

struct Message {
  MessageKind kind{};
  std::string body;
};

/// One end of a connection. Not copyable; closes its descriptor.
class Channel {
public:
  explicit Channel(int fd) : fd_(fd) {}
  Channel(Channel &&other) noexcept { *this = std::move(other); }
  Channel &operator=(Channel &&other) noexcept;
  ~Channel();

  int fd() const { return fd_; }
  /// Waits until everything is handed over. False: the other side is gone.
  bool send(MessageKind kind, const std::string &body = {});
  /// The next message; waits for one when `wait`. Nullopt: none yet, or the other side is gone (see
  /// closed).
  std::optional<Message> receive(bool wait);
  bool closed() const { return closed_; }

private:
  std::optional<Message> complete();
  int fd_ = -1;
  std::string in_; ///< received and not yet taken
  size_t taken_ = 0;
  bool closed_ = false;
};

// Bodies.
std::string encode(const TestCase &test);
std::string encode(const Bug &bug);
std::string encode(const Stats &stats);
std::string encode(const Ledger &ledger);
std::string encode(const std::vector<std::string> &logs);
std::string encode(const std::vector<uint32_t> &numbers);
/// False: not what encode made.
bool decode(const std::string &body, TestCase &test);
bool decode(const std::string &body, Bug &bug);
bool decode(const std::string &body, Stats &stats);
bool decode(const std::string &body, Ledger &ledger); ///< adds to it
bool decode(const std::string &body, std::vector<std::string> &logs);
bool decode(const std::string &body, std::vector<uint32_t> &numbers);

} // namespace fathom::explore
#endif
