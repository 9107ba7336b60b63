// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/Tcp.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fathom::native {

namespace {

constexpr int kBacklog = 1024; ///< a job array starts all its workers at once
constexpr int kIdleSeconds = 30, kProbeSeconds = 10, kProbes = 6, kUnansweredMs = 90000;

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses addressesOf(const Endpoint &endpoint, int flags, std::string &error) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = flags;
  addrinfo *found = nullptr;
  if (const int status = getaddrinfo(endpoint.host.empty() ? nullptr : endpoint.host.c_str(),
                                     endpoint.port.c_str(), &hints, &found))
    error = status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status);
  return {found, freeaddrinfo};
}

void set(int fd, int level, int option, int value) {
  setsockopt(fd, level, option, &value, sizeof value);
}

void tune(int fd) {
  set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(fd, IPPROTO_TCP, TCP_KEEPIDLE, kIdleSeconds);
  set(fd, IPPROTO_TCP, TCP_KEEPINTVL, kProbeSeconds);
  set(fd, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
  set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, kUnansweredMs);
}

/// A socket for the first address with which `use` succeeds.
template <typename Use>
int firstThat(const Endpoint &endpoint, int flags, std::string &error, Use use) {
  const Addresses addresses = addressesOf(endpoint, flags, error);
  for (const addrinfo *a = addresses.get(); a; a = a->ai_next) {
    const int fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
    if (fd >= 0 && use(fd, *a)) return fd;
    error = strerror(errno);
    if (fd >= 0) close(fd);
  }
  return -1;
}

} // namespace

std::string Endpoint::text() const {
  return (host.find(':') == std::string::npos ? host : "[" + host + "]") + ":" + port;
}

std::optional<Endpoint> endpointFrom(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const std::string port(text.substr(colon + 1));
  const bool hasBrackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (hasBrackets) host = host.substr(1, host.size() - 2);
  const bool isNumber = !port.empty() && port.size() <= 5 &&
                        std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
  if (host.empty() || (!hasBrackets && host.find_first_of("[]:") != std::string_view::npos) ||
      !isNumber || std::stoul(port) > 65535)
    return std::nullopt;
  return Endpoint{std::string(host), port};
}

int listenOn(const Endpoint &endpoint, std::string &error) {
  const int fd = firstThat(endpoint, AI_PASSIVE, error, [](int fd, const addrinfo &a) {
    set(fd, SOL_SOCKET, SO_REUSEADDR, 1); // connections of an earlier run may still be closing
    return bind(fd, a.ai_addr, a.ai_addrlen) == 0 && listen(fd, kBacklog) == 0;
  });
  if (fd >= 0) fcntl(fd, F_SETFL, O_NONBLOCK);
  return fd;
}

int connectTo(const Endpoint &endpoint, std::string &error) {
  const int fd = firstThat(endpoint, 0, error, [](int fd, const addrinfo &a) {
    return connect(fd, a.ai_addr, a.ai_addrlen) == 0;
  });
  if (fd >= 0) tune(fd);
  return fd;
}

int acceptFrom(int listening, std::string &from) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  const int fd = accept4(listening, reinterpret_cast<sockaddr *>(&address), &size, SOCK_CLOEXEC);
  if (fd < 0) return -1;
  tune(fd);
  char host[NI_MAXHOST] = "?";
  getnameinfo(reinterpret_cast<sockaddr *>(&address), size, host, sizeof host, nullptr, 0,
              NI_NUMERICHOST);
  from = host;
  return fd;
}

std::string ownName() {
  char name[HOST_NAME_MAX + 1] = "localhost";
  gethostname(name, sizeof name);
  return name;
}

unsigned portOf(int listening) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(listening, reinterpret_cast<sockaddr *>(&address), &size) != 0) return 0;
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6 *>(&address)->sin6_port
                                             : reinterpret_cast<sockaddr_in *>(&address)->sin_port);
}

} // namespace fathom::native
