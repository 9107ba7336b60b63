// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of reports, read as each analyser really writes it:
//
//   SARIF 2.1.0       Fathom, Clang, CodeQL, Infer, newer GCC
//   plist             Clang (--analyzer-output plist, plist-multi-file)
//   JSON              GCC's -fdiagnostics-format=json, Infer's report.json
//   XML, version 2    cppcheck
//
// Only the extent of each report is kept; a report is built from its text when it is asked for. So
// a file with a million of them takes 16 bytes for each, and the pages of the file.
#ifndef FATHOM_CONFIRM_REPORTFILE_H
#define FATHOM_CONFIRM_REPORTFILE_H

#include "confirm/Defect.h"
#include "confirm/ReportPaths.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace fathom::confirm {

class SarifFile;

class ReportFile {
public:
  ReportFile(std::unique_ptr<llvm::MemoryBuffer> buffer, PathMap map)
      : buffer_(std::move(buffer)), map_(std::move(map)) {}
  virtual ~ReportFile() = default;
  virtual size_t size() const = 0;
  /// REQUIRES i < size(). Cost: linear in the report's text.
  virtual Defect defect(size_t i) const = 0;
  virtual const SarifFile *sarif() const { return nullptr; }

  llvm::StringRef text() const { return buffer_->getBuffer(); }

protected:
  /// What every reader does at the end: paths as the program has them, kinds by rule, message and
  /// CWE (0: not said), steps from the source on, without what repeats the sink.
  void complete(Defect &defect, unsigned cwe) const;

private:
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  PathMap map_;
};

/// The form is told by the contents. Errors name the file and what is wrong with it: it cannot be
/// read, is cut, is SARIF of another version, or is none of the forms.
llvm::Expected<std::unique_ptr<ReportFile>> openReports(const std::string &path,
                                                        const PathMap &map);

/// Readers of single forms, for openReports. Errors: one clause without the file's name.
using OpenedReports = llvm::Expected<std::unique_ptr<ReportFile>>;
OpenedReports openSarif(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map);
OpenedReports openJsonList(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map);
OpenedReports openCppcheck(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map);
OpenedReports openPlist(std::unique_ptr<llvm::MemoryBuffer> buffer, const PathMap &map);

/// For readers: members of objects that may be missing.
std::string textOf(const llvm::json::Object *object, llvm::StringRef key);
uint32_t numberOf(const llvm::json::Object *object, llvm::StringRef key);

} // namespace fathom::confirm
#endif
