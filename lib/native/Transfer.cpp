// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/Transfer.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <poll.h>
#include <sys/socket.h>

namespace fathom::native {

using Clock = std::chrono::steady_clock;

Transfer transfer(int socket, void *data, size_t size, bool sending, Clock::time_point deadline) {
  char *at = static_cast<char *>(data);
  // There is room for most of what is sent; what is received has to be waited for.
  bool isReady = sending;
  while (size) {
    if (!isReady) {
      auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return Transfer::Timeout;
      pollfd fd{socket, static_cast<short>(sending ? POLLOUT : POLLIN), 0};
      int ready = poll(&fd, 1, static_cast<int>(std::min<int64_t>(left, 1000000)));
      if (ready < 0 && errno != EINTR) return Transfer::Closed;
      if (ready <= 0) continue;
    }
    ssize_t n = sending ? send(socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT)
                        : recv(socket, at, size, MSG_DONTWAIT);
    if (n == 0 && !sending) return Transfer::Closed;
    if (n < 0 && errno != EINTR && errno != EAGAIN) return Transfer::Closed;
    isReady = false;
    if (n > 0) {
      at += n;
      size -= static_cast<size_t>(n);
    }
  }
  return Transfer::Done;
}

} // namespace fathom::native
