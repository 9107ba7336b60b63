// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two text forms of incidence data.
//
//   element,unit1,unit2,unit3          a matrix: one line per element, 1 where the unit covers it
//   main.c:12,1,0,1
//   "f(a, b)",0,0,1
//
//   {"units": 121, "frequencies": {"1": 23, "2": 9}}      counts: 23 elements in exactly one unit
#ifndef FATHOM_ESTIMATE_READINCIDENCE_H
#define FATHOM_ESTIMATE_READINCIDENCE_H

#include "estimate/Incidence.h"

#include <istream>
#include <string>

namespace fathom::estimate {

/// Reads line by line: memory is that of the ones, not of the cells.
/// Errors name line, column and unit: a header that does not begin with "element", a line with
/// another number of cells, a cell that is neither 0 nor 1, an element that is there twice.
Result<IncidenceMatrix> readMatrix(std::istream &in);

/// Errors name the key and what was expected, or the byte at which the text stops being JSON.
Result<FrequencyCounts> readFrequencies(std::istream &in);

/// By the name's end: .csv or .json; otherwise by the first character that is not a space. The
/// errors begin with the file's name.
Result<Incidence> readIncidenceFile(const std::string &path);

} // namespace fathom::estimate
#endif
