// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "confirm/PathWords.h"

#include "confirm/Sources.h"
#include "evidence/BugKind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace fathom::confirm {

using evidence::StackFrame;

using namespace explore;

const char *startText(const program::FunctionCode &f, bool assumes, EntryMemory memory) {
  if (memory == EntryMemory::Objects) return ""; // an input
  if (!assumes) return f.params.empty() ? "" : " for some arguments";
  return memory == EntryMemory::Lazy
             ? " for some arguments and memory"
             : " for some arguments and memory, if two pointers point to the same object";
}

std::string failureText(const Finding &shown) {
  std::string out;
  for (const StackFrame &frame : shown.related)
    if (frame.function.starts_with(kFailsIn))
      out += fmt::format("{} the allocation at {}", out.empty() ? ", if" : " and",
                         shortPlace(frame.file, frame.line));
  if (out.empty()) return "";
  return out + (out.find(" and ") == std::string::npos ? " fails" : " fail");
}

std::string assumedText(const program::FunctionCode &f, bool isMain, bool assumes,
                        EntryMemory memory) {
  if (memory == EntryMemory::Objects) return "";
  std::vector<std::string> what;
  for (const program::Param &parameter : f.params)
    if (!parameter.name.empty()) what.push_back(parameter.name);
  if (what.size() < f.params.size()) what = {"the arguments"};
  if (!isMain) what.emplace_back("the program's variables"); // there they are initial ones
  if (what.empty()) return "";
  std::string out = fmt::format("{} can have any value", fmt::join(what, ", "));
  if (!assumes) return out;
  out += "; a pointer among them that the path uses is valid, and ";
  return out + (memory == EntryMemory::Lazy ? "points to an object of its own"
                                            : "two of them point to the same object");
}

} // namespace fathom::confirm
