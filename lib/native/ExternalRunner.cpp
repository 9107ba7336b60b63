// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/ExternalRunner.h"

#include "native/Transfer.h"

#include "../../runtime/native/external.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace fathom::native {

using Clock = std::chrono::steady_clock;

ExternalArgument ExternalArgument::real(double value) {
  return {ExternalType::Double, std::bit_cast<uint64_t>(value), {}, 0};
}
ExternalArgument ExternalArgument::single(float value) {
  return {ExternalType::Float, std::bit_cast<uint32_t>(value), {}, 0};
}

namespace {

void append(std::vector<uint8_t> &out, const void *data, size_t size) {
  auto *bytes = static_cast<const uint8_t *>(data);
  out.insert(out.end(), bytes, bytes + size);
}

} // namespace

ExternalRunner::~ExternalRunner() {
  if (socket_ >= 0) close(socket_);
}

std::string ExternalRunner::start() {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
    return fmt::format("socketpair: {}", strerror(errno));
  Command command;
  command.program = options_.helper;
  command.arguments = {"fathom-native-helper"};
  for (const std::string &library : options_.libraries) command.arguments.push_back(library);
  command.inheritEnvironment = true; // LD_LIBRARY_PATH
  command.descriptors = {{pair[1], FATHOM_EXTERNAL_SOCKET}};
  rowsLoaded_ = false;
  if (shared_.make()) command.descriptors.push_back({shared_.file(), FATHOM_EXTERNAL_SHARED});
  command.limits.memoryBytes = options_.memoryBytes;
  command.captureOutput = true;
  command.isSubject = true;
  llvm::Expected<Child> child = Child::start(command);
  close(pair[1]);
  if (!child) {
    close(pair[0]);
    return llvm::toString(child.takeError());
  }
  ++starts_;
  child_.emplace(std::move(*child));
  socket_ = pair[0];
  uint32_t hello = 0;
  if (transfer(socket_, &hello, sizeof hello, /*sending=*/false,
               Clock::now() + std::chrono::seconds(10)) == Transfer::Done &&
      hello == FATHOM_EXTERNAL_HELLO)
    return "";
  child_->waitFor(std::chrono::milliseconds(100));
  child_->kill();
  Outcome o = child_->wait();
  child_.reset();
  close(socket_);
  socket_ = -1;
  std::string said = o.output.substr(0, o.output.find('\n'));
  return said.empty() ? fmt::format("{}: {}", options_.helper, describe(o)) : said;
}

ExternalResult ExternalRunner::afterFailure(bool timedOut) {
  ExternalResult result;
  // A process that is going down closes its socket a little before it is dead.
  if (!timedOut) child_->waitFor(std::chrono::seconds(2));
  child_->kill();
  Outcome o = child_->wait();
  child_.reset();
  close(socket_);
  socket_ = -1;
  result.status = o.status;
  result.kind = timedOut                          ? ExternalResult::Kind::Timeout
                : o.kind == Outcome::Kind::Exited ? ExternalResult::Kind::Exited
                                                  : ExternalResult::Kind::Crash;
  return result;
}

ExternalResult ExternalRunner::call(const std::string &name,
                                    const std::vector<ExternalArgument> &arguments,
                                    ExternalType type, std::chrono::milliseconds timeout,
                                    bool apart) {
  return this->call(Call{name, arguments, type, -1}, timeout, apart);
}

ExternalResult ExternalRunner::call(const Call &call, std::chrono::milliseconds timeout,
                                    bool apart) {
  return exchange({&call, 1}, timeout, apart);
}

ExternalResult ExternalRunner::callInTurn(std::span<const Call> calls,
                                          std::chrono::milliseconds timeout) {
  return exchange(calls, timeout, /*apart=*/true);
}

/// The request for one call. Returns "" or what is wrong.
static std::string appendRequest(std::vector<uint8_t> &message, const ExternalRunner::Call &call,
                                 uint32_t flags, std::chrono::milliseconds timeout,
                                 uint64_t number) {
  if (call.arguments.size() > FATHOM_EXTERNAL_MAX_ARGUMENTS ||
      call.name.size() > FATHOM_EXTERNAL_MAX_NAME)
    return fmt::format("{}: {} arguments, expected at most {}", call.name.substr(0, 100),
                       call.arguments.size(), int{FATHOM_EXTERNAL_MAX_ARGUMENTS});
  fathom_request request{static_cast<uint32_t>(call.name.size()),
                         static_cast<uint32_t>(call.arguments.size()),
                         static_cast<uint32_t>(call.result),
                         flags,
                         static_cast<uint32_t>(timeout.count()),
                         0,
                         static_cast<uint32_t>(call.errnoMemory + 1),
                         0,
                         number};
  append(message, &request, sizeof request);
  append(message, call.name.data(), call.name.size());
  for (const ExternalArgument &a : call.arguments) {
    if (a.buffer.size() > FATHOM_EXTERNAL_MAX_BYTES)
      return fmt::format("{}: a buffer of {} bytes, expected at most {}", call.name,
                         a.buffer.size(), int{FATHOM_EXTERNAL_MAX_BYTES});
    fathom_argument argument{static_cast<uint32_t>(a.type), 0, a.bits, a.address, a.buffer.size()};
    append(message, &argument, sizeof argument);
    append(message, a.buffer.data(), a.buffer.size());
  }
  return "";
}

ExternalResult ExternalRunner::exchange(std::span<const Call> calls,
                                        std::chrono::milliseconds timeout, bool apart) {
  ExternalResult result;
  std::vector<uint8_t> message;
  ++requests_;
  for (size_t i = 0; i < calls.size() && result.error.empty(); ++i)
    result.error = appendRequest(message, calls[i],
                                 (apart ? unsigned{FATHOM_EXTERNAL_APART} : 0) |
                                     (i + 1 < calls.size() ? unsigned{FATHOM_EXTERNAL_MORE} : 0),
                                 timeout, requests_);
  if (result.error.empty() && !child_) result.error = start();
  if (!result.error.empty()) return result;

  // A call apart is ended by its own process; this is for when that one is in trouble itself.
  auto deadline = Clock::now() + (apart ? 2 * timeout + std::chrono::seconds(1) : timeout);
  const Call &last = calls.back();
  fathom_reply reply{};
  Transfer t = transfer(socket_, message.data(), message.size(), /*sending=*/true, deadline);
  if (t == Transfer::Done) t = transfer(socket_, &reply, sizeof reply, /*sending=*/false, deadline);
  if (t == Transfer::Done && reply.number != requests_) {
    afterFailure(/*timedOut=*/true); // what else is on the way is not known
    result.error = fmt::format("{}: it wrote where its results go", last.name);
    return result;
  }
  if (t == Transfer::Done && reply.status == FATHOM_EXTERNAL_DONE) {
    for (const ExternalArgument &a : last.arguments) {
      if (a.type < ExternalType::Buffer) continue;
      std::vector<uint8_t> &back = result.buffers.emplace_back(a.buffer.size());
      if (t == Transfer::Done)
        t = transfer(socket_, back.data(), back.size(), /*sending=*/false, deadline);
    }
  }
  if (t != Transfer::Done) return afterFailure(t == Transfer::Timeout);
  // It would take the rest of the requests for new ones.
  if (calls.size() > 1 && reply.status != FATHOM_EXTERNAL_DONE) afterFailure(/*timedOut=*/true);
  switch (reply.status) {
  case FATHOM_EXTERNAL_DONE: result.kind = ExternalResult::Kind::Done; break;
  case FATHOM_EXTERNAL_NOT_FOUND: result.kind = ExternalResult::Kind::NotFound; break;
  case FATHOM_EXTERNAL_WROTE_OUTSIDE: result.kind = ExternalResult::Kind::WroteOutside; break;
  case FATHOM_EXTERNAL_CRASHED: result.kind = ExternalResult::Kind::Crash; break;
  case FATHOM_EXTERNAL_EXITED: result.kind = ExternalResult::Kind::Exited; break;
  case FATHOM_EXTERNAL_TIMED_OUT: result.kind = ExternalResult::Kind::Timeout; break;
  default: result.error = fmt::format("{}: the helper does not take this call", last.name); break;
  }
  result.status = static_cast<int>(reply.detail);
  result.integer = last.result == ExternalType::Integer ? reply.integer : 0;
  result.realBits = reply.real;
  if (last.result == ExternalType::Double) result.real = std::bit_cast<double>(result.realBits);
  if (last.result == ExternalType::Float)
    result.real = std::bit_cast<float>(static_cast<uint32_t>(result.realBits));
  return result;
}

// --- many calls
// ----------------------------------------------------------------------------------------

static uint64_t sumOf(const std::vector<uint64_t> &sizes) {
  uint64_t sum = 0;
  for (uint64_t size : sizes) sum += size;
  return sum;
}
uint64_t ExternalRunner::Many::inputBytes() const {
  return 8 * (arguments.size() + blocks.size()) + sumOf(blocks);
}
uint64_t ExternalRunner::Many::replyBytes() const { return sizeof(ManyReply) + sumOf(blocks); }

size_t ExternalRunner::callMany(const Many &many, std::span<const uint8_t> in,
                                std::span<uint8_t> out, size_t calls,
                                std::chrono::milliseconds timeout) {
  const uint64_t memory = sumOf(many.blocks), reply = sizeof(fathom_reply) + memory;
  const uint64_t inputBytes = many.inputBytes();
  const size_t most =
      std::min<uint64_t>(FATHOM_EXTERNAL_MANY_BYTES / std::max<uint64_t>(inputBytes, 1),
                         FATHOM_EXTERNAL_MANY_BYTES / reply);
  const size_t arguments = many.arguments.size() + many.blocks.size();
  if (!most || arguments > FATHOM_EXTERNAL_MAX_ARGUMENTS ||
      many.name.size() > FATHOM_EXTERNAL_MAX_NAME)
    return 0;
  std::vector<uint8_t> message, replies;
  size_t done = 0;
  while (done < calls) {
    if (!child_ && !start().empty()) return done;
    const size_t now = std::min(most, calls - done);
    message.clear();
    fathom_request request{static_cast<uint32_t>(many.name.size()),
                           static_cast<uint32_t>(arguments),
                           static_cast<uint32_t>(ExternalType::Integer),
                           FATHOM_EXTERNAL_MANY,
                           static_cast<uint32_t>(timeout.count()),
                           static_cast<uint32_t>(now),
                           static_cast<uint32_t>(many.errnoMemory + 1),
                           0,
                           ++requests_};
    append(message, &request, sizeof request);
    append(message, many.name.data(), many.name.size());
    for (ExternalType type : many.arguments) {
      fathom_argument argument{static_cast<uint32_t>(type), 0, 0, 0, 0};
      append(message, &argument, sizeof argument);
    }
    for (uint64_t size : many.blocks) {
      fathom_argument argument{FATHOM_EXTERNAL_BLOCK, 0, 0, 0, size};
      append(message, &argument, sizeof argument);
    }
    append(message, in.data() + done * inputBytes, now * inputBytes);
    replies.resize(now * reply);
    // One of them may take all the time there is; the others are short then.
    const auto deadline = Clock::now() + timeout;
    Transfer t = transfer(socket_, message.data(), message.size(), /*sending=*/true, deadline);
    if (t == Transfer::Done)
      t = transfer(socket_, replies.data(), replies.size(), /*sending=*/false, deadline);
    if (t != Transfer::Done) {
      afterFailure(t == Transfer::Timeout);
      return done;
    }
    for (size_t i = 0; i < now; ++i, ++done) {
      fathom_reply r;
      memcpy(&r, replies.data() + i * reply, sizeof r);
      if (r.number != requests_) {
        afterFailure(/*timedOut=*/true);
        return done;
      }
      ManyReply made{r.status == FATHOM_EXTERNAL_DONE ? ExternalResult::Kind::Done
                     : r.status == FATHOM_EXTERNAL_WROTE_OUTSIDE
                         ? ExternalResult::Kind::WroteOutside
                     : r.status == FATHOM_EXTERNAL_NOT_FOUND ? ExternalResult::Kind::NotFound
                                                             : ExternalResult::Kind::Failed,
                     r.integer, r.real};
      uint8_t *to = out.data() + done * many.replyBytes();
      memcpy(to, &made, sizeof made);
      memcpy(to + sizeof made, replies.data() + i * reply + sizeof r, memory);
    }
  }
  return done;
}

} // namespace fathom::native
