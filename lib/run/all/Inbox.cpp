// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run/all/Inbox.h"

#include "report/Files.h"
#include "support/Folder.h"
#include "support/HashMix.h"
#include "support/TextError.h"
#include "support/WriteFile.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

#include <algorithm>

namespace fathom::run {

namespace {
/// How often the queue is looked at: afl-fuzz can keep thousands of files.
constexpr std::chrono::milliseconds kQueueLook{500};
constexpr size_t kMostBytes = 1 << 20;
} // namespace

static uint64_t hashOf(const std::vector<uint8_t> &bytes) {
  uint64_t hash = bytes.size();
  for (const uint8_t byte : bytes) hash = mixHash(hash, byte);
  return hash;
}

bool KnownBytes::add(const std::vector<uint8_t> &bytes) {
  return hashes_.insert(hashOf(bytes)).second;
}

bool KnownBytes::contains(const std::vector<uint8_t> &bytes) const {
  return hashes_.contains(hashOf(bytes));
}

std::vector<uint8_t> readInput(const std::string &file) {
  llvm::Expected<std::string> bytes = report::readFile(file, kMostBytes);
  if (bytes) return {bytes->begin(), bytes->end()};
  llvm::consumeError(bytes.takeError()); // too large, or gone again
  return {};
}

std::string Inbox::file(uint64_t number) const {
  return names_ == Names::Plain ? fmt::format("{}/{:06}", folder_, number)
                                : fmt::format("{}/id:{:06},src:fathom", folder_, number);
}

llvm::Expected<Inbox> Inbox::open(std::string folder, Names names, KnownBytes &known) {
  if (std::error_code e = llvm::sys::fs::create_directories(folder))
    return textError(fmt::format("cannot create {}: {}", folder, e.message()));
  Inbox inbox(std::move(folder), names, known);
  for (; llvm::sys::fs::exists(inbox.file(inbox.next_)); inbox.next_++)
    known.add(readInput(inbox.file(inbox.next_)));
  return inbox;
}

llvm::Error Inbox::put(const std::vector<uint8_t> &bytes) {
  if (bytes.empty() || known_->contains(bytes)) return llvm::Error::success();
  const std::string file = this->file(next_), part = folder_ + "/.part";
  std::error_code e = writeFile(part, {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  if (!e) e = llvm::sys::fs::rename(part, file);
  if (e) return textError(fmt::format("cannot write {}: {}", file, e.message()));
  next_++;
  known_->add(bytes);
  return llvm::Error::success();
}

QueueInputs::QueueInputs(std::string aflFolder, std::vector<std::vector<uint8_t>> first,
                         bool isOurs, SharedParts &parts, KnownBytes &known)
    : aflFolder_(std::move(aflFolder)), isOurs_(isOurs), parts_(parts), known_(known),
      first_(std::make_move_iterator(first.begin()), std::make_move_iterator(first.end())) {}

void QueueInputs::look() {
  std::error_code none;
  std::vector<std::string> fresh;
  for (auto &instance : entriesOf(aflFolder_, none)) {
    const std::string folder = instance.path().string();
    if (instance.path().filename() == kInstance) continue; // our own
    for (auto &kind : entriesOf(folder, none)) {
      const std::string name = kind.path().filename().string();
      if (name != "queue" && !name.starts_with("crashes")) continue;
      for (auto &entry : entriesOf(kind.path(), none))
        if (entry.path().filename().string().starts_with("id:") &&
            seen_.insert(entry.path().string()).second)
          fresh.push_back(entry.path().string());
    }
  }
  std::ranges::sort(fresh);
  // AFL++ marks what covered a new edge, and did not only hit one more often.
  for (std::string &file : fresh)
    (file.ends_with("+cov") || file.find("orig:") != std::string::npos ||
             file.find("/crashes") != std::string::npos
         ? promising_
         : others_)
        .push_back(std::move(file));
}

std::vector<std::vector<uint8_t>> QueueInputs::take(size_t most) {
  std::vector<std::vector<uint8_t>> out;
  const bool mayBegin = !isOurs_ || parts_.of(Part::Fuzz).work > 0 || parts_.isFuzzOver;
  for (; mayBegin && !first_.empty() && out.size() < most; first_.pop_front())
    if (known_.add(first_.front())) out.push_back(std::move(first_.front()));
  if (const auto now = std::chrono::steady_clock::now(); now >= nextLook_) {
    look();
    nextLook_ = now + kQueueLook;
  }
  for (std::deque<std::string> *files : {&promising_, &others_})
    for (; !files->empty() && out.size() < most; files->pop_front())
      if (std::vector<uint8_t> bytes = readInput(files->front());
          !bytes.empty() && known_.add(bytes))
        out.push_back(std::move(bytes));
  parts_.of(Part::Explore).inputs += out.size();
  return out;
}

std::vector<uint32_t> QueueInputs::covered() {
  std::vector<uint32_t> out;
  const uint32_t sides = parts_.sides;
  told_.resize(sides);
  constexpr uint8_t kOthers = SharedParts::bit(Part::Fuzz) | SharedParts::bit(Part::Seeds);
  for (uint32_t side = 0; side < sides; side++)
    if (!told_[side] && (parts_.coveredBy[side].load(std::memory_order_relaxed) & kOthers)) {
      told_[side] = true;
      out.push_back(side);
    }
  return out;
}

void QueueInputs::found(const std::vector<uint32_t> &sides) {
  for (const uint32_t side : sides) parts_.cover(Part::Explore, side);
}

} // namespace fathom::run
