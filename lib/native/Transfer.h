// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to lib/native: bytes over a socket, with a deadline.
#ifndef FATHOM_NATIVE_TRANSFER_H
#define FATHOM_NATIVE_TRANSFER_H

#include <chrono>
#include <cstddef>

namespace fathom::native {

enum class Transfer { Done, Closed, Timeout };

/// All of it, or what went wrong.
Transfer transfer(int socket, void *data, size_t size, bool sending,
                  std::chrono::steady_clock::time_point deadline);

} // namespace fathom::native
#endif
