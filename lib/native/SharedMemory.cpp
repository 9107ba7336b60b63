// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "native/SharedMemory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fathom::native {

SharedMemory::~SharedMemory() {
  if (data_) munmap(data_, size_);
  if (file_ >= 0) close(file_);
}

bool SharedMemory::make() {
  if (file_ >= 0) return true;
  file_ = memfd_create("fathom-rows", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // The child has the file too. If it could shrink the file, our reads would raise SIGBUS.
  if (file_ >= 0 && fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) < 0) {
    close(file_);
    file_ = -1;
  }
  return file_ >= 0;
}

bool SharedMemory::grow(size_t bytes) {
  if (data_ && size_ >= bytes) return true;
  if (data_) munmap(data_, size_);
  data_ = nullptr;
  size_ = 0;
  if (!make() || ftruncate(file_, static_cast<off_t>(bytes)) < 0) return false;
  void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (at == MAP_FAILED) return false;
  data_ = static_cast<uint8_t *>(at);
  size_ = bytes;
  return true;
}

} // namespace fathom::native
