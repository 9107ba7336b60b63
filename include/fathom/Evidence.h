// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FATHOM_API_EVIDENCE_H
#define FATHOM_API_EVIDENCE_H

/// \file
/// Bugs, tests and ledger entries: what explore(), fuzz() and readResults() return.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fathom::api {

/// A kind of bug.
struct BugKind {
  std::string name;        ///< "division-by-zero"; Bug::kind and Report::kind have these names
  unsigned cwe = 0;        ///< its number in the Common Weakness Enumeration
  bool isExecuted = false; ///< explore(), fuzz() and confirm() find it
  bool isScanned = false;  ///< scan() reports it
};

/// Returns all kinds. The order is fixed in a release.
std::vector<BugKind> bugKinds();

/// A call that was active where something happened.
struct Frame {
  std::string function; ///< "" if it is unknown
  std::string file;     ///< as in the debug information, absolute if it can be; "" if it is unknown
  uint32_t line = 0;    ///< from 1; 0 if it is unknown
  uint32_t column = 0;  ///< from 1; 0 if it is unknown
  bool isOwn = true;    ///< it belongs to the program, not to its libc
};

/// A bug that an execution of the program shows.
struct Bug {
  std::string kind;    ///< one of bugKinds()
  unsigned cwe = 0;    ///< the CWE number of that kind
  std::string message; ///< one line, lower case
  /// The frame that the bug is said to be in: usually the innermost one of the program's own code.
  Frame place;
  std::vector<Frame> stack;   ///< the calls that were active, innermost first
  std::vector<Frame> related; ///< where the object was allocated or freed; often empty
  /// Its folder, relative to the results folder: "bugs/000001". The folder has the input and
  /// replay.sh, a script that runs the native program on that input.
  std::string folder;
};

/// How an execution ends.
enum class End {
  Exit,   ///< the program exits; Test::status is its exit status, or -1 if it gave none
  Signal, ///< a signal ends it; Test::status is its number
  Bug,    ///< it ends in a bug
  Partial ///< a limit of the exploration ended it
};

/// An input of the program, and what the program does on it.
struct Test {
  uint64_t number = 0;                  ///< from 1, in the order in which tests were written
  std::vector<std::string> arguments;   ///< argv, the program's name first; bytes as they are
  std::vector<std::string> environment; ///< NAME=VALUE
  std::string standardInput;            ///< bytes
  /// Files of the working directory: name and contents.
  std::vector<std::pair<std::string, std::string>> files;
  /// Objects that the program itself made symbolic (fathom.h, klee.h): name and bytes, in the order
  /// of creation.
  std::vector<std::pair<std::string, std::string>> symbols;
  End end = End::Exit;        ///< how the execution ends
  int status = 0;             ///< see End
  std::string standardOutput; ///< what it writes to standard output, as interpreted
  std::string standardError;  ///< what it writes to standard error, as interpreted
  std::string bug;            ///< the folder of the bug that it ends in; "" if there is none
  uint64_t instructions = 0;  ///< that the execution took
};

/// Something that an exploration did not cover, or took for granted.
struct LedgerEntry {
  std::string category; ///< "bound-depth"; docs/explore.md lists all
  std::string location; ///< "file:line in function"; may be empty
  std::string detail;   ///< one line; may be empty
  uint64_t count = 0;   ///< how often it happened
};

} // namespace fathom::api
#endif
