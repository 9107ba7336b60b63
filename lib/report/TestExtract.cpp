// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/TestExtract.h"

#include "report/SeedFiles.h"
#include "report/TestComp.h"

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
  if (!folder->entries().empty())
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   fmt::format("{}: is not empty; name a new folder", into));
  if (form == TestForm::TestComp)
    if (auto e = folder->write("metadata.xml", testCompMetadata(metadataOf(results))))
      return std::move(e);
  return TestExtract(std::move(*folder), form);
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
  case TestForm::Afl:
    const std::vector<uint8_t> *input = rawInput(whole);
    if (!input) return false;
    error = into_.write(fmt::format("id:{},src:fathom", testName(item.number)),
                        llvm::toStringRef(*input));
    break;
  }
  if (error) return std::move(error);
  return true;
}

} // namespace fathom::report
