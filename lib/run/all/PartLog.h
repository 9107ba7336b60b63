// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_RUN_ALL_PARTLOG_H
#define FATHOM_RUN_ALL_PARTLOG_H

#include "run/Session.h"

#include <cstdio>
#include <memory>
#include <string>

namespace fathom::run {

/// What a part says, in a file: logs/PART.log of the results.
class PartLog final : public Observer {
public:
  explicit PartLog(const std::string &file) : file_(std::fopen(file.c_str(), "ae"), std::fclose) {}
  void warn(const std::string &text) override { line("warning: ", text); }
  void note(const std::string &text) override { line("", text); }
  void announce(const std::string &text) override { line("", text); }
  void failed(const std::string &text) { line("error: ", text); }

private:
  void line(const char *kind, const std::string &text) {
    if (!file_) return;
    std::fprintf(file_.get(), "%s%s\n", kind, text.c_str());
    std::fflush(file_.get());
  }
  std::unique_ptr<FILE, int (*)(FILE *)> file_;
};

} // namespace fathom::run
#endif
