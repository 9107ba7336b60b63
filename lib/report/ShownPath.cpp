// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/ShownPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace fathom::report {

std::string shownPath(llvm::StringRef file) {
  llvm::SmallString<256> here;
  if (llvm::sys::fs::current_path(here)) return file.str();
  if (here.back() != '/') here += '/'; // /a is no folder of /ab
  file.consume_front(here);
  return file.str();
}

} // namespace fathom::report
