// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0, of any analyser, with the extent of each result in its text, so that the document
// can be written back with nothing changed but the results that got a verdict.
#ifndef FATHOM_CONFIRM_SARIFFILE_H
#define FATHOM_CONFIRM_SARIFFILE_H

#include "confirm/ReportFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>

namespace fathom::confirm {

class SarifFile final : public ReportFile {
public:
  using ReportFile::ReportFile;
  /// Finds the results; "" or what is wrong. To be called once, before all below.
  static std::string read(SarifFile &file);

  size_t size() const override { return results_.size(); }
  Defect defect(size_t i) const override;
  const SarifFile *sarif() const override { return this; }

  /// What result i is in the text.
  llvm::StringRef result(size_t i) const {
    return text().substr(results_[i].begin, results_[i].length);
  }
  struct RunExtent {
    llvm::StringRef text;
    size_t firstResult = 0, endResult = 0;
  };
  /// In the order of the text.
  const std::vector<RunExtent> &runs() const { return extents_; }
  /// Writes a part of the text that has the results [first, end). `changed` returns result i in its
  /// new form; none: it stays as it is. Memory: one result's.
  void copy(llvm::StringRef part, size_t first, size_t end,
            llvm::function_ref<std::optional<llvm::json::Value>(size_t i)> changed,
            llvm::raw_ostream &out) const;

private:
  struct Rule {
    std::string id;
    unsigned cwe = 0;
  };
  struct Base {
    std::string uri, base;
  };
  /// What results of a run refer to.
  struct Run {
    std::string tool;
    std::vector<Rule> rules;
    std::map<std::string, unsigned> cweOfRule;
    std::map<std::string, Base> bases;
    std::vector<std::string> artifacts; ///< paths
  };
  struct Result {
    uint64_t begin;
    uint32_t length, run;
  };
  void readRun(llvm::StringRef run);
  std::string pathOf(const Run &run, const llvm::json::Object *artifactLocation) const;
  Place placeOf(const Run &run, const llvm::json::Object *location) const;

  std::vector<Run> runs_;
  std::vector<RunExtent> extents_;
  std::vector<Result> results_;
};

/// The verdict that fathom confirm has given to a result; none: it has none.
std::optional<Verdict> verdictIn(const llvm::json::Object &result);

} // namespace fathom::confirm
#endif
