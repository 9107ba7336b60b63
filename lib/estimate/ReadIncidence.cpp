// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/ReadIncidence.h"

#include "estimate/FrequencyJson.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

namespace fathom::estimate {

static std::string_view trimmed(std::string_view text) {
  size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// What a message shows of a cell: it may be a megabyte of something else.
static std::string shown(std::string_view text) {
  return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "...";
}

/// Takes one cell and the comma after it off the front (RFC 4180: "" inside of quotes is a quote).
/// False when quotes do not end.
static bool takeCell(std::string_view &rest, std::string &cell, bool &more) {
  cell.clear();
  while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
  if (rest.empty() || rest[0] != '"') {
    size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    cell = trimmed(rest.substr(0, comma));
    rest = more ? rest.substr(comma + 1) : std::string_view();
    return true;
  }
  size_t i = 1;
  for (; i < rest.size(); ++i) {
    if (rest[i] != '"') {
      cell += rest[i];
    } else if (i + 1 < rest.size() && rest[i + 1] == '"') {
      cell += rest[i++];
    } else {
      break;
    }
  }
  if (i >= rest.size()) return false;
  size_t comma = rest.find(',', i);
  more = comma != std::string_view::npos;
  rest = more ? rest.substr(comma + 1) : std::string_view();
  return true;
}

static Result<std::vector<std::string>> readHeader(std::string_view line) {
  if (line.substr(0, 3) == "\xef\xbb\xbf") line.remove_prefix(3); // a byte order mark
  std::vector<std::string> cells;
  std::string cell;
  for (bool more = true; more;) {
    if (!takeCell(line, cell, more)) return Failure{"line 1: a quote that does not end"};
    cells.push_back(cell);
  }
  if (cells[0] != "element")
    return Failure{fmt::format(
        "line 1: the header begins with '{}'; expected element,unit1,unit2,...", shown(cells[0]))};
  if (cells.size() == 1 || cells.back().empty())
    return Failure{
        fmt::format("line 1: {}; expected element,unit1,unit2,...",
                    cells.size() == 1 ? "the header names no unit" : "the last unit has no name")};
  return cells;
}

Result<IncidenceMatrix> readMatrix(std::istream &in) {
  std::string line;
  if (!std::getline(in, line))
    return Failure{"the file is empty; expected a header element,unit1,unit2,..."};
  Result<std::vector<std::string>> header = readHeader(line);
  if (!header) return Failure{header.error()};
  size_t units = header->size() - 1;
  IncidenceMatrix matrix(static_cast<uint32_t>(units));
  std::unordered_map<std::string, size_t> lineOf;
  std::vector<uint32_t> row;
  std::string name;
  for (size_t number = 2; std::getline(in, line); ++number) {
    std::string_view rest = trimmed(line);
    if (rest.empty()) continue;
    bool more = true;
    if (!takeCell(rest, name, more))
      return Failure{fmt::format("line {}: a quote that does not end", number)};
    if (name.empty()) return Failure{fmt::format("line {}: the element has no name", number)};
    row.clear();
    size_t column = 0;
    for (; more; ++column) {
      size_t comma = rest.find(',');
      more = comma != std::string_view::npos;
      std::string_view cell = trimmed(rest.substr(0, comma));
      rest = more ? rest.substr(comma + 1) : std::string_view();
      if (column >= units) continue; // counted below
      if (cell == "1") {
        row.push_back(static_cast<uint32_t>(column));
      } else if (cell != "0") {
        return Failure{fmt::format("line {}, column {} ({}): '{}'; expected 0 or 1", number,
                                   column + 2, shown((*header)[column + 1]), shown(cell))};
      }
    }
    if (column != units)
      return Failure{
          fmt::format("line {}: {} cells after the element's name; the header has {} units", number,
                      column, units)};
    auto [first, isNew] = lineOf.emplace(name, number);
    if (!isNew)
      return Failure{
          fmt::format("line {}: element '{}' is in line {} already; expected one line for "
                      "each element",
                      number, shown(name), first->second)};
    matrix.add(row, name);
  }
  if (in.bad()) return Failure{"reading stopped with an error"};
  return matrix;
}

Result<FrequencyCounts> readFrequencies(std::istream &in) {
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parseFrequencyJson(text);
}

static bool endsWith(const std::string &text, std::string_view end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Result<Incidence> readIncidenceFile(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Failure{fmt::format("{}: {}", path, std::strerror(errno))};
  bool json = endsWith(path, ".json");
  if (!json && !endsWith(path, ".csv")) {
    int c = in.peek();
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      in.get();
      c = in.peek();
    }
    json = c == '{';
    in.clear();
    in.seekg(0);
  }
  Incidence incidence;
  if (json) {
    Result<FrequencyCounts> counts = readFrequencies(in);
    if (!counts) return Failure{path + ": " + counts.error()};
    incidence.counts = std::move(*counts);
    return incidence;
  }
  Result<IncidenceMatrix> matrix = readMatrix(in);
  if (!matrix) return Failure{path + ": " + matrix.error()};
  incidence.counts = tally(*matrix);
  incidence.matrix = std::move(*matrix);
  return incidence;
}

} // namespace fathom::estimate
