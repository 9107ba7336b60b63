#!/bin/sh
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# scratch.sh TEST PROGRAM: the directory that the test works in is gone afterwards.
cat >"$1.where" <<'END'
#!/bin/sh
pwd >&3
END
chmod +x "$1.where"
where=$("$1" "$1.where" 3>&1)
[ -n "$where" ] && [ ! -e "$where" ] && "$1" "$2"
