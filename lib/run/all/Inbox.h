// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs on their way from the exploration to the campaign, and back.
//
//   exploration -> inbox/000000, 000001, ...           afl-fuzz reads it (runtime/afl/stages.c)
//   campaign    -> afl/INSTANCE/queue/id:*, crashes     QueueInputs reads them
//
// Neither of the two gets an input back that it gave to the other: inputs are recognised by their
// bytes.
#ifndef FATHOM_RUN_ALL_INBOX_H
#define FATHOM_RUN_ALL_INBOX_H

#include "explore/work/InputSource.h"
#include "run/all/Parts.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_set>
#include <vector>

namespace fathom::run {

/// The inputs that were seen so far. Keeps a hash of the bytes of each.
class KnownBytes {
public:
  /// Returns false if the bytes were known already.
  bool add(const std::vector<uint8_t> &bytes);
  bool contains(const std::vector<uint8_t> &bytes) const;

private:
  std::unordered_set<uint64_t> hashes_;
};

/// The name of the instance that this run is in an AFL++ campaign that was started without it
/// (--sync).
inline constexpr const char *kInstance = "fathom";

/// Writes inputs for the campaign.
class Inbox {
public:
  /// How a file's name follows from its number: as runtime/afl/stages.c expects it, or as AFL++
  /// expects it in the queue of an instance.
  enum class Names : uint8_t { Plain, Queue };
  /// New files get the numbers after those of the files that are in the folder. Errors: the folder
  /// cannot be made.
  static llvm::Expected<Inbox> open(std::string folder, Names names, KnownBytes &known);
  /// Writes a file with these bytes, which appears complete; none if the bytes are known already.
  /// Errors: the file cannot be written.
  llvm::Error put(const std::vector<uint8_t> &bytes);
  uint64_t size() const { return next_; }

private:
  Inbox(std::string folder, Names names, KnownBytes &known)
      : folder_(std::move(folder)), names_(names), known_(&known) {}
  std::string file(uint64_t number) const;
  std::string folder_;
  Names names_;
  uint64_t next_ = 0;
  KnownBytes *known_;
};

/// Gives the exploration what the campaign finds: the inputs of its queue and its crashes, and the
/// numbers of the branch sides that it covers.
class QueueInputs final : public explore::InputSource {
public:
  /// \param aflFolder  AFL++'s output folder, which need not exist yet.
  /// \param first      inputs that the run begins with. They are given after the campaign has tried
  ///                   its own initial inputs, so that the explorer knows what these cover.
  /// \param isOurs     whether the campaign belongs to this run. If not, it is not known which
  /// sides
  ///                   the campaign covers.
  QueueInputs(std::string aflFolder, std::vector<std::vector<uint8_t>> first, bool isOurs,
              SharedParts &parts, KnownBytes &known);

  std::vector<std::vector<uint8_t>> take(size_t most) override;
  std::vector<uint32_t> covered() override;
  void found(const std::vector<uint32_t> &sides) override;
  unsigned mostWorkers() const override { return parts_.of(Part::Explore).processors; }
  bool isOpen() const override {
    return !parts_.isFuzzOver || !first_.empty() || !promising_.empty() || !others_.empty();
  }

private:
  void look();

  std::string aflFolder_;
  bool isOurs_;
  SharedParts &parts_;
  KnownBytes &known_;
  std::unordered_set<std::string> seen_;       ///< files
  std::deque<std::string> promising_, others_; ///< files that were not taken yet
  std::deque<std::vector<uint8_t>> first_;
  std::vector<bool> told_; ///< sides that covered() has named
  std::chrono::steady_clock::time_point nextLook_{};
};

/// Returns the bytes of an input file. Files of more than a megabyte give no bytes, because AFL++
/// leaves them out as well.
std::vector<uint8_t> readInput(const std::string &file);

} // namespace fathom::run
#endif
