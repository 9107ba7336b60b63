; A result of more words than any compiler for C returns in registers, directly and through a pointer.
@table = global ptr @lanes
define <32 x i8> @lanes() {
  %v = insertelement <32 x i8> zeroinitializer, i8 7, i32 31
  ret <32 x i8> %v
}
define i32 @main() {
  %v = call <32 x i8> @lanes()
  %f = load ptr, ptr @table
  %w = call <32 x i8> %f()
  %x = extractelement <32 x i8> %v, i32 31
  %y = extractelement <32 x i8> %w, i32 31
  %sum = add i8 %x, %y
  %status = zext i8 %sum to i32
  ret i32 %status
}
