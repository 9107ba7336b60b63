// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol between the coordinator and its workers: messages over a socket, each a kind and a
// body. Also what a run stores for a run that resumes it.
#ifndef FATHOM_EXPLORE_WORK_PROTOCOL_H
#define FATHOM_EXPLORE_WORK_PROTOCOL_H

#include "explore/builtin/HostFiles.h"
#include "explore/Results.h"
#include "explore/state/PathLog.h"
#include "explore/work/PathTree.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::explore {

enum class MessageKind : uint8_t {
  // from the coordinator
  Work,      ///< paths to explore from
  Share,     ///< give away this number of paths
  Elsewhere, ///< a number, and what names the paths that others have: see PathPrefix::excludedPaths
  Avoid,     ///< hashes of logs that are not to be followed
  Isolate,   ///< hashes of queries that are asked in a child process (solver::Isolation); none: all
  Limit,     ///< of memory
  Snapshot,  ///< send a snapshot: see Frontier
  Uncovered, ///< was covered only by paths that are explored again
  Rest,      ///< wait until GoOn, or until the end
  GoOn,
  Stop,   ///< run nothing more
  Finish, ///< hand in what is left, and end
  // from a worker
  Failed, ///< why there can be no exploration
  Test,
  Input, ///< of an unfinished path (ResultSink::onInput)
  Bug,
  Echo,
  Progress, ///< statistics
  Given,    ///< after Share: paths, which it has no more
  Frontier, ///< a WorkerSnapshot
  Idle,     ///< why it stopped (a StopReason), after a Frontier
  Final,    ///< the ledger
  // both ways
  Covered,
  // of a worker that came by a network (Greeting.h), and with its coordinator
  Challenge,
  Proof,
  Program,
  Ready,        ///< the fingerprint of the program
  Start,        ///< how many milliseconds are left; 0: no limit
  Over,         ///< the exploration ends, or has ended
  Alive,        ///< for how many milliseconds its query has run; every second
  Lost,         ///< a WorkerEnd: the process that worked is gone
  HostQuestion, ///< see HostFiles
  HostAnswer,
  // These are understood by all versions.
  Hello = 200,
  Refused ///< why
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
  /// The same, for many small messages: they are handed over together, before the next send() or
  /// handOver(), or when there are enough. False: the other side is gone.
  bool sendSoon(MessageKind kind, const std::string &body);
  bool handOver();
  /// Never waits: what the other side has no room for now is kept, and flush() tries again.
  void post(MessageKind kind, const std::string &body = {});
  void flush();
  bool pending() const { return !out_.empty() && !closed_; } ///< posted and not handed over
  size_t pendingBytes() const { return closed_ ? 0 : out_.size(); }
  /// A message with more bytes than this closes the connection: until it is known who is there.
  void limitBody(uint64_t bytes) { maxBody_ = bytes; }
  void shut(); ///< for both sides
  /// The next message; waits for one when `wait`. Nullopt: none yet, or the other side is gone (see
  /// closed).
  std::optional<Message> receive(bool wait);
  bool closed() const { return closed_; }

private:
  std::optional<Message> complete();
  int fd_ = -1;
  std::string out_;  ///< posted and not yet handed over
  std::string soon_; ///< to be sent together with what comes next
  std::string in_;   ///< received and not yet taken
  size_t taken_ = 0;
  uint64_t maxBody_ = UINT64_MAX;
  bool closed_ = false;
};

/// A worker's snapshot: it has sent all its earlier results, and the rest comes from these paths.
struct WorkerSnapshot {
  Stats stats;
  Ledger ledger;
  std::string frontier;     ///< encoded
  uint64_t works = 0;       ///< how many Work messages it had received when it made this
  uint64_t nanoseconds = 0; ///< that it took to make
};

/// What a worker process was at when it ended.
struct WorkerEnd {
  uint64_t path = 0;       ///< Announcements::path
  uint64_t query = 0;      ///< RunningQuery::hash, and
  bool isIsolated = false; ///< RunningQuery::isolated
  bool isHung = false;     ///< it was killed because it hung in that query
  int status = 0;          ///< of waitpid
};

/// What a worker gives away.
struct GivenAway {
  std::string paths;                ///< encoded
  std::vector<uint64_t> identities; ///< State::decidedIdentity of those that have one
};

/// The state of a run: what a resumed run needs, besides the stored tests and bugs.
struct Checkpoint {
  Stats stats;
  Ledger ledger;
  std::vector<uint8_t> cover, sideCover; ///< see Interpreter
  std::vector<std::string> frontier;     ///< encoded lists of paths
  /// TestCase::path of stored tests that the frontier leads to again.
  std::vector<uint64_t> storedPaths;
  /// What PathPrefix::excludedPaths numbers, from 1.
  std::vector<std::vector<uint64_t>> elsewhere;
};

// Bodies.
std::string encode(const TestCase &test);
std::string encode(const Bug &bug);
std::string encode(const Stats &stats);
std::string encode(const Ledger &ledger);
/// Sorted, and each without what it shares with the one before it.
std::string encode(std::vector<PathPrefix> paths, PathTree more = {});
std::string encode(const WorkerSnapshot &snapshot);
std::string encode(const GivenAway &given);
std::string encode(const WorkerEnd &end);
std::string encode(const HostQuestion &question);
std::string encode(const HostAnswer &answer);
std::string encode(const Checkpoint &checkpoint);
std::string encode(const std::vector<uint32_t> &numbers);
std::string encode(const std::vector<uint64_t> &numbers);
/// False: not what encode made.
bool decode(const std::string &body, TestCase &test);
bool decode(const std::string &body, Bug &bug);
bool decode(const std::string &body, Stats &stats);
bool decode(const std::string &body, Ledger &ledger);                 ///< adds to it
bool decode(const std::string &body, std::vector<PathPrefix> &paths); ///< adds to them
bool decode(const std::string &body, WorkerSnapshot &snapshot);
bool decode(const std::string &body, GivenAway &given);
bool decode(const std::string &body, WorkerEnd &end);
bool decode(const std::string &body, HostQuestion &question);
bool decode(const std::string &body, HostAnswer &answer);
bool decode(const std::string &body, Checkpoint &checkpoint);
bool decode(const std::string &body, std::vector<uint32_t> &numbers);
bool decode(const std::string &body, std::vector<uint64_t> &numbers);

} // namespace fathom::explore
#endif
