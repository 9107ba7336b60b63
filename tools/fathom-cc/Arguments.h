// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of a C compiler, sorted into what concerns compiling and what concerns linking.
#ifndef FATHOM_CC_ARGUMENTS_H
#define FATHOM_CC_ARGUMENTS_H

#include <string>
#include <vector>

namespace fathom::cc {

struct Arguments {
  /// How far to go, and Query: only ask clang something (--version, -print-...).
  enum class Stage { Query, Preprocess, Assembly, Object, Link };
  Stage stage = Stage::Link;

  /// Options for clang without inputs, in order; options that Fathom decides on are left out.
  std::vector<std::string> compile;
  /// For the linker, in order. An entry that is a source file holds its index in sources.
  struct LinkItem {
    std::string text;
    int source = -1;
  };
  std::vector<LinkItem> link;
  struct Source {
    std::string path;
    std::string language; ///< argument of the -x in force, or empty
  };
  std::vector<Source> sources;
  std::vector<std::string> libraryPaths; ///< from -L, in order
  std::string output;                    ///< from -o, or empty

  bool cxx = false;                 ///< a source is C++, or the compiler was called as one
  bool cxxDriver = false;           ///< called as fathom-c++: `.c` is C++, too
  bool cxxLibrary = false;          ///< -lstdc++ or one of its kin
  bool libc = false;                ///< --fathom-seal=libc: part of the sysroot, not of a program
  bool asBuilt = false;             ///< --fathom-as-built: keep the level of optimisation
  std::string optimization;         ///< the last -O option, or empty
  bool verbose = false;             ///< -v
  bool dryRun = false;              ///< -###
  bool relocatable = false;         ///< -r
  bool shared = false;              ///< -shared
  bool strip = false;               ///< -s
  bool noStartFiles = false;        ///< -nostartfiles, -nostdlib
  bool noDefaultLibs = false;       ///< -nodefaultlibs, -nolibc, -nostdlib
  bool dependencies = false;        ///< -MD or -MMD
  bool dependencyFile = false;      ///< -MF
  bool dependencyTarget = false;    ///< -MT or -MQ
  bool duplicatesAllowed = false;   ///< -z muldefs, --allow-multiple-definition
  std::vector<std::string> wrapped; ///< symbols of --wrap
  std::string error;                ///< why this cannot be done, or empty

  bool linksCxx() const { return cxx || cxxLibrary; }
};

/// \param raw  the arguments after the program's name; response files are expanded
Arguments parseArguments(const std::vector<std::string> &raw);

} // namespace fathom::cc

#endif
