// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/page/PageSource.h"

#include "report/Files.h"
#include "run/page/SourceScan.h"
#include "support/NumberText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace fathom::run::page {

static constexpr uint8_t bitOf(By by) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(by));
}

size_t CoverageBook::fileOf(const std::string &name) {
  const auto [known, isNew] = files_.try_emplace(name, data_.files.size());
  if (isNew) {
    data_.files.emplace_back();
    data_.files.back().name = name;
  }
  return known->second;
}

Side &CoverageBook::sideOf(const SideKey &key, const std::string &file) {
  const auto [known, isNew] = sides_.try_emplace(key, data_.sides.size());
  if (isNew) {
    data_.sides.emplace_back();
    Side &side = data_.sides.back();
    side.file = fileOf(file);
    side.branch = std::get<1>(key), side.side = std::get<2>(key);
  }
  return data_.sides[known->second];
}

void CoverageBook::addCampaign(const CampaignFacts &facts) {
  for (size_t i = 0; i < facts.statements.size(); ++i) {
    const campaign::ElementPlace &at = facts.statements[i];
    if (!at.line || at.file.empty() || i >= facts.blocksOfStatement.size()) continue;
    Line &line = data_.files[fileOf(at.file)].lines[at.line];
    bool isUnreachable = !facts.blocksOfStatement[i].empty();
    for (const uint32_t block : facts.blocksOfStatement[i]) {
      if (facts.isCoveredBlock[block]) line.coveredBy |= bitOf(By::Fuzz);
      isUnreachable = isUnreachable && !facts.blocks[block].unreachable.empty();
    }
    line.isUnreachable = line.isUnreachable || isUnreachable;
  }
  for (size_t i = 0; i < facts.sides.size(); ++i) {
    const campaign::ElementPlace &at = facts.sides[i];
    Side &side = sideOf({facts.program, at.branch, at.side}, at.file);
    side.line = at.line, side.column = at.column, side.function = at.function;
    side.unreachable = at.unreachable;
    side.units += facts.unitsOfSide[i];
    if (facts.isCoveredSide[i]) side.coveredBy |= bitOf(By::Fuzz);
  }
}

void CoverageBook::addExplored(const CampaignFacts &facts, const std::vector<uint32_t> &sides) {
  known_.insert(facts.program);
  for (const uint32_t number : sides) {
    if (number >= facts.sides.size()) continue;
    const campaign::ElementPlace &at = facts.sides[number];
    sideOf({facts.program, at.branch, at.side}, at.file).coveredBy |= bitOf(By::Explore);
  }
}

void CoverageBook::addLcov(const std::string &text, const std::string &program) {
  std::string file;
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.consume_front("SF:")) {
      file = line.str();
    } else if (line.consume_front("DA:")) {
      auto [number, count] = line.split(',');
      uint32_t at = 0;
      uint64_t hits = 0;
      if (number.getAsInteger(10, at) || count.getAsInteger(10, hits) || file.empty()) continue;
      Line &covered = data_.files[fileOf(file)].lines[at];
      if (hits) covered.coveredBy |= bitOf(By::Explore);
    } else if (line.consume_front("BRDA:")) {
      llvm::SmallVector<llvm::StringRef, 4> parts;
      line.split(parts, ',');
      uint32_t at = 0, branch = 0, number = 0;
      uint64_t hits = 0;
      if (parts.size() != 4 || parts[0].getAsInteger(10, at) || parts[1].getAsInteger(10, branch) ||
          parts[2].getAsInteger(10, number))
        continue;
      if (parts[3].getAsInteger(10, hits)) hits = 0; // "-": the branch was not reached
      Side &side = sideOf({program, branch, number}, file);
      side.line = at;
      if (hits) side.coveredBy |= bitOf(By::Explore);
      runs_[{program, branch}] += hits;
    }
  }
}

void CoverageBook::addPlaces() {
  const auto add = [&](const Place &at) {
    // libc's sources are not here.
    if (at.line && !at.file.empty() && !at.file.starts_with("/fathom-")) fileOf(at.file);
  };
  for (const Bug &bug : data_.bugs) {
    add(bug.at);
    for (const Flow &flow : bug.flows)
      for (const Step &step : flow.steps)
        if (!step.isMinor) add(step.at);
    for (const Place &at : bug.alsoAt) add(at);
  }
  for (Report &report : data_.reports) {
    report.at.file = knownName(report.at.file);
    add(report.at);
    for (Flow &flow : report.flows)
      for (Step &step : flow.steps) {
        step.at.file = knownName(step.at.file);
        add(step.at);
      }
  }
}

std::string CoverageBook::knownName(const std::string &name) const {
  if (name.empty() || name[0] == '/' || files_.contains(name)) return name;
  const std::string *found = nullptr;
  for (const auto &[known, number] : files_) {
    if (!known.ends_with("/" + name)) continue;
    if (found) return name; // it could be either
    found = &known;
  }
  return found ? *found : name;
}

std::optional<uint64_t> CoverageBook::runsOf(const std::string &program, uint32_t branch) const {
  const auto known = runs_.find({program, branch});
  return known == runs_.end() ? std::nullopt : std::optional(known->second);
}

bool CoverageBook::isCovered(const std::string &program, uint32_t branch, uint32_t side) const {
  const auto known = sides_.find({program, branch, side});
  return known != sides_.end() && data_.sides[known->second].coveredBy != 0;
}

void CoverageBook::finish() {
  for (File &file : data_.files)
    for (auto &[number, line] : file.lines) {
      if (line.coveredBy) line.isUnreachable = false;
      data_.curve.lines++;
      data_.curve.linesCovered += line.coveredBy != 0;
    }
  std::ranges::sort(data_.sides, [](const Side &a, const Side &b) {
    return std::tie(a.file, a.line, a.branch, a.side) < std::tie(b.file, b.line, b.branch, b.side);
  });
  sides_.clear();
  for (const Side &side : data_.sides) {
    data_.curve.total++;
    data_.curve.covered += side.coveredBy != 0;
    data_.curve.unreachable += !side.coveredBy && !side.unreachable.empty();
  }
  // An exploration that was not replayed tells how many sides it covered, not which.
  data_.curve.isUnion =
      !data_.sides.empty() && std::ranges::all_of(data_.parts, [&](const Part &part) {
        const auto runs = runs_.lower_bound({part.program, 0});
        return part.by != By::Explore || known_.contains(part.program) ||
               (runs != runs_.end() && runs->first.first == part.program);
      });
}

namespace {

/// What a page can hold without being slow to open.
constexpr uint64_t kMostOfFile = 3 << 20, kMostSource = 24 << 20;

class SourceReader {
public:
  SourceReader(const PageRequest &request, PageData &data) : data_(data) {
    for (const std::string &folder : request.sources) addFolder(folder);
    for (const Part &part : data.parts) {
      addFolder(part.directory);
      addFolder(llvm::sys::path::parent_path(part.program).str());
    }
  }

  void read(File &file) {
    if (!isSource(file.name)) {
      file.missing = "its name is not that of a source file";
      return;
    }
    for (const std::string &path : candidates(file.name)) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(path, error)) continue;
      llvm::Expected<std::string> text = report::readFile(path, kMostOfFile);
      if (!text) {
        file.missing = llvm::toString(text.takeError());
        return;
      }
      if (used_ + text->size() > kMostSource) {
        file.missing = "left out: the page already holds 24 MB of source";
        return;
      }
      used_ += text->size();
      file.functions = functionsIn(*text);
      file.text = report::utf8(*text);
      return;
    }
    file.missing = "not found; --source DIR names a folder to look in";
  }

private:
  /// A document that names other files does not get them onto a page.
  static bool isSource(llvm::StringRef name) {
    static const std::set<llvm::StringRef> known{".c",   ".h",   ".cc",  ".hh",  ".cpp", ".hpp",
                                                 ".cxx", ".hxx", ".inc", ".inl", ".def", ".y",
                                                 ".l",   ".s",   ".S",   ".ll",  ".i",   ".m"};
    return known.contains(llvm::sys::path::extension(name));
  }

  void addFolder(const std::string &folder) {
    if (!folder.empty() && std::ranges::find(folders_, folder) == folders_.end())
      folders_.push_back(folder);
  }

  /// The name as it is, then without its first parts below each folder.
  std::vector<std::string> candidates(const std::string &name) const {
    std::vector<std::string> out;
    if (llvm::sys::path::is_absolute(name)) out.push_back(name);
    for (const std::string &folder : folders_)
      for (llvm::StringRef rest = llvm::StringRef(name).ltrim("/"); !rest.empty();
           rest = rest.split('/').second)
        out.push_back(folder + "/" + rest.str());
    if (!llvm::sys::path::is_absolute(name)) out.push_back(name);
    return out;
  }

  PageData &data_;
  std::vector<std::string> folders_;
  uint64_t used_ = 0;
};

} // namespace

void readSources(const PageRequest &request, PageData &data) {
  SourceReader reader(request, data);
  uint64_t missing = 0;
  for (File &file : data.files) {
    reader.read(file);
    missing += !file.text;
  }
  if (missing)
    data.missing.push_back(fmt::format("the text of {} of {}; the section Source says why",
                                       grouped(static_cast<double>(missing)),
                                       counted(data.files.size(), "source file")));
}

} // namespace fathom::run::page
