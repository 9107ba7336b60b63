// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ExternalRunner's rows: what runtime/native/external.h describes is written into memory that the
// child maps too, and then a request and a reply of some bytes are all that goes through the socket
// for a batch of rows.
#include "native/ExternalRunner.h"
#include "native/Transfer.h"

#include "../../runtime/native/external.h"

#include <algorithm>
#include <cstring>

namespace fathom::native {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

constexpr size_t kPage = 4096;
/// Bytes for rows and distances: at most as many rows as fit are evaluated in one exchange.
constexpr size_t kRoom = size_t(4) << 20;
/// How long one exchange should take, so that the caller can look at the clock. New functions may
/// be slow, so the first batch has one row, and later ones grow by at most this factor.
constexpr double kExchangeSeconds = 0.1;
constexpr size_t kInitialBatch = 1, kMaxGrowth = 32;
/// A batch may take so many times the timeout of one call, as long as calls return meanwhile.
constexpr int kMaxTimes = 5;
/// For finding functions and mapping memory.
constexpr milliseconds kLoadTime{5000};

/// Places in the shared memory, given out one after the other.
class Layout {
public:
  size_t take(size_t bytes, size_t alignment = 8) {
    end_ = (end_ + alignment - 1) / alignment * alignment;
    const size_t at = end_;
    end_ += bytes;
    return at;
  }
  size_t end() const { return end_; }

private:
  size_t end_ = 0;
};

template <typename T> size_t bytesOf(const T &container) {
  return container.size() * sizeof(*container.data());
}

/// Descriptions of the operations, as bytes that are copied to `base`.
class Description {
public:
  explicit Description(size_t base) : base_(base) {}
  size_t add(const void *data, size_t size) {
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    const size_t at = bytes_.size();
    auto *from = static_cast<const uint8_t *>(data);
    bytes_.insert(bytes_.end(), from, from + size);
    return base_ + at;
  }
  template <typename T> size_t addAll(const T &container) {
    return add(container.data(), bytesOf(container));
  }
  const std::vector<uint8_t> &bytes() const { return bytes_; }

private:
  size_t base_;
  std::vector<uint8_t> bytes_;
};

fathom_row_operation describe(const ExternalRunner::Rows::Operation &o, size_t codeAt,
                              Description &out) {
  fathom_row_operation d{};
  d.nameAt = out.add(o.name.c_str(), o.name.size() + 1);
  d.arguments = o.arguments.size();
  d.typesAt = out.addAll(o.arguments);
  std::vector<fathom_row_block> blocks;
  blocks.reserve(o.blocks.size());
  for (const auto &b : o.blocks) blocks.push_back({b.address, b.bytes, b.written});
  d.blocks = blocks.size();
  d.blocksAt = out.addAll(blocks);
  d.inputBytes = o.input.size();
  d.inputAt = out.addAll(o.input);
  std::vector<uint32_t> pairs;
  pairs.reserve(2 * o.copied.size());
  for (auto [place, offset] : o.copied) pairs.insert(pairs.end(), {place, offset});
  d.copied = o.copied.size();
  d.copiedAt = out.addAll(pairs);
  d.computed = o.computed.size();
  d.computedAt = out.addAll(o.computed);
  d.code = codeAt + o.code;
  d.resultAt = o.resultAt;
  d.outputBytes = o.outputBytes;
  d.result = static_cast<unsigned>(o.result);
  d.returnsPointer = o.returnsPointer;
  d.strings = o.strings;
  d.errnoBlock = static_cast<unsigned>(o.errnoMemory + 1);
  return d;
}

} // namespace

bool ExternalRunner::loadRows(const Rows &rows) {
  rowsLoaded_ = false;
  for (const auto &o : rows.operations)
    if (o.arguments.size() + o.blocks.size() > FATHOM_EXTERNAL_MAX_ARGUMENTS ||
        o.name.size() > FATHOM_EXTERNAL_MAX_NAME)
      return false;
  if (!child_ && !start().empty()) return false;

  fathom_rows head{};
  Layout layout;
  layout.take(sizeof head);
  head.codeAt = layout.take(rows.code.size(), kPage);
  head.codeEnd = layout.take(0, kPage);
  head.distancesCode = head.codeAt + rows.distancesCode;
  head.rowBytes = rows.rowBytes;
  head.distances = rows.distances;
  const size_t perRow = rows.rowBytes + 8 * rows.distances;
  const size_t fit = std::max<size_t>(1, kRoom / std::max<size_t>(perRow, 1));
  head.rowsAt = layout.take(fit * rows.rowBytes);
  head.distancesAt = layout.take(8 * fit * rows.distances);
  size_t scratch = 8;
  for (const auto &o : rows.operations)
    scratch = std::max(scratch, o.input.size() + 8 * o.computed.size());
  head.scratchAt = layout.take(scratch);
  head.operations = rows.operations.size();
  head.operationsAt = layout.take(rows.operations.size() * sizeof(fathom_row_operation));
  Description description(layout.take(0));
  std::vector<fathom_row_operation> operations;
  operations.reserve(rows.operations.size());
  for (const auto &o : rows.operations) operations.push_back(describe(o, head.codeAt, description));
  layout.take(description.bytes().size());
  head.bytes = layout.take(0, kPage);
  // A little more than is needed now, so that not every program makes the file grow.
  if (!shared_.grow(head.bytes + head.bytes / 4)) return false;

  uint8_t *at = shared_.data();
  memcpy(at, &head, sizeof head);
  std::copy(rows.code.begin(), rows.code.end(), at + head.codeAt);
  if (!operations.empty()) memcpy(at + head.operationsAt, operations.data(), bytesOf(operations));
  std::copy(description.bytes().begin(), description.bytes().end(),
            at + (head.operationsAt + bytesOf(operations) + 7) / 8 * 8);
  rowsAtOnce_ = kInitialBatch;
  rowsPlace_ = {head.rowsAt, head.rowBytes, head.distancesAt, head.distances, fit};
  return sendLoad();
}

/// Tells the child, which may be another one than the last time, what the shared memory holds.
bool ExternalRunner::sendLoad() {
  fathom_request request{};
  request.flags = FATHOM_EXTERNAL_LOAD;
  request.number = ++requests_;
  fathom_reply reply{};
  const auto deadline = Clock::now() + kLoadTime;
  Transfer t = transfer(socket_, &request, sizeof request, /*sending=*/true, deadline);
  if (t == Transfer::Done) t = transfer(socket_, &reply, sizeof reply, /*sending=*/false, deadline);
  if (t != Transfer::Done || reply.number != requests_) {
    afterFailure(t != Transfer::Closed);
    return false;
  }
  rowsLoaded_ = reply.status == FATHOM_EXTERNAL_DONE;
  return rowsLoaded_;
}

/// One exchange. If it fails, no result is used: only the end shows whether a call wrote beside its
/// memory. `reached`: the row that the child was evaluating when it died or hung.
ExternalRunner::RowsEnd ExternalRunner::runBatch(uint8_t *rows, size_t count, uint64_t *distances,
                                                 milliseconds timeout, size_t &reached) {
  reached = 0;
  if (!child_ && !start().empty()) return RowsEnd::Failed;
  if (!rowsLoaded_ && !sendLoad()) return RowsEnd::Failed;
  auto *head = reinterpret_cast<fathom_rows *>(shared_.data());
  const auto [rowsAt, rowBytes, distancesAt, words, fit] = rowsPlace_;
  memcpy(shared_.data() + rowsAt, rows, count * rowBytes);
  head->row = 0;
  fathom_request request{};
  request.flags = FATHOM_EXTERNAL_RUN;
  request.calls = static_cast<uint32_t>(count);
  request.number = ++requests_;
  fathom_reply reply{};
  Transfer t =
      transfer(socket_, &request, sizeof request, /*sending=*/true, Clock::now() + timeout);
  // Each single call may take so long.
  uint64_t calls = ~uint64_t(0);
  for (int times = 0; t == Transfer::Done && times < kMaxTimes; ++times) {
    t = transfer(socket_, &reply, sizeof reply, /*sending=*/false, Clock::now() + timeout);
    if (t != Transfer::Timeout || calls == head->calls || times + 1 == kMaxTimes) break;
    calls = head->calls;
    t = Transfer::Done;
  }
  if (t != Transfer::Done || reply.number != requests_) {
    const size_t row = head->row; // the child may have written anything there
    reached = std::min(row, count - 1);
    afterFailure(t != Transfer::Closed);
    return RowsEnd::Failed;
  }
  if (reply.status == FATHOM_EXTERNAL_WROTE_OUTSIDE) return RowsEnd::WroteOutside;
  if (reply.status != FATHOM_EXTERNAL_DONE) return RowsEnd::Failed;
  memcpy(rows, shared_.data() + rowsAt, count * rowBytes);
  memcpy(distances, shared_.data() + distancesAt, 8 * count * words);
  return RowsEnd::Done;
}

ExternalRunner::RowsRun ExternalRunner::runRows(uint8_t *rows, size_t count, uint64_t *distances,
                                                milliseconds timeout) {
  RowsRun done;
  // Rows up to `end` are tried next. If a batch writes outside its memory, half of it is tried
  // again, until one row is left.
  size_t end = 0;
  const auto started = Clock::now();
  do {
    if (end == done.rows)
      end = std::min({count, done.rows + rowsPlace_.fit, done.rows + rowsAtOnce_});
    size_t reached = 0;
    const size_t batch = end - done.rows;
    switch (runBatch(rows + done.rows * rowsPlace_.rowBytes, batch,
                     distances + done.rows * rowsPlace_.distances, timeout, reached)) {
    case RowsEnd::Done: done.rows = end; break;
    case RowsEnd::WroteOutside: reached = batch / 2; break;
    case RowsEnd::Failed: break;
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - started).count();
    if (done.rows == end) {
      const double perRow = seconds / static_cast<double>(done.rows);
      const auto most = static_cast<double>(std::min<size_t>(rowsAtOnce_ * kMaxGrowth, 1'000'000));
      rowsAtOnce_ = static_cast<size_t>(std::clamp(kExchangeSeconds / perRow, 1.0, most));
      if (seconds > kExchangeSeconds) return done;
      continue;
    }
    if (!reached) {
      done.failed = true;
      return done;
    }
    end = done.rows + reached;
  } while (done.rows < count);
  return done;
}

} // namespace fathom::native
