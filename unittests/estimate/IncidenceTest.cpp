// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "estimate/Incidence.h"

#include "estimate/ReadIncidence.h"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

using namespace fathom;
using namespace fathom::estimate;

static std::string matrixError(const std::string &text) {
  std::istringstream in(text);
  return readMatrix(in).error();
}
static std::string frequencyError(const std::string &text) {
  std::istringstream in(text);
  return readFrequencies(in).error();
}
static IncidenceMatrix matrixOf(const std::string &text) {
  std::istringstream in(text);
  return *readMatrix(in);
}
static std::vector<uint32_t> row(const IncidenceMatrix &matrix, size_t i) {
  return {matrix.row(i).begin(), matrix.row(i).end()};
}

TEST(FrequencyCounts, Totals) {
  FrequencyCounts counts = *FrequencyCounts::make(10, {{3, 2}, {1, 5}, {10, 1}, {4, 0}});
  EXPECT_EQ(counts.observed(), 8u);
  EXPECT_EQ(counts.incidences(), 21u);
  EXPECT_EQ(counts.count(1), 5u);
  EXPECT_EQ(counts.count(2), 0u);
  EXPECT_EQ(counts.count(4), 0u);
  EXPECT_EQ(counts.count(11), 0u);
  EXPECT_EQ(counts.observedUpTo(3), 7u);
  EXPECT_EQ(counts.frequencies().size(), 3u);
}

TEST(FrequencyCounts, Wrong) {
  auto error = [](uint64_t t, std::vector<std::pair<uint64_t, uint64_t>> q) {
    return FrequencyCounts::make(t, std::move(q)).error();
  };
  EXPECT_EQ(error(5, {{0, 3}}), "frequency 0: elements that were never covered are not counted; "
                                "expected 1 to the number of units");
  EXPECT_EQ(error(5, {{6, 1}}), "frequency 6 with 5 units: expected at most the number of units");
  EXPECT_EQ(error(5, {{2, 1}, {2, 4}}), "frequency 2 is given twice");
  EXPECT_NE(error(uint64_t(1) << 50, {{uint64_t(1) << 40, uint64_t(1) << 40}}), "");
}

TEST(Incidence, ReadsMatrix) {
  IncidenceMatrix matrix = matrixOf("\xef\xbb\xbf"
                                    "element,a,b,c\r\n"
                                    "main.c:1,1,0,1\r\n"
                                    "\"f(x, \"\"y\"\")\", 0 ,1,0\r\n"
                                    "\n"
                                    "never,0,0,0\n"
                                    "last,1,1,1");
  EXPECT_EQ(matrix.units(), 3u);
  ASSERT_EQ(matrix.listed(), 4u);
  EXPECT_EQ(matrix.name(1), "f(x, \"y\")");
  EXPECT_EQ(row(matrix, 0), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(row(matrix, 1), (std::vector<uint32_t>{1}));
  EXPECT_EQ(row(matrix, 2), (std::vector<uint32_t>{}));
  EXPECT_EQ(tally(matrix), *FrequencyCounts::make(3, {{1, 1}, {2, 1}, {3, 1}}));
}

TEST(Incidence, WrongMatrix) {
  EXPECT_EQ(matrixError(""), "the file is empty; expected a header element,unit1,unit2,...");
  EXPECT_EQ(matrixError("1,0,1\n"),
            "line 1: the header begins with '1'; expected element,unit1,unit2,...");
  EXPECT_EQ(matrixError("element\nx\n"),
            "line 1: the header names no unit; expected element,unit1,unit2,...");
  EXPECT_EQ(matrixError("element,a,\nx,1,0\n"),
            "line 1: the last unit has no name; expected element,unit1,unit2,...");
  EXPECT_EQ(matrixError("element,a,b\nx,1,2\n"), "line 2, column 3 (b): '2'; expected 0 or 1");
  EXPECT_EQ(matrixError("element,a,b\nx,1,\n"), "line 2, column 3 (b): ''; expected 0 or 1");
  EXPECT_EQ(matrixError("element,a,b\nx,1\n"),
            "line 2: 1 cells after the element's name; the header has 2 units");
  EXPECT_EQ(matrixError("element,a,b\nx\n"),
            "line 2: 0 cells after the element's name; the header has 2 units");
  EXPECT_EQ(matrixError("element,a\nx,1,0\n"),
            "line 2: 2 cells after the element's name; the header has 1 units");
  EXPECT_EQ(matrixError("element,a\nx,1\ny,0\nx,1\n"),
            "line 4: element 'x' is in line 2 already; expected one line for each element");
  EXPECT_EQ(matrixError("element,a\n\"x,1\n"), "line 2: a quote that does not end");
  EXPECT_EQ(matrixError("element,a\n,1\n"), "line 2: the element has no name");
}

TEST(Incidence, ReadsFrequencies) {
  std::istringstream in(R"({"frequencies": {"1": 23, "40": 9, "2": 0}, "units": 121})");
  EXPECT_EQ(*readFrequencies(in), *FrequencyCounts::make(121, {{1, 23}, {40, 9}}));
  std::istringstream nothing(R"({"units": 3, "frequencies": {}})");
  EXPECT_EQ(readFrequencies(nothing)->observed(), 0u);
}

TEST(Incidence, WrongFrequencies) {
  const std::string shape = R"(expected {"units": 121, "frequencies": {"1": 23, "2": 9}})";
  EXPECT_EQ(frequencyError(""), "no JSON at byte 1; " + shape);
  EXPECT_EQ(frequencyError("{\"units\": 3,}"), "no JSON at byte 13; " + shape);
  EXPECT_EQ(frequencyError("[1]"), "the document is a list; " + shape);
  EXPECT_EQ(frequencyError("5"), "the document is a number; " + shape);
  EXPECT_EQ(frequencyError("{\"units\": 3}"), "frequencies is missing; " + shape);
  EXPECT_EQ(frequencyError("{\"frequencies\": {}}"), "units is missing; " + shape);
  EXPECT_EQ(frequencyError("{\"units\": 0, \"frequencies\": {}}"),
            "units is 0; expected at least 1");
  EXPECT_EQ(frequencyError("{\"units\": -3}"),
            "units is -3; expected a number that is not negative");
  EXPECT_EQ(frequencyError("{\"units\": 2.5}"), "units is 2.5; expected a whole number");
  EXPECT_EQ(frequencyError("{\"units\": 2, \"units\": 3}"), "units is given twice");
  EXPECT_EQ(frequencyError("{\"unit\": 2}"), "'unit' is no key of a frequency file; " + shape);
  EXPECT_EQ(frequencyError("{\"units\": 2, \"frequencies\": {\"x\": 1}}"),
            "frequency 'x': expected a number of units");
  EXPECT_EQ(frequencyError("{\"units\": 2, \"frequencies\": {\"1\": \"a\"}}"),
            "frequency '1' is a string; " + shape);
  EXPECT_EQ(frequencyError("{\"units\": 2, \"frequencies\": {\"1\": 1, \"1\": 2}}"),
            "frequency 1 is given twice");
  EXPECT_EQ(frequencyError("{\"units\": 2, \"frequencies\": {\"3\": 1}}"),
            "frequency 3 with 2 units: expected at most the number of units");
  EXPECT_EQ(frequencyError("{\"units\": 2, \"frequencies\": {}, \"frequencies\": {}}"),
            "frequencies is given twice");
  EXPECT_EQ(frequencyError("{\"units\": {}}"), "units is an object; " + shape);
}

// No prefix of a good file is taken for a good file, and none crashes.
TEST(Incidence, CutShort) {
  const std::string good = R"({"units": 121, "frequencies": {"1": 23, "2": 9}})";
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(frequencyError(good.substr(0, size)), "") << size;
}

TEST(Incidence, Regroup) {
  IncidenceMatrix matrix = matrixOf("element,1,2,3,4,5,6,7\n"
                                    "a,1,1,0,0,0,1,0\n"
                                    "b,0,0,0,0,0,0,1\n"
                                    "c,0,1,1,0,0,0,0\n");
  IncidenceMatrix pairs = regroup(matrix, 2);
  EXPECT_EQ(pairs.units(), 3u);
  EXPECT_EQ(row(pairs, 0), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(row(pairs, 1), (std::vector<uint32_t>{})) << "only in the unit that is dropped";
  EXPECT_EQ(row(pairs, 2), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(tally(pairs).observed(), 2u);
  EXPECT_EQ(regroup(matrix, 8).units(), 0u);
  EXPECT_EQ(tally(regroup(matrix, 1)), tally(matrix));
}

TEST(Incidence, RegroupTwiceIsOnce) {
  Rng rng(5);
  IncidenceMatrix matrix(48);
  for (int i = 0; i < 100; ++i) {
    std::vector<uint32_t> units;
    for (uint32_t j = 0; j < 48; ++j)
      if (rng.below(20) == 0) units.push_back(j);
    matrix.add(units);
  }
  IncidenceMatrix once = regroup(matrix, 6), twice = regroup(regroup(matrix, 2), 3);
  ASSERT_EQ(once.units(), twice.units());
  for (size_t i = 0; i < 100; ++i) EXPECT_EQ(row(once, i), row(twice, i));
}

TEST(Incidence, SelectUnits) {
  IncidenceMatrix matrix = matrixOf("element,1,2,3\na,1,0,0\nb,0,1,1\n");
  std::vector<uint32_t> order{2, 0, 0, 2};
  IncidenceMatrix chosen = selectUnits(matrix, order);
  EXPECT_EQ(chosen.units(), 4u);
  EXPECT_EQ(row(chosen, 0), (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(row(chosen, 1), (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(chosen.name(1), "b");
  Rng rng(1);
  std::vector<uint32_t> random = randomOrder(50, rng);
  std::sort(random.begin(), random.end());
  for (uint32_t i = 0; i < 50; ++i) EXPECT_EQ(random[i], i);
}

TEST(Incidence, UnitsWithFrequency) {
  IncidenceMatrix matrix = matrixOf("element,1,2,3,4\na,1,0,0,0\nb,1,0,0,0\nc,0,1,1,0\n");
  EXPECT_EQ(unitsWithFrequency(matrix, 1, 1), 1u);
  EXPECT_EQ(unitsWithFrequency(matrix, 1, 2), 3u);
  EXPECT_EQ(unitsWithFrequency(matrix, 3, 9), 0u);
}

// Good files with some bytes changed: an error, or data that are what they should be.
TEST(Incidence, DamagedFiles) {
  const std::string csv = "element,a,b,c\n\"x, y\",1,0,1\nmain.c:3,0,0,1\nz,0,0,0\n";
  const std::string json = R"({"units": 121, "frequencies": {"1": 23, "2": 9}})";
  Rng rng(17);
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = i % 2 ? csv : json;
    for (uint32_t n = 1 + rng.below(3); n > 0; --n) {
      size_t at = rng.below(static_cast<uint32_t>(text.size()));
      if (rng.flip())
        text[at] = static_cast<char>(rng.next());
      else if (rng.flip())
        text.erase(at, 1 + rng.below(4));
      else
        text.insert(at, 1, "01,\"{}:\n9"[rng.below(9)]);
      if (text.empty()) break;
    }
    std::istringstream in(text);
    if (i % 2) {
      Result<IncidenceMatrix> matrix = readMatrix(in);
      (matrix ? read : refused)++;
      if (!matrix) {
        ASSERT_NE(matrix.error(), "");
        continue;
      }
      ASSERT_GE(matrix->units(), 1u);
      for (size_t e = 0; e < matrix->listed(); ++e)
        for (uint32_t unit : matrix->row(e)) ASSERT_LT(unit, matrix->units());
    } else {
      Result<FrequencyCounts> counts = readFrequencies(in);
      (counts ? read : refused)++;
      if (!counts) {
        ASSERT_NE(counts.error(), "");
        continue;
      }
      ASSERT_GE(counts->units(), 1u);
      for (auto [k, count] : counts->frequencies())
        ASSERT_TRUE(k >= 1 && k <= counts->units() && count >= 1);
    }
  }
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 1000);
}
