// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LinkErrors.h"

namespace fathom::cc {

std::string missingCxx(const std::string &errors, bool linksCxx) {
  static const std::string undefined = "undefined symbol: ";
  for (size_t at = errors.find(undefined); at != std::string::npos;
       at = errors.find(undefined, at + 1)) {
    const size_t begin = at + undefined.size();
    const std::string symbol = errors.substr(begin, errors.find('\n', begin) - begin);
    const bool isOfCxx = symbol.find("std::") != std::string::npos ||
                         symbol.starts_with("operator new") ||
                         symbol.starts_with("operator delete") || symbol.starts_with("__cxa_") ||
                         symbol.starts_with("__gxx_") || symbol.starts_with("vtable for __cxx");
    if (!isOfCxx) continue;
    if (!linksCxx) return "the program has code in C++: link it with fathom-c++, or with -lstdc++";
    // ">>>               OBJECT:(FUNCTION)", which is not the line of the source.
    size_t end = errors.find(":(", begin), start = errors.rfind(' ', end);
    const std::string object = end == std::string::npos || start == std::string::npos
                                   ? "an object"
                                   : errors.substr(start + 1, end - start - 1);
    return object + " was compiled with another C++ library (" + symbol +
           "); compile it with fathom-c++";
  }
  return "";
}

} // namespace fathom::cc
