// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of confirmed reports: written as folders of bugs, and run on the native program.
#ifndef FATHOM_RUN_REPRODUCE_H
#define FATHOM_RUN_REPRODUCE_H

#include "confirm/Defect.h"
#include "report/NativeVariant.h"
#include "run/Session.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fathom::run {

class Reproducer {
public:
  /// \param programs  all that reports are about
  /// \param folder  where DIR/bugs/000001 and so on are written, a free folder or, with `force`, an
  ///                earlier run's; "": inputs are run, and not kept.
  /// A UsageError: the folder is no such.
  static llvm::Expected<std::unique_ptr<Reproducer>>
  make(const std::vector<std::string> &programs, const std::string &folder, bool force,
       const std::vector<std::string> &commandLine, Session &session);
  ~Reproducer();
  Reproducer(const Reproducer &) = delete;
  Reproducer &operator=(const Reproducer &) = delete;

  /// The one that the next bugs are of, as the loader takes it, and what it is started with.
  void use(std::vector<std::string> program, std::vector<std::string> arguments);
  /// Writes the input. What goes wrong is a warning, here and below. Several processes may do so at
  /// once.
  confirm::Reproduction keep(const explore::Bug &bug);
  /// Runs the program on it in a directory of its own, as fathom replay does (docs/replay.md).
  void run(confirm::Reproduction &native);

private:
  Reproducer(std::string folder, bool isKept, Session &session)
      : folder_(std::move(folder)), isKept_(isKept), session_(session) {}
  llvm::Expected<std::string> write(const explore::Bug &bug);
  llvm::Error replay(confirm::Reproduction &native);

  std::vector<std::string> programs_, arguments_;
  std::string folder_;
  bool isKept_;
  Session &session_;
  std::optional<report::NativeVariant> variant_; ///< made when it is first needed
};

} // namespace fathom::run
#endif
