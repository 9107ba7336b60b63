// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A leak is seen where the program ends, at the block that nothing points to. A report means one
// block and one place on the way: paths note that they came there. And there are paths on which the
// engine would not see the leak: such rule nothing out.
#ifndef FATHOM_CONFIRM_LEAKSEARCH_H
#define FATHOM_CONFIRM_LEAKSEARCH_H

#include "confirm/CallGraph.h"
#include "confirm/Defect.h"
#include "explore/Options.h"

#include <set>
#include <string>
#include <string_view>

namespace fathom::confirm {

bool isLeak(const Defect &defect);

/// A path came to the report's sink.
inline constexpr std::string_view kSinkNote = "note.sink";
/// Lets paths that begin at `entry` note what is asked of them here.
void addLeakNotes(const CallGraph &calls, const Defect &defect, const program::FunctionCode &entry,
                  explore::ExploreOptions &options);

/// Did a path past the sink end without being told whether the reported block leaks?
class UnseenLeaks {
public:
  UnseenLeaks(const program::Program &program, const CallGraph &calls, const Defect &defect);
  void ended(const explore::TestCase &test);
  /// \param bug  not the reported one
  void leaked(const explore::Bug &bug);
  /// As one clause; "": none did.
  const std::string &why() const { return why_; }

private:
  const bool isLeak_;
  std::set<std::string> near_; ///< functions of the defect's places
  std::string why_;
};

} // namespace fathom::confirm
#endif
