// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/external/ExternalRows.h"

#include "../../runtime/native/external.h"

#include <cstring>

namespace fathom::explore {

using native::ExternalRunner;

static_assert(FATHOM_ROW_RETURNED == int(ExternalStatus::Returned) &&
              FATHOM_ROW_CRASHED == int(ExternalStatus::Crashed) &&
              FATHOM_ROW_WROTE_OUTSIDE == int(ExternalStatus::WroteOutside) &&
              FATHOM_ROW_FOREIGN_POINTER == int(ExternalStatus::ForeignPointer));

ExternalServer::Rows *ExternalServer::rowsOf(bool ofProgram) {
  auto &rows = ofProgram ? programRows_ : hostRows_;
  if (!rows)
    if (ExternalRunner *child = runner(ofProgram)) rows = std::make_unique<Rows>(*this, *child);
  return rows.get();
}

expr::RowHost *ExternalServer::Operation::rowHost() {
  return signature_.searchedApart ? nullptr : server_->rowsOf(signature_.ofProgram);
}

bool ExternalServer::Rows::load(const expr::RowProgram &program) {
  ExternalRunner::Rows rows;
  rows.code = program.code;
  rows.distancesCode = program.functions[0];
  rows.rowBytes = rowBytes_ = program.rowBytes;
  rows.distances = distances_ = program.distances;
  outputs_.clear();
  for (const expr::RowProgram::Application &a : program.applications) {
    if (a.operation->rowHost() != this) return false;
    const ExternalSignature &f = static_cast<Operation *>(a.operation)->signature();
    if (server_.hangs_[f.function]) return false; // has less time than others
    ExternalRunner::Rows::Operation o;
    o.name = f.function;
    o.arguments = f.arguments;
    o.strings = f.strings;
    o.result = f.result;
    o.returnsPointer = f.returnsPointer;
    o.errnoMemory = f.errnoBlock;
    for (size_t b = 0; b < f.blocks.size(); b++) {
      uint64_t address;
      memcpy(&address, a.input.data() + f.addressAt(b), 8);
      o.blocks.push_back({address, f.blocks[b].size, f.blocks[b].written});
    }
    // Memory is mapped once, for all rows.
    auto isAddress = [&](uint32_t place) {
      return place >= f.addressAt(0) && place < f.addressAt(f.blocks.size());
    };
    if (std::any_of(a.computed.begin(), a.computed.end(), isAddress) ||
        std::any_of(a.copied.begin(), a.copied.end(), [&](auto &c) { return isAddress(c.first); }))
      return false;
    o.input = a.input;
    o.copied = a.copied;
    o.computed = a.computed;
    if (!a.computed.empty()) o.code = program.functions[a.function];
    o.resultAt = a.resultsAt;
    o.outputBytes = f.outputBytes();
    rows.operations.push_back(std::move(o));
    outputs_.push_back({a.resultsAt, &f.function});
  }
  return runner_.loadRows(rows);
}

expr::RowHost::Run ExternalServer::Rows::run(uint8_t *rows, size_t count, uint64_t *distances) {
  const auto start = std::chrono::steady_clock::now();
  const auto done = runner_.runRows(rows, count, distances, server_.options_.externalTimeout);
  ExternalStats &stats = server_.stats_;
  stats.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (size_t i = 0; i < done.rows; i++)
    for (const Output &output : outputs_) {
      const uint8_t status = rows[i * rowBytes_ + output.at + ExternalSignature::kStatusAt];
      // The first of a function is noted, where it can be told on which arguments.
      if (status != FATHOM_ROW_RETURNED && failed_.insert(*output.function).second)
        return {i, /*failed=*/false, /*noted=*/true};
      stats.executed++;
      stats.byStatus[status % kExternalStatuses]++;
    }
  return {done.rows, done.failed, /*noted=*/false};
}

} // namespace fathom::explore
