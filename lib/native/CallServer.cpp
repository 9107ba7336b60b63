// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/CallServer.h"

#include "native/Transfer.h"

#include "../../runtime/native/external.h"
#include "support/TextError.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace fathom::native {

namespace {

constexpr std::chrono::seconds kStartTime{10};

int newSocket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

/// As a program does that calls nothing: is the process there, and one of ours?
bool greets(const sockaddr_un &address) {
  const int fd = newSocket();
  if (fd < 0) return false;
  uint32_t hello = 0;
  const bool isThere =
      connect(fd, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 &&
      transfer(fd, &hello, sizeof hello, /*sending=*/false,
               std::chrono::steady_clock::now() + kStartTime) == Transfer::Done &&
      hello == FATHOM_EXTERNAL_HELLO;
  close(fd);
  return isThere;
}

} // namespace

llvm::Expected<CallServer> CallServer::start(const CallServerOptions &options) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (options.socket.size() >= sizeof address.sun_path)
    return textError(
        fmt::format("{}: the name of a socket has {} bytes, expected at most {} (TMPDIR "
                    "says where it is)",
                    options.socket, options.socket.size(), sizeof address.sun_path - 1));
  memcpy(address.sun_path, options.socket.c_str(), options.socket.size() + 1);
  const int listener = newSocket();
  if (listener < 0 ||
      bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0 ||
      listen(listener, /*backlog=*/128) != 0) {
    const int error = errno;
    if (listener >= 0) close(listener);
    return textError(fmt::format("cannot listen at {}: {}", options.socket, strerror(error)));
  }
  Command command;
  command.program = options.helper;
  command.arguments = {"fathom-native-helper", "--calls"};
  for (const std::string &library : options.libraries) command.arguments.push_back(library);
  command.inheritEnvironment = true; // LD_LIBRARY_PATH
  command.keepRandomization = true;  // programs have none: so it is not where they are
  command.descriptors = {{listener, FATHOM_EXTERNAL_SOCKET}};
  command.captureOutput = true;
  command.limits.fileBytes = uint64_t(16) << 20; // of what libraries print
  llvm::Expected<Child> child = Child::start(command);
  close(listener); // when the server ends, waiting clients then notice
  if (!child) return child.takeError();
  if (greets(address)) return CallServer(std::move(*child));
  child->waitFor(std::chrono::milliseconds(100));
  child->kill();
  const Outcome o = child->wait();
  const std::string said = o.output.substr(0, o.output.find('\n'));
  return textError(said.empty() ? fmt::format("{}: {}", options.helper, describe(o)) : said);
}

} // namespace fathom::native
