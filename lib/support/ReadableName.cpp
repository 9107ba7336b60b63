// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/ReadableName.h"

#include "llvm/Demangle/Demangle.h"

namespace fathom {

static void removeAll(std::string &text, llvm::StringRef begin, char end) {
  for (size_t at; (at = text.find(begin)) != std::string::npos;) {
    const size_t last = text.find(end, at + begin.size() - 1);
    if (last == std::string::npos) return;
    text.erase(at, last + 1 - at);
  }
}

std::string readableName(llvm::StringRef linkageName) {
  if (!linkageName.starts_with("_Z")) return linkageName.str();
  std::string name = llvm::demangle(linkageName);
  removeAll(name, "[abi:", ']');
  for (size_t at; (at = name.find("std::__1::")) != std::string::npos;)
    name.erase(at + 5, 5); // the namespace of libc++'s version
  return name;
}

} // namespace fathom
