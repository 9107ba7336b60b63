// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/ReportPaths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace fathom::confirm {

using llvm::StringRef;

std::string pathOfUri(StringRef uri) {
  // file:///path, file://localhost/path, and file:/path, which RFC 8089 allows too.
  if (uri.consume_front("file://"))
    uri.consume_front("localhost");
  else
    uri.consume_front("file:");
  std::string out;
  for (size_t i = 0; i < uri.size(); ++i) {
    unsigned byte = 0;
    if (uri[i] == '%' && i + 2 < uri.size() && !uri.substr(i + 1, 2).getAsInteger(16, byte)) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += uri[i];
    }
  }
  return out;
}

std::string programPath(StringRef path, const PathMap &map) {
  const auto normal = [](StringRef text) {
    llvm::SmallString<128> out(text);
    llvm::sys::path::remove_dots(out, /*remove_dot_dot=*/true);
    return out.str().str();
  };
  std::string out = normal(path);
  for (auto &[from, to] : map) {
    const std::string old = normal(StringRef(from).rtrim('/'));
    StringRef rest = out;
    if (old != "." && (!rest.consume_front(old) || (!rest.empty() && rest[0] != '/'))) continue;
    out = normal((StringRef(to).rtrim('/') + "/" + rest.ltrim('/')).str());
    break;
  }
  StringRef relative = out;
  while (relative.consume_front("../")) {
  }
  return relative.str();
}

} // namespace fathom::confirm
