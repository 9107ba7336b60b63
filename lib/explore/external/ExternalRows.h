// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to ExternalServer.cpp and ExternalRows.cpp: the operations of a server, and the rows that
// are evaluated in its child processes.
#ifndef FATHOM_EXPLORE_EXTERNAL_EXTERNALROWS_H
#define FATHOM_EXPLORE_EXTERNAL_EXTERNALROWS_H

#include "explore/external/ExternalServer.h"

#include <algorithm>
#include <unordered_set>

namespace fathom::explore {

class ExternalServer::Operation final : public expr::ExternalOperation {
public:
  Operation(ExternalServer &server, ExternalSignature signature)
      : ExternalOperation(signature.name(), signature.inputBytes(), signature.outputBytes()),
        server_(&server), signature_(std::move(signature)) {}

  void apply(std::span<const uint8_t> in, std::span<uint8_t> out) override {
    std::string key(reinterpret_cast<const char *>(in.data()), in.size());
    if (auto it = known_.find(key); it != known_.end()) {
      server_->stats_.remembered++;
      std::copy(it->second.output.begin(), it->second.output.end(), out.begin());
      return;
    }
    server_->lastDetail_ = 0;
    server_->execute(signature_, in, out, signature_.apart);
    remember(std::move(key), out, server_->lastDetail_);
  }

  void applyAll(std::span<const uint8_t> in, std::span<uint8_t> out, size_t count) override {
    // Also for functions whose calls need a process of their own: for a search that is a hundred
    // times faster, and what it finds is confirmed by apply().
    server_->executeAll(signature_, in, out, count);
  }
  bool isPure() const override { return signature_.isPure; }
  void prepare(std::span<const uint8_t> in, size_t count) override;
  expr::RowHost *rowHost() override;
  std::string cSource(const std::string &name) const override;

  void remember(std::string key, std::span<const uint8_t> out, int detail) {
    constexpr size_t kMaxRemembered = size_t(32) << 20; // inputs and outputs
    if (bytes_ > kMaxRemembered) {
      known_.clear();
      bytes_ = 0;
    }
    bytes_ += key.size() + out.size() + 64;
    known_.emplace(std::move(key), Known{std::string(out.begin(), out.end()), detail});
  }

  const ExternalSignature &signature() const { return signature_; }
  int detail(std::span<const uint8_t> in) const {
    auto it = known_.find(std::string(reinterpret_cast<const char *>(in.data()), in.size()));
    return it == known_.end() ? 0 : it->second.detail;
  }

private:
  struct Known {
    std::string output;
    int detail;
  };
  ExternalServer *server_;
  ExternalSignature signature_;
  std::unordered_map<std::string, Known> known_;
  size_t bytes_ = 0;
};

/// Of one child process. What goes wrong in it is left to Operation::applyAll, which executes that
/// row by itself and notes it.
class ExternalServer::Rows final : public expr::RowHost {
public:
  Rows(ExternalServer &server, native::ExternalRunner &runner) : server_(server), runner_(runner) {}
  bool load(const expr::RowProgram &program) override;
  Run run(uint8_t *rows, size_t count, uint64_t *distances) override;

private:
  struct Output {
    uint32_t at; // in the row
    const std::string *function;
  };
  ExternalServer &server_;
  native::ExternalRunner &runner_;
  size_t rowBytes_ = 0, distances_ = 0;
  std::vector<Output> outputs_;
  std::unordered_set<std::string> failed_; ///< functions that returned a foreign pointer
};

} // namespace fathom::explore
#endif
