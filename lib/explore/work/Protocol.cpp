// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/Protocol.h"

#include "support/Bytes.h"

#include <algorithm>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace fathom::solver {

template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, StageStats>
void eachField(S &s, F f) {
  f(s.name), f(s.asked), f(s.sat), f(s.unsat), f(s.assumed), f(s.unknown), f(s.passedOn),
      f(s.evaluations), f(s.candidates), f(s.seconds);
}

} // namespace fathom::solver

namespace fathom::evidence {
template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, StackFrame>
void eachField(S &s, F f) {
  f(s.function), f(s.file), f(s.line), f(s.column), f(s.own), f(s.isThinWrapper);
}
template <typename S, typename F>
  requires std::is_same_v<std::remove_const_t<S>, Input>
void eachField(S &i, F f) {
  f(i.id.kind), f(i.id.name), f(i.data);
}
} // namespace fathom::evidence

namespace fathom::explore {

// --- the connection
// --------------------------------------------------------------------------------------------------

namespace {
constexpr size_t kHeadBytes = sizeof(uint64_t) + sizeof(MessageKind);
/// Each time the other side wakes up for them.
constexpr size_t kSoonBytes = 32 << 10;
} // namespace

Channel &Channel::operator=(Channel &&other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(out_, other.out_);
  std::swap(soon_, other.soon_);
  std::swap(in_, other.in_);
  std::swap(taken_, other.taken_);
  std::swap(maxBody_, other.maxBody_);
  std::swap(closed_, other.closed_);
  return *this;
}

Channel::~Channel() {
  if (fd_ >= 0) close(fd_);
}

static std::string framed(MessageKind kind, const std::string &body) {
  ByteWriter writer;
  writer.put(static_cast<uint64_t>(body.size()));
  writer.put(kind);
  return writer.take() + body;
}

void Channel::post(MessageKind kind, const std::string &body) {
  out_ += framed(kind, body);
  flush();
}

void Channel::flush() {
  size_t done = 0;
  while (done < out_.size() && !closed_) {
    ssize_t n = ::send(fd_, out_.data() + done, out_.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
    if (n <= 0) return out_.clear(); // gone: receiving says so, after what it still has told
    done += static_cast<size_t>(n);
  }
  out_.erase(0, done);
}

bool Channel::sendSoon(MessageKind kind, const std::string &body) {
  soon_ += framed(kind, body);
  return soon_.size() < kSoonBytes || handOver();
}

bool Channel::send(MessageKind kind, const std::string &body) {
  soon_ += framed(kind, body);
  return handOver();
}

bool Channel::handOver() {
  const std::string all = std::exchange(soon_, {});
  for (size_t done = 0; done < all.size();) {
    ssize_t n = ::send(fd_, all.data() + done, all.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      closed_ = true;
      return false;
    }
    done += static_cast<size_t>(n);
  }
  return true;
}

void Channel::shut() {
  closed_ = true;
  shutdown(fd_, SHUT_RDWR);
}

std::optional<Message> Channel::complete() {
  ByteReader reader(std::string_view(in_).substr(taken_));
  auto size = reader.get<uint64_t>();
  auto kind = reader.get<MessageKind>();
  if (reader.ok() && size > maxBody_) {
    shut();
    return std::nullopt;
  }
  if (!reader.ok() || in_.size() - taken_ - kHeadBytes < size) return std::nullopt;
  Message out{kind, in_.substr(taken_ + kHeadBytes, size)};
  taken_ += kHeadBytes + size;
  if (taken_ == in_.size() || taken_ > (1 << 20)) {
    in_.erase(0, taken_);
    taken_ = 0;
  }
  return out;
}

std::optional<Message> Channel::receive(bool wait) {
  while (true) {
    if (std::optional<Message> message = complete()) return message;
    if (closed_) return std::nullopt;
    char buffer[65536];
    ssize_t n = recv(fd_, buffer, sizeof buffer, wait ? 0 : MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return std::nullopt;
    if (n <= 0)
      closed_ = true;
    else
      in_.append(buffer, static_cast<size_t>(n));
  }
}

// --- bodies
// ----------------------------------------------------------------------------------------------------------

template <typename S, typename T>
concept Is = std::is_same_v<std::remove_const_t<S>, T>;

template <Is<SymbolValue> S, typename F> void eachField(S &s, F f) { f(s.name), f(s.data); }
template <Is<BranchTrace> S, typename F> void eachField(S &t, F f) {
  f(t.count), f(t.hash), f(t.checkpoints);
}
template <Is<TestCase> S, typename F> void eachField(S &t, F f) {
  f(t.inputs), f(t.symbols), f(t.stdoutData), f(t.stderrData), f(t.end), f(t.status), f(t.trace),
      f(t.instructions), f(t.decisions), f(t.coversNew), f(t.why), f(t.path), f(t.smtLib),
      f(t.usesExternal), f(t.usesUninit), f(t.failedAllocations);
}
template <Is<Bug> S, typename F> void eachField(S &b, F f) {
  f(b.kind), f(b.message), f(b.stack), f(b.related), f(b.sources), f(b.test), f(b.pathGoesOn),
      f(b.beyondBound);
}
template <Is<Ledger::Key> S, typename F> void eachField(S &k, F f) {
  f(k.category), f(k.location), f(k.detail);
}
template <Is<CheckTimes> S, typename F> void eachField(S &t, F f) {
  f(t.buckets), f(t.longestSeconds), f(t.late);
}
template <Is<Stats> S, typename F> void eachField(S &s, F f) {
  f(s.wallSeconds), f(s.instructions), f(s.states), f(s.forks), f(s.pathsCompleted), f(s.tests),
      f(s.bugs), f(s.partialTests), f(s.bugTests), f(s.liveStates), f(s.pathsTerminatedEarly),
      f(s.sidesLeft), f(s.sidesAsked), f(s.sidesClosed), f(s.sidesOpen), f(s.replayedInstructions),
      f(s.queries), f(s.stepNanoseconds), f(s.isBehind), f(s.solverSeconds), f(s.checkTimes),
      f(s.peakMemoryBytes), f(s.branchesCovered), f(s.branchesTotal), f(s.linesCovered),
      f(s.linesTotal), f(s.symbols), f(s.inputsTaken), f(s.seedsFollowed), f(s.seedsCut),
      f(s.seedBytesCut), f(s.workerSeconds), f(s.lastSeedSeconds), f(s.externalCalls),
      f(s.concretizations), f(s.untriedFailures), f(s.crashedPaths), f(s.pointerForks),
      f(s.pointerItes), f(s.pointerConcretized), f(s.symbolicSizes), f(s.mergedByPattern),
      f(s.mergedByTree), f(s.mergedPaths), f(s.joinedRounds), f(s.mergesChecked), f(s.mergesWrong),
      f(s.mergeQuestionsOpen), f(s.deferredCalls), f(s.symcretes), f(s.externalExecuted),
      f(s.externalFaults), f(s.externalValidated), f(s.externalDisagreements), f(s.externalSeconds),
      f(s.exactQueries), f(s.openedStates), f(s.guessedFeasible), f(s.guessedInfeasible),
      f(s.wrongGuesses), f(s.guessedPaths), f(s.stop), f(s.stages);
}

/// A ledger is stored as the lists of its entries, and of the names that have none.
template <Is<Ledger> S, typename F> void eachField(S &l, F f) {
  if constexpr (std::is_const_v<S>) {
    f(l.entries());
    f(std::vector<uint64_t>(l.unnamed().begin(), l.unnamed().end()));
  } else {
    std::vector<std::pair<Ledger::Key, uint64_t>> entries;
    std::vector<uint64_t> unnamed;
    f(entries), f(unnamed);
    for (auto &[key, count] : entries) l.add(key.category, key.location, key.detail, count);
    for (uint64_t hash : unnamed) l.addUnnamed(hash);
  }
}
template <Is<WorkerSnapshot> S, typename F> void eachField(S &s, F f) {
  f(s.stats), f(s.ledger), f(s.frontier), f(s.works), f(s.nanoseconds);
}
template <Is<WorkerEnd> S, typename F> void eachField(S &e, F f) {
  f(e.path), f(e.query), f(e.isIsolated), f(e.isHung), f(e.status);
}
template <Is<HostQuestion> S, typename F> void eachField(S &q, F f) {
  f(q.what), f(q.path), f(q.offset), f(q.size);
}
template <Is<HostAnswer> S, typename F> void eachField(S &a, F f) {
  f(a.result), f(a.text), f(a.names), f(a.numbers);
}
template <Is<GivenAway> S, typename F> void eachField(S &g, F f) { f(g.paths), f(g.identities); }
template <Is<Checkpoint> S, typename F> void eachField(S &c, F f) {
  f(c.stats), f(c.ledger), f(c.cover), f(c.sideCover), f(c.frontier), f(c.storedPaths),
      f(c.elsewhere);
}

/// A path of a list: so much of the log as in the one before, then this.
struct PackedPrefix {
  uint32_t shared = 0;
  std::string rest;
  std::vector<uint32_t> newlyCovered;
  unsigned revivals = 0, attempts = 0;
  uint32_t excludedPaths = 0;
  bool hasInput = false;
  std::vector<uint8_t> input;
};
template <Is<PackedPrefix> S, typename F> void eachField(S &p, F f) {
  f(p.shared), f(p.rest), f(p.newlyCovered), f(p.revivals), f(p.attempts), f(p.excludedPaths),
      f(p.hasInput), f(p.input);
}

std::string encode(const TestCase &test) { return toBytes(test); }
std::string encode(const Bug &bug) { return toBytes(bug); }
std::string encode(const Stats &stats) { return toBytes(stats); }
std::string encode(const Ledger &ledger) { return toBytes(ledger); }
std::string encode(const WorkerSnapshot &snapshot) { return toBytes(snapshot); }
std::string encode(const GivenAway &given) { return toBytes(given); }
std::string encode(const WorkerEnd &end) { return toBytes(end); }
std::string encode(const HostQuestion &question) { return toBytes(question); }
std::string encode(const HostAnswer &answer) { return toBytes(answer); }
std::string encode(const Checkpoint &checkpoint) { return toBytes(checkpoint); }
std::string encode(const std::vector<uint64_t> &numbers) { return toBytes(numbers); }
std::string encode(const std::vector<uint32_t> &numbers) { return toBytes(numbers); }
bool decode(const std::string &body, TestCase &test) { return fromBytes(body, test); }
bool decode(const std::string &body, Bug &bug) { return fromBytes(body, bug); }
bool decode(const std::string &body, Stats &stats) { return fromBytes(body, stats); }
bool decode(const std::string &body, WorkerSnapshot &snapshot) { return fromBytes(body, snapshot); }
bool decode(const std::string &body, GivenAway &given) { return fromBytes(body, given); }
bool decode(const std::string &body, WorkerEnd &end) { return fromBytes(body, end); }
bool decode(const std::string &body, HostQuestion &question) { return fromBytes(body, question); }
bool decode(const std::string &body, HostAnswer &answer) { return fromBytes(body, answer); }
bool decode(const std::string &body, Checkpoint &checkpoint) { return fromBytes(body, checkpoint); }
bool decode(const std::string &body, std::vector<uint64_t> &numbers) {
  return fromBytes(body, numbers);
}
bool decode(const std::string &body, std::vector<uint32_t> &numbers) {
  return fromBytes(body, numbers);
}
bool decode(const std::string &body, Ledger &ledger) {
  Ledger more;
  if (!fromBytes(body, more)) return false;
  add(ledger, more);
  return true;
}

std::string encode(std::vector<PathPrefix> paths, PathTree more) {
  std::sort(paths.begin(), paths.end(),
            [](const PathPrefix &a, const PathPrefix &b) { return a.log < b.log; });
  std::vector<PackedPrefix> packed;
  packed.reserve(paths.size());
  auto pack = [&](size_t shared, std::string rest, PathPrefix &p) {
    packed.push_back({static_cast<uint32_t>(shared), std::move(rest), std::move(p.newlyCovered),
                      p.revivals, p.attempts, p.excludedPaths, p.input != nullptr,
                      p.input ? *p.input : std::vector<uint8_t>()});
  };
  std::string_view before;
  for (PathPrefix &p : paths) {
    auto shared = static_cast<size_t>(
        std::mismatch(p.log.begin(), p.log.end(), before.begin(), before.end()).first -
        p.log.begin());
    pack(shared, p.log.substr(shared), p);
    before = p.log;
  }
  more.forEach([&](size_t shared, PathPrefix p) { pack(shared, std::move(p.log), p); });
  return toBytes(packed);
}

bool decode(const std::string &body, std::vector<PathPrefix> &paths) {
  std::vector<PackedPrefix> packed;
  if (!fromBytes(body, packed)) return false;
  std::string before;
  for (PackedPrefix &p : packed) {
    if (p.shared > before.size()) return false;
    before.replace(p.shared, std::string::npos, p.rest);
    paths.push_back(
        {before, std::move(p.newlyCovered), p.revivals, p.attempts, p.excludedPaths,
         p.hasInput ? std::make_shared<const std::vector<uint8_t>>(std::move(p.input)) : nullptr});
  }
  return true;
}

} // namespace fathom::explore
