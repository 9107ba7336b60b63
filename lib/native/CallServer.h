// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that executes functions of the host's shared libraries for programs that run natively
// and have no code of them (runtime/native/stubs.c): tools/fathom-native-helper with --calls. It
// reads and writes the program's memory where that is. All calls of one program see each other's
// effects, and no other program's. A failure in a function becomes one of the calling program: it
// ends by the same signal, with the same status, or not at all.
#ifndef FATHOM_NATIVE_CALLSERVER_H
#define FATHOM_NATIVE_CALLSERVER_H

#include "native/Process.h"

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace fathom::native {

struct CallServerOptions {
  std::string helper;                 ///< path of fathom-native-helper
  std::vector<std::string> libraries; ///< as ExternalRunnerOptions::libraries
  std::string socket; ///< where it listens: a name that is free, of at most 107 bytes, in a folder
                      ///< that is only ours
};

class CallServer {
public:
  /// The server gets the rights of the calling thread (Confine.h), which must outlive it. Errors:
  /// the name of the socket is too long; the process does not start (then the first line of its
  /// output).
  static llvm::Expected<CallServer> start(const CallServerOptions &options);

private:
  explicit CallServer(Child child) : child_(std::move(child)) {}
  Child child_;
};

} // namespace fathom::native
#endif
