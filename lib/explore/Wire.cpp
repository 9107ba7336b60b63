// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/Wire.h"

#include "support/Bytes.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace fathom::explore {

// --- the connection
// --------------------------------------------------------------------------------------------------

namespace {
constexpr size_t kHeadBytes = sizeof(uint64_t) + sizeof(MessageKind);
} // namespace

Channel &Channel::operator=(Channel &&other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(in_, other.in_);
  std::swap(taken_, other.taken_);
  std::swap(closed_, other.closed_);
  return *this;
}

Channel::~Channel() {
  if (fd_ >= 0) close(fd_);
}

bool Channel::send(MessageKind kind, const std::string &body) {
  ByteWriter writer;
  writer.put(static_cast<uint64_t>(body.size()));
  writer.put(kind);
  std::string all = writer.take() + body;
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

std::optional<Message> Channel::complete() {
  ByteReader reader(std::string_view(in_).substr(taken_));
  auto size = reader.get<uint64_t>();
  auto kind = reader.get<MessageKind>();
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

namespace {

void putTest(ByteWriter &out, const TestCase &t) {
  out.putAll(t.inputs, [&](const InputValue &i) {
    out.put(i.kind);
    out.put(i.name);
    out.put(i.data);
  });
  out.putAll(t.symbols, [&](const SymbolValue &s) {
    out.put(s.name);
    out.put(s.data);
  });
  out.put(t.stdoutData);
  out.put(t.stderrData);
  out.put(t.end);
  out.put(t.status);
  out.put(t.trace.count);
  out.put(t.trace.hash);
  out.putAll(t.trace.checkpoints, [&](const auto &c) {
    out.put(c.first);
    out.put(c.second);
  });
  out.put(t.instructions);
  out.put(t.decisions);
  out.put(t.why);
  out.put(t.path);
  out.put(t.usesExternal);
}

TestCase getTest(ByteReader &in) {
  TestCase t;
  t.inputs = in.all<InputValue>([&] {
    InputValue i;
    i.kind = in.get<int>();
    i.name = in.text();
    i.data = in.data();
    return i;
  });
  t.symbols = in.all<SymbolValue>([&] {
    SymbolValue s;
    s.name = in.text();
    s.data = in.data();
    return s;
  });
  t.stdoutData = in.text();
  t.stderrData = in.text();
  t.end = in.get<EndKind>();
  t.status = in.get<int>();
  t.trace.count = in.get<uint64_t>();
  t.trace.hash = in.get<uint64_t>();
  t.trace.checkpoints = in.all<std::pair<uint64_t, uint64_t>>([&] {
    auto count = in.get<uint64_t>();
    return std::pair{count, in.get<uint64_t>()};
  });
  t.instructions = in.get<uint64_t>();
  t.decisions = in.get<uint32_t>();
  t.why = in.text();
  t.path = in.get<uint64_t>();
  t.usesExternal = in.get<bool>();
  return t;
}

void putFrames(ByteWriter &out, const std::vector<StackFrame> &frames) {
  out.putAll(frames, [&](const StackFrame &f) {
    out.put(f.function);
    out.put(f.file);
    out.put(f.line);
    out.put(f.column);
    out.put(f.own);
  });
}

std::vector<StackFrame> getFrames(ByteReader &in) {
  return in.all<StackFrame>([&] {
    StackFrame f;
    f.function = in.text();
    f.file = in.text();
    f.line = in.get<uint32_t>();
    f.column = in.get<uint32_t>();
    f.own = in.get<bool>();
    return f;
  });
}

/// Calls f for every number of the statistics, in one order for writing and reading.
template <typename S, typename F> void eachNumber(S &s, F f) {
  f(s.wallSeconds), f(s.instructions), f(s.states), f(s.forks), f(s.pathsCompleted), f(s.tests),
      f(s.bugs), f(s.partialTests), f(s.liveStates), f(s.pathsTerminatedEarly),
      f(s.replayedInstructions), f(s.queries), f(s.solverSeconds), f(s.peakMemoryBytes),
      f(s.branchesCovered), f(s.branchesTotal), f(s.linesCovered), f(s.linesTotal), f(s.symbols),
      f(s.externalCalls), f(s.concretizations), f(s.pointerForks), f(s.pointerItes),
      f(s.pointerConcretized), f(s.stop);
}
template <typename S, typename F> void eachStageNumber(S &s, F f) {
  f(s.asked), f(s.sat), f(s.unsat), f(s.assumed), f(s.unknown), f(s.passedOn), f(s.seconds);
}

} // namespace

std::string encode(const TestCase &test) {
  ByteWriter out;
  putTest(out, test);
  return out.take();
}
bool decode(const std::string &body, TestCase &test) {
  ByteReader in(body);
  test = getTest(in);
  return in.ok();
}

std::string encode(const Bug &bug) {
  ByteWriter out;
  out.put(bug.kind);
  out.put(bug.message);
  putFrames(out, bug.stack);
  putFrames(out, bug.related);
  putTest(out, bug.test);
  return out.take();
}
bool decode(const std::string &body, Bug &bug) {
  ByteReader in(body);
  bug.kind = in.get<BugKind>();
  bug.message = in.text();
  bug.stack = getFrames(in);
  bug.related = getFrames(in);
  bug.test = getTest(in);
  return in.ok();
}

std::string encode(const Stats &stats) {
  ByteWriter out;
  eachNumber(stats, [&](auto n) { out.put(n); });
  out.putAll(stats.stages, [&](const solver::StageStats &stage) {
    out.put(stage.name);
    eachStageNumber(stage, [&](auto n) { out.put(n); });
  });
  return out.take();
}
bool decode(const std::string &body, Stats &stats) {
  ByteReader in(body);
  eachNumber(stats, [&](auto &n) { n = in.get<std::remove_reference_t<decltype(n)>>(); });
  stats.stages = in.all<solver::StageStats>([&] {
    solver::StageStats stage;
    stage.name = in.text();
    eachStageNumber(stage, [&](auto &n) { n = in.get<std::remove_reference_t<decltype(n)>>(); });
    return stage;
  });
  return in.ok();
}

std::string encode(const Ledger &ledger) {
  ByteWriter out;
  out.putAll(ledger.entries(), [&](const auto &entry) {
    out.put(entry.first.category);
    out.put(entry.first.location);
    out.put(entry.first.detail);
    out.put(entry.second);
  });
  return out.take();
}
bool decode(const std::string &body, Ledger &ledger) {
  ByteReader in(body);
  for (auto n = in.get<uint64_t>(); n && in.ok(); n--) {
    std::string category = in.text(), location = in.text(), detail = in.text();
    ledger.add(category, location, detail, in.get<uint64_t>());
  }
  return in.ok();
}

std::string encode(const std::vector<std::string> &logs) {
  ByteWriter out;
  out.putAll(logs, [&](const std::string &log) { out.put(log); });
  return out.take();
}
bool decode(const std::string &body, std::vector<std::string> &logs) {
  ByteReader in(body);
  logs = in.all<std::string>([&] { return in.text(); });
  return in.ok();
}

std::string encode(const std::vector<uint32_t> &numbers) {
  ByteWriter out;
  out.putAll(numbers, [&](uint32_t n) { out.put(n); });
  return out.take();
}
bool decode(const std::string &body, std::vector<uint32_t> &numbers) {
  ByteReader in(body);
  numbers = in.all<uint32_t>([&] { return in.get<uint32_t>(); });
  return in.ok();
}

} // namespace fathom::explore
