// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Connections between machines. A peer that is gone without a word (its machine lost power) is
// noticed after at most two minutes: the descriptor then reads as closed.
#ifndef FATHOM_NATIVE_TCP_H
#define FATHOM_NATIVE_TCP_H

#include <optional>
#include <string>
#include <string_view>

namespace fathom::native {

struct Endpoint {
  std::string host; ///< a name or an address
  std::string port;
  std::string text() const; ///< HOST:PORT, with brackets around an address that has colons
};

/// "HOST:PORT" or "[ADDRESS]:PORT"; none: it is not of that form, or the port is no number up to
/// 65535.
std::optional<Endpoint> endpointFrom(std::string_view text);

/// Functions return a descriptor that is closed on exec; below 0: `error` says why, without the
/// endpoint.
/// Listens on an address of the host; of no host: on all of this machine. Port 0: a free one, see
/// portOf().
int listenOn(const Endpoint &endpoint, std::string &error);
int connectTo(const Endpoint &endpoint, std::string &error);
/// The next connection; never waits. Below 0: there is none. `from`: the peer's address.
int acceptFrom(int listening, std::string &from);
/// What other machines call this one.
std::string ownName();
/// The port that a descriptor listens on.
unsigned portOf(int listening);

} // namespace fathom::native
#endif
