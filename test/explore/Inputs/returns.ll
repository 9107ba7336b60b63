; A program without libc: main's value is the status.
define i32 @main() {
  ret i32 259
}
