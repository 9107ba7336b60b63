// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real files (HostFiles.h), and what the engine tells the environment model about the outside
// world.
#include "explore/builtin/HostBuiltins.h"

#include "evidence/LedgerCategory.h"
#include "explore/decide/LogFollower.h"
#include "explore/decide/Places.h"
#include "explore/external/ForeignCode.h"

#include "fathom/abi.h"
#include "fmt/format.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <optional>

namespace fathom::explore {

using evidence::LedgerCategory;

static constexpr uint64_t kMaxLinkBytes = 4096;

/// Of an answer of the host: the result of the call, and what it says.
static uint64_t hashOf(int64_t result, const void *data, size_t size) {
  return (static_cast<uint64_t>(result) + 1) * 0x9E3779B97F4A7C15ull ^
         llvm::xxh3_64bits(llvm::ArrayRef(static_cast<const uint8_t *>(data), size));
}

BuiltinOutcome HostBuiltins::config(State &s, const Call &c) {
  long value = -1;
  switch (concreteArgument(s, c, 0, "key", 32)) {
  case FATHOM_CONFIG_INTERPRETED: value = 1; break;
  case FATHOM_CONFIG_REPLAY: value = 0; break;
  case FATHOM_CONFIG_UID: value = owner(0); break;
  case FATHOM_CONFIG_GID: value = owner(1); break;
  case FATHOM_CONFIG_READABLE: value = options_.readableInputs; break;
  case FATHOM_CONFIG_FUZZ_SIZE:
    value = static_cast<long>(options_.fuzzBytes);
    ledger_.add(LedgerCategory::BoundSize, places_.where(s),
                fmt::format("inputs longer than {} bytes were not explored (--fuzz-size)", value));
    break;
  case FATHOM_CONFIG_SIZED_INPUT: value = static_cast<long>(options_.sizedInput); break;
  case FATHOM_CONFIG_HOST_KINDS: value = foreign_.policy.defers(); break;
  case FATHOM_CONFIG_FUZZ_STDIN: value = !options_.stdinFile.empty(); break;
  default: break;
  }
  returns(s, c, static_cast<uint64_t>(value));
  return Outcome::Next;
}

long HostBuiltins::owner(size_t which) {
  const HostAnswer answer = host_.ask({HostAsks::Owner, {}});
  return which < answer.numbers.size() ? static_cast<long>(answer.numbers[which]) : -1;
}

BuiltinOutcome HostBuiltins::configString(State &s, const Call &c) {
  uint64_t key = concreteArgument(s, c, 0, "key", 32), to = concreteArgument(s, c, 1, "buffer"),
           size = concreteArgument(s, c, 2, "size");
  std::optional<HostAsks> asks;
  if (key == FATHOM_CONFIG_HOST_STDIN && !options_.stdinFile.empty())
    asks = HostAsks::StandardInput;
  if (key == FATHOM_CONFIG_HOST_CWD && !options_.workingDirectory.empty() &&
      showsWorkingDirectory(options_.arguments))
    asks = HostAsks::WorkingDirectory;
  if (!asks || !size) {
    returns(s, c, static_cast<uint64_t>(-1));
    return Outcome::Next;
  }
  const std::string v = host_.ask({*asks, {}}).text.substr(0, size - 1);
  if (!bounds(s, to, v.size() + 1, /*write=*/true)) return Outcome::Ended;
  s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(v.c_str()), v.size() + 1);
  returns(s, c, v.size());
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::hostStat(State &s, const Call &c) {
  const std::string path = text(s, concreteArgument(s, c, 0, "path"));
  const bool follow = concreteArgument(s, c, 1, "flag", 32);
  uint64_t to = concreteArgument(s, c, 2, "buffer");
  // Others write to the same folders meanwhile: a path that is followed sees what it saw,
  // without a question.
  std::optional<HostAnswer> answer;
  auto said = [&](auto part) {
    return follower_.logged(s, Record::Environment, [&] {
      if (!answer) answer = host_.ask({follow ? HostAsks::Stat : HostAsks::LinkStat, path});
      return part(*answer);
    });
  };
  if (uint64_t error = said([](const HostAnswer &a) { return static_cast<uint64_t>(-a.result); })) {
    returns(s, c, 0 - error);
    return Outcome::Next;
  }
  size_t field = 0;
  auto next = [&] {
    const size_t i = field++;
    return said([i](const HostAnswer &a) { return i < a.numbers.size() ? a.numbers[i] : 0; });
  };
  fathom_host_stat out{};
  out.ino = next();
  out.size = next();
  out.mode = next();
  out.nlink = next();
  out.mtime_sec = next();
  out.uid = next();
  out.gid = next();
  if (!bounds(s, to, sizeof out, /*write=*/true)) return Outcome::Ended;
  s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(&out), sizeof out);
  returns(s, c, 0);
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::returnsText(State &s, const Call &c, const std::string &path,
                                         uint64_t to, const HostAnswer &answer) {
  if (!follower_.saysTheSame(s, path,
                             hashOf(answer.result, answer.text.data(), answer.text.size())))
    return Outcome::Ended;
  if (!answer.text.empty()) {
    if (!bounds(s, to, answer.text.size(), /*write=*/true)) return Outcome::Ended;
    s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(answer.text.data()),
                           answer.text.size());
  }
  returns(s, c, static_cast<uint64_t>(answer.result));
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::hostRead(State &s, const Call &c) {
  const std::string path = text(s, concreteArgument(s, c, 0, "path"));
  uint64_t offset = concreteArgument(s, c, 1, "offset"), to = concreteArgument(s, c, 2, "buffer"),
           size = concreteArgument(s, c, 3, "size");
  size = std::min<uint64_t>(size, 16 << 20);
  if (!bounds(s, to, size, /*write=*/true)) return Outcome::Ended;
  return returnsText(s, c, path, to, host_.ask({HostAsks::Read, path, offset, size}));
}

BuiltinOutcome HostBuiltins::hostDirent(State &s, const Call &c) {
  const std::string path = text(s, concreteArgument(s, c, 0, "path"));
  uint64_t index = concreteArgument(s, c, 1, "index"), to = concreteArgument(s, c, 2, "buffer"),
           size = concreteArgument(s, c, 3, "size");
  auto [it, isNew] = directories_.try_emplace(path);
  if (isNew) it->second = host_.ask({HostAsks::List, path}).names;
  const bool isThere = index < it->second.size() && size;
  std::string name = isThere ? it->second[index].substr(0, size - 1) : "";
  if (!follower_.saysTheSame(s, path, hashOf(isThere, name.data(), name.size())))
    return Outcome::Ended;
  if (!isThere) {
    returns(s, c, 0);
    return Outcome::Next;
  }
  if (!bounds(s, to, name.size() + 1, /*write=*/true)) return Outcome::Ended;
  s.memory.writeConcrete(to, reinterpret_cast<const uint8_t *>(name.c_str()), name.size() + 1);
  returns(s, c, name.size());
  return Outcome::Next;
}

BuiltinOutcome HostBuiltins::hostReadlink(State &s, const Call &c) {
  const std::string path = text(s, concreteArgument(s, c, 0, "path"));
  const uint64_t to = concreteArgument(s, c, 1, "buffer"), size = concreteArgument(s, c, 2, "size");
  return returnsText(
      s, c, path, to,
      host_.ask({HostAsks::ReadLink, path, 0, std::min<uint64_t>(size, kMaxLinkBytes)}));
}

BuiltinOutcome HostBuiltins::missingFile(State &s, const Call &c) {
  const std::string path = text(s, concreteArgument(s, c, 0, "path"));
  const bool isAmongOwn = concreteArgument(s, c, 1, "flag", 32);
  std::string detail = path;
  if (const HostAnswer beside = isAmongOwn ? host_.ask({HostAsks::BesideOwn, path}) : HostAnswer();
      beside.result)
    detail +=
        fmt::format(" (it is in {}, but the program starts in a folder of its own)", beside.text);
  ledger_.add(LedgerCategory::MissingFile, places_.where(s), detail);
  return Outcome::Next;
}

void HostBuiltins::add(BuiltinNames &to) {
  to["__fathom_config"] = bind(this, &HostBuiltins::config);
  to["__fathom_config_string"] = bind(this, &HostBuiltins::configString);
  to["__fathom_host_stat"] = bind(this, &HostBuiltins::hostStat);
  to["__fathom_host_read"] = bind(this, &HostBuiltins::hostRead);
  to["__fathom_host_dirent"] = bind(this, &HostBuiltins::hostDirent);
  to["__fathom_missing_file"] = bind(this, &HostBuiltins::missingFile);
  to["__fathom_host_readlink"] = bind(this, &HostBuiltins::hostReadlink);
}

} // namespace fathom::explore
