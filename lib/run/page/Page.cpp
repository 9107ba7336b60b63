// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/Page.h"

#include "report/Files.h"
#include "run/Failure.h"
#include "run/Installation.h"
#include "run/OutputFile.h"
#include "run/page/ExplorationFlow.h"
#include "run/page/PageBlockers.h"
#include "run/page/PageBugs.h"
#include "run/page/PageCurve.h"
#include "run/page/PageLists.h"
#include "run/page/PageParts.h"
#include "run/page/PageReports.h"
#include "run/page/PageSentence.h"
#include "run/page/PageSource.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fathom::run::page {

/// Where the data belong in the page (scripts/make-report-page).
static constexpr const char *kMarker = "@FATHOM-DATA@";

/// covered.json of fathom run says which sides the explorer covered; nothing: there is none.
static std::optional<std::vector<uint32_t>> exploredBeside(const std::string &campaign) {
  const std::filesystem::path file = std::filesystem::path(campaign).parent_path() / "covered.json";
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return std::nullopt;
  llvm::Expected<llvm::json::Object> read = report::readJsonObject(file.string());
  if (!read) {
    llvm::consumeError(read.takeError()); // written at a run's end: what there is counts
    return std::nullopt;
  }
  std::vector<uint32_t> out;
  if (const llvm::json::Array *sides = read->getArray("explore"))
    for (const llvm::json::Value &side : *sides)
      if (const auto number = side.getAsUINT64()) out.push_back(static_cast<uint32_t>(*number));
  return out;
}

static void addCoverage(const std::vector<CampaignFacts> &campaigns, CoverageBook &book,
                        PageData &data) {
  for (const CampaignFacts &facts : campaigns) {
    book.addCampaign(facts);
    if (const auto sides = exploredBeside(facts.folder)) book.addExplored(facts, *sides);
  }
  for (const Part &part : data.parts) {
    if (part.by != By::Explore) continue;
    llvm::Expected<std::string> text = report::readFile(part.folder + "/coverage/lcov.info");
    if (text)
      book.addLcov(*text, part.program);
    else
      data.missing.push_back(llvm::toString(text.takeError()));
  }
  book.addPlaces();
}

/// Where there is no campaign, which would know better.
static std::vector<CampaignFacts> exploredFlows(const CoverageBook &book, PageData &data) {
  std::vector<CampaignFacts> out;
  for (const Part &part : data.parts) {
    if (part.by != By::Explore) continue;
    llvm::Expected<CampaignFacts> facts = flowOfExploration(part, book, data);
    if (facts)
      out.push_back(std::move(*facts));
    else
      data.noBlockers =
          "The control flow of the program cannot be read: " + llvm::toString(facts.takeError()) +
          ".";
  }
  return out;
}

llvm::Expected<PageData> collectPage(const PageRequest &request, Session &session) {
  PageData data;
  llvm::Expected<std::vector<std::string>> events = findParts(request, data);
  if (!events) return events.takeError();
  session.observer.progress("reading bugs, reports and tests");
  collectBugs(data);
  if (llvm::Error e = collectReports(data)) return std::move(e);
  collectLedger(data);
  for (const std::string &file : *events) collectEvents(file, data);
  collectTests(data);
  session.observer.progress("reading coverage and sources");
  std::vector<CampaignFacts> campaigns;
  for (const Part &part : data.parts) {
    if (part.by != By::Fuzz) continue;
    llvm::Expected<CampaignFacts> facts = readCampaignFacts(part.folder);
    if (!facts) {
      data.missing.push_back(llvm::toString(facts.takeError()));
      continue;
    }
    facts->program = part.program;
    campaigns.push_back(std::move(*facts));
  }
  CoverageBook book(data);
  addCoverage(campaigns, book, data);
  linkReports(data);
  readSources(request, data);
  if (campaigns.empty()) {
    session.observer.progress("reading the program's control flow");
    collectBlockers(exploredFlows(book, data), book, data);
  } else {
    collectBlockers(campaigns, book, data);
  }
  book.finish();
  session.observer.progress("estimating what is left");
  collectCurve(campaigns, data);
  data.sentences = sentencesOf(data);
  session.observer.endProgress();
  return data;
}

/// The default of --html: in the first folder that there is.
static std::string htmlFile(const PageRequest &request) {
  if (!request.html.empty()) return request.html;
  std::error_code ignored;
  for (const std::string &folder : request.folders)
    if (std::filesystem::is_directory(folder, ignored))
      return (std::filesystem::path(folder) / "report.html").string();
  return "report.html";
}

llvm::Expected<std::string> writePage(const PageRequest &request, const PageData &data) {
  const Installation &here = Installation::get();
  const std::string file = here.build + "/lib/fathom/report.html";
  llvm::Expected<std::string> page = report::readFile(file);
  if (!page) {
    llvm::consumeError(page.takeError());
    return usageError(fmt::format("{} is missing; {}", file, here.remedy));
  }
  const size_t at = page->find(kMarker);
  if (at == std::string::npos)
    return usageError(fmt::format("{} has no place for data; {}", file, here.remedy));
  std::string out = htmlFile(request);
  if (llvm::Error e = writeDocument("--html", out, [&](llvm::raw_ostream &stream) {
        stream << llvm::StringRef(*page).take_front(at) << pageJson(data)
               << llvm::StringRef(*page).drop_front(at + strlen(kMarker));
      }))
    return std::move(e);
  return out;
}

} // namespace fathom::run::page
