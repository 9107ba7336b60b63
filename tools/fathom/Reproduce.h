// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of confirmed reports: written as folders of bugs, and run on the native program.
#ifndef FATHOM_TOOLS_REPRODUCE_H
#define FATHOM_TOOLS_REPRODUCE_H

#include "Command.h"

#include "confirm/Defect.h"
#include "report/NativeVariant.h"

#include <optional>
#include <string>
#include <vector>

namespace fathom::tool {

class Reproducer {
public:
  /// \param programs  all that reports are about
  /// \param folder  where DIR/bugs/000001 and so on are written, a free folder or, with `force`, an
  ///                earlier run's; "": inputs are run, and not kept.
  /// Throws UsageError: the folder is no such.
  Reproducer(const std::vector<std::string> &programs, std::string folder, bool force,
             const Invocation &invocation, Log &log);
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
  std::string write(const explore::Bug &bug);

  std::vector<std::string> programs_, arguments_;
  std::string folder_;
  bool isKept_;
  Log &log_;
  std::optional<report::NativeVariant> variant_; ///< made when it is first needed
};

} // namespace fathom::tool
#endif
