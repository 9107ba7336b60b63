// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestExtract.h"

#include "report/BugFile.h"
#include "report/RegressionTest.h"
#include "report/SeedFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace fathom::report {

/// Metadata of the run, as far as its run.json has them.
static TestCompMetadata metadataOf(const std::string &results) {
  TestCompMetadata out;
  llvm::Expected<llvm::json::Object> run = readJsonObject(results + "/run.json");
  if (!run) {
    llvm::consumeError(run.takeError());
    return out;
  }
  if (const llvm::json::Array *programs = run->getArray("program"); programs && !programs->empty())
    out.programFile = (*programs)[0].getAsString().value_or("").str();
  if (!out.programFile.empty()) out.programSha256 = sha256(out.programFile);
  out.creationTime = run->getString("started").value_or("").str();
  const llvm::json::Object *options = run->getObject("options");
  if (options)
    if (auto entry = options->getString("entry"); entry && !entry->empty())
      out.entry = entry->str();
  return out;
}

llvm::Expected<TestExtract> TestExtract::create(const std::string &into, TestForm form,
                                                const std::string &results) {
  llvm::Expected<Directory> folder = Directory::openOrCreate(into);
  if (!folder) return folder.takeError();
  if (!isRegression(form) && !folder->entries().empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: is not empty; name a new folder", into));
  TestExtract out(std::move(*folder), form);
  out.use(results);
  if (form == TestForm::TestComp)
    if (auto e = out.into_.write("metadata.xml", testCompMetadata(out.run_))) return std::move(e);
  if (form == TestForm::CTest)
    if (auto e = out.prepareRegression()) return std::move(e);
  return out;
}

void TestExtract::use(const std::string &results) { run_ = metadataOf(results); }

/// CMakeLists.txt, unless it is there: a project may have changed it.
llvm::Error TestExtract::prepareRegression() {
  constexpr const char *kLists = "CMakeLists.txt";
  if (!into_.exists(kLists)) {
    llvm::StringRef program = llvm::sys::path::filename(run_.programFile);
    for (const char *suffix : {".bc", ".ll", ".c"})
      if (program.consume_back(suffix)) break;
    return into_.write(kLists, regressionLists(program.str()));
  }
  llvm::Expected<std::string> text = readFile(into_.path() + "/" + kLists);
  if (!text) return text.takeError();
  if (llvm::StringRef(*text).starts_with(kRegressionHead)) return llvm::Error::success();
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      fmt::format("{}: has a {} of its own; name a folder for these tests alone", into_.path(),
                  kLists));
}

llvm::Expected<bool> TestExtract::addRegression(const Tests::Item &item, const StoredTest &test) {
  std::optional<Finding> bug;
  if (item.isBug) {
    llvm::Expected<Finding> finding = readFinding(item.path);
    if (!finding) return finding.takeError();
    bug = std::move(*finding);
  }
  std::string why = whyNotNative(test, run_.entry == "main" ? "" : run_.entry);
  if (!bug && test.end != explore::EndKind::Exit) why = "have no exit status";
  if (!why.empty()) {
    leftOut_[why]++;
    return false;
  }
  llvm::Expected<RegressionCase> one = regressionCase(test, bug ? &*bug : nullptr, item.number);
  if (!one) return one.takeError();
  if (why = whyAmbiguous(*one, form_ == TestForm::CTest); !why.empty()) {
    leftOut_[why]++;
    return false;
  }
  const std::string name = form_ == TestForm::C ? one->name + ".c" : one->name;
  if (into_.exists(name)) { // by its fingerprint
    leftOut_[added_.contains(name) ? "show the bug of another one" : "are there already"]++;
    return false;
  }
  needingSanitizers_ += !one->sanitizers.empty();
  llvm::Error error = form_ == TestForm::C ? into_.write(name, regressionSource(*one))
                                           : into_.createWhole(name, [&](const Directory &dir) {
                                               return writeRegressionFolder(dir, *one);
                                             });
  if (error) return std::move(error);
  added_.insert(name);
  return true;
}

llvm::Expected<bool> TestExtract::add(const Tests::Item &item, const StoredTest &test) {
  const explore::TestCase whole = testCaseOf(test);
  llvm::Error error = llvm::Error::success();
  switch (form_) {
  case TestForm::Folders:
    error = into_.createWhole(
        item.number ? testName(item.number) : llvm::sys::path::filename(item.path).str(),
        [&](const Directory &dir) { return writeTest(dir, whole, test.inputs, test.bug); });
    break;
  case TestForm::KTest:
    if (llvm::Expected<std::string> bytes = ktestOf(test))
      error = into_.write(fmt::format("test{}.ktest", testName(item.number)), *bytes);
    else
      error = bytes.takeError();
    break;
  case TestForm::TestComp:
    error = into_.write(fmt::format("testcase-{}.xml", item.number),
                        testCompCase(whole, /*coversError=*/false));
    break;
  case TestForm::Afl: {
    const std::vector<uint8_t> *input = rawInput(whole);
    if (!input) {
      leftOut_["have no standard input and no file"]++;
      return false;
    }
    error = into_.write(fmt::format("id:{},src:fathom", testName(item.number)),
                        llvm::toStringRef(*input));
    break;
  }
  case TestForm::CTest:
  case TestForm::C: return addRegression(item, test);
  }
  if (error) return std::move(error);
  return true;
}

} // namespace fathom::report
