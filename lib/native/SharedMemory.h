// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a child maps too: a file without a name, whose size is sealed so that no process can
// shrink it.
#ifndef FATHOM_NATIVE_SHAREDMEMORY_H
#define FATHOM_NATIVE_SHAREDMEMORY_H

#include <cstddef>
#include <cstdint>

namespace fathom::native {

class SharedMemory {
public:
  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  /// Makes the file, if there is none. False: the system has no room for it.
  bool make();
  /// At least so many bytes, mapped here to be read and written. What a child has mapped before
  /// stays as large as it was. False: no room; what was mapped is gone.
  bool grow(size_t bytes);
  int file() const { return file_; }
  uint8_t *data() const { return data_; }
  size_t size() const { return size_; }

private:
  int file_ = -1;
  uint8_t *data_ = nullptr;
  size_t size_ = 0;
};

} // namespace fathom::native
#endif
