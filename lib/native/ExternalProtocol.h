// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ExternalRunner and fathom-native-helper say to each other over a socket: one request, one
// reply. Both are the same build on the same machine, so that numbers are as they lie in memory.
//
//   request  Request, name, then per argument: Argument, and the bytes of a buffer
//   reply    Reply, then the bytes of every buffer, in the same order
#ifndef FATHOM_NATIVE_EXTERNALPROTOCOL_H
#define FATHOM_NATIVE_EXTERNALPROTOCOL_H

#include <cstdint>

namespace fathom::native::protocol {

inline constexpr int kSocket = 3; ///< the helper's descriptor
inline constexpr uint32_t kHello = 0x46544831;
inline constexpr uint64_t kMaxBufferBytes = uint64_t(1) << 28;
inline constexpr uint32_t kMaxArguments = 64, kMaxName = 4096;

enum class Type : uint32_t { Void, Integer, Double, Float, Buffer };
enum class Status : uint32_t { Done, NotFound, BadRequest };

struct Request {
  uint32_t nameBytes;
  uint32_t arguments;
  Type result;
};
struct Argument {
  Type type;
  uint64_t bits;  ///< Integer, Double, Float: as in a register
  uint64_t bytes; ///< Buffer
};
struct Reply {
  Status status;
  uint64_t integer;
  double real;
};

} // namespace fathom::native::protocol
#endif
