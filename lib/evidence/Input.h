// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An input of a program, and what it is: the same for the engine, which records it, for a campaign,
// and for the files of a test.
#ifndef FATHOM_EVIDENCE_INPUT_H
#define FATHOM_EVIDENCE_INPUT_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fathom::evidence {

/// The numbers are those of fathom_input_kind (fathom/abi.h), and of files.
enum class InputKind : uint8_t { Argument = 1, StandardInput = 2, File = 3, Environment = 4 };

/// Identifies an input of a run: equal ids of one run mean the same input.
struct InputId {
  InputKind kind = InputKind::Argument;
  /// An argument's decimal index in argv (0: the program), a file's name in the working directory,
  /// or the name of an environment variable; "stdin" for standard input.
  std::string name;

  static InputId argument(size_t index);
  static InputId standardInput();
  static InputId file(std::string name);
  static InputId environment(std::string_view variable); ///< of NAME=VALUE

  /// In argv; none: it is no argument, or of an index that no program has.
  std::optional<uint32_t> argumentIndex() const;
  auto operator<=>(const InputId &) const = default;
};

/// An input with its bytes. Those of an environment variable are NAME=VALUE.
struct Input {
  InputId id;
  std::vector<uint8_t> data;
};

} // namespace fathom::evidence
#endif
