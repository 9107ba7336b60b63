// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/work/RemoteWorkers.h"

#include "fmt/format.h"

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace fathom::explore {

namespace {

/// For a guest to say who it is. A program takes as long as it takes to load.
constexpr std::chrono::seconds kToGreet{20};
constexpr uint64_t kMaxGreeting = 4096; ///< bytes
constexpr size_t kMaxGuests = 4096;
/// To so many at once the program is sent: each transfer has its own copy.
constexpr size_t kSendingAtOnce = 16;

} // namespace

std::unique_ptr<RemoteWorkers> RemoteWorkers::listen(const native::Endpoint &at, std::string build,
                                                     std::string key,
                                                     std::function<void(const std::string &)> say,
                                                     std::string &error) {
  std::unique_ptr<RemoteWorkers> out(
      new RemoteWorkers(std::move(build), std::move(key), std::move(say)));
  out->fd_ = native::listenOn(at, error);
  if (out->fd_ < 0) return nullptr;
  out->address_ = {at.host.empty() ? native::ownName() : at.host,
                   std::to_string(native::portOf(out->fd_))};
  return out;
}

RemoteWorkers::~RemoteWorkers() { close(); }

void RemoteWorkers::abandon() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  guests_.clear();
}

void RemoteWorkers::close() {
  for (Guest &guest : guests_) guest.channel.post(MessageKind::Over);
  abandon();
}

void RemoteWorkers::offer(std::string body, uint64_t fingerprint) {
  parcel_ = {makeNonce(), std::move(body)};
  fingerprint_ = fingerprint;
}

void RemoteWorkers::addTo(std::vector<pollfd> &fds) const {
  if (fd_ >= 0) fds.push_back({fd_, POLLIN, 0});
  for (const Guest &guest : guests_)
    fds.push_back({guest.channel.fd(),
                   static_cast<short>(POLLIN | (guest.channel.pending() ? POLLOUT : 0)), 0});
}

void RemoteWorkers::accept() {
  std::string from;
  while (fd_ >= 0 && guests_.size() < kMaxGuests) {
    const int fd = native::acceptFrom(fd_, from);
    if (fd < 0) return;
    guests_.push_back({Channel(fd), from, WallClock::now(), Step::Greets, {}, {}});
    guests_.back().channel.limitBody(kMaxGreeting);
  }
}

void RemoteWorkers::refuse(Guest &guest, const std::string &why) {
  guest.channel.post(MessageKind::Refused, why);
  say_(fmt::format("a worker from {} was refused: {}", guest.from, why));
  guest.step = Step::Gone;
}

void RemoteWorkers::greet(Guest &guest, const Message &message) {
  if (message.kind != MessageKind::Hello || !decode(message.body, guest.hello) ||
      guest.hello.magic != kWorkerMagic)
    return refuse(guest, "it is no worker of Fathom");
  if (guest.hello.build != build_)
    return refuse(guest, fmt::format("it is {}, and the coordinator is {}; both have to be the "
                                     "same build",
                                     guest.hello.build, build_));
  guest.nonce = makeNonce();
  guest.channel.post(MessageKind::Challenge,
                     encode(Challenge{guest.nonce, proofOf(key_, kCoordinatorRole,
                                                           guest.hello.nonce, guest.nonce)}));
  guest.step = Step::Proves;
}

void RemoteWorkers::handle(Guest &guest, const Message &message) {
  switch (guest.step) {
  case Step::Greets: return greet(guest, message);
  case Step::Proves:
    if (message.kind != MessageKind::Proof ||
        !isSame(message.body, proofOf(key_, kWorkerRole, guest.nonce, guest.hello.nonce)))
      return refuse(guest, "it has another key");
    guest.step = Step::Waits;
    return;
  case Step::Loads: {
    std::vector<uint64_t> fingerprint;
    if (message.kind == MessageKind::Failed) return refuse(guest, message.body);
    if (message.kind != MessageKind::Ready || !decode(message.body, fingerprint) ||
        fingerprint.size() != 1 || fingerprint[0] != fingerprint_)
      return refuse(guest,
                    "it has another program: the model of the environment there (runtime.bc) "
                    "or the sysroot differs");
    guest.channel.limitBody(UINT64_MAX);
    guest.step = Step::Ready;
    return;
  }
  default: return refuse(guest, "it spoke out of turn");
  }
}

void RemoteWorkers::sendProgram() {
  auto sending = static_cast<size_t>(std::ranges::count_if(guests_, [](const Guest &guest) {
    return guest.step == Step::Loads && guest.channel.pending();
  }));
  for (Guest &guest : guests_) {
    if (guest.step != Step::Waits || parcel_.name.empty()) continue;
    const bool has = guest.hello.has == parcel_.name;
    if (!has && !guest.hello.has.empty()) {
      refuse(guest, "it has the program of another exploration; start it anew");
      continue;
    }
    if (!has && sending++ >= kSendingAtOnce) return;
    guest.channel.post(MessageKind::Program, encode(has ? Parcel{parcel_.name, {}} : parcel_));
    guest.step = Step::Loads;
  }
}

std::vector<RemoteWorkers::Admitted> RemoteWorkers::admit() {
  accept();
  std::vector<Admitted> ready;
  const auto now = WallClock::now();
  for (Guest &guest : guests_) {
    guest.channel.flush();
    while (guest.step < Step::Ready) {
      const std::optional<Message> message = guest.channel.receive(/*wait=*/false);
      if (!message) break;
      handle(guest, *message);
    }
    if (guest.step == Step::Ready) {
      ready.push_back({std::move(guest.channel), std::move(guest.from)});
      guest.step = Step::Gone;
    } else if (guest.channel.closed() ||
               (guest.step <= Step::Proves && now > guest.since + kToGreet)) {
      guest.step = Step::Gone;
    }
  }
  std::erase_if(guests_, [](const Guest &guest) { return guest.step == Step::Gone; });
  sendProgram();
  return ready;
}

} // namespace fathom::explore
