// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs on their way from the exploration to the campaign, and back.
//
//   exploration -> inbox/000000, 000001, ...           afl-fuzz reads it (runtime/afl/stages.c)
//   campaign    -> afl/INSTANCE/queue/id:*, crashes     QueueInputs reads them
//
// What one has from the other does not come back to it: inputs are known by their bytes.
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

/// Hashes of inputs.
class KnownBytes {
public:
  /// False: they were known.
  bool add(const std::vector<uint8_t> &bytes);
  bool contains(const std::vector<uint8_t> &bytes) const;

private:
  std::unordered_set<uint64_t> hashes_;
};

/// The name of our instance in somebody's AFL++ campaign.
inline constexpr const char *kInstance = "fathom";

/// Writes inputs for the campaign.
class Inbox {
public:
  /// How the files are called, by number: as runtime/afl/stages.c wants it, or as AFL++ wants its
  /// instances' queues.
  enum class Names : uint8_t { Plain, Queue };
  /// Goes on behind the files that are there. Errors: the folder cannot be made.
  static llvm::Expected<Inbox> open(std::string folder, Names names, KnownBytes &known);
  /// The file appears complete. Nothing for bytes that are known. Errors: it cannot be written.
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

/// What the campaign finds: its queue and its crashes, and the sides that it covers.
class QueueInputs final : public explore::InputSource {
public:
  /// \param aflFolder  AFL++'s output folder; may not be there yet.
  /// \param first      inputs that are there from the beginning; they wait until the campaign has
  ///                   tried its own, so that the explorer knows what these cover.
  /// \param isOurs     it is the campaign of this run; false: nothing is known of what it covers.
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

/// The bytes of an input file; none of one over a megabyte, which AFL++ leaves out, too.
std::vector<uint8_t> readInput(const std::string &file);

} // namespace fathom::run
#endif
