#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""complete-zsh.py FOLDER LINE: LINE as zsh completes it when Tab is pressed at its end. FOLDER has the completion functions."""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile

WAIT = 60  # seconds without a byte: the shell hangs
# Control-T prints the line as Tab has left it.
SETUP = r"""
PROMPT= PS2=
fpath=($COMPLETIONS $fpath)
autoload -Uz compinit
compinit -u -D
show() { print -r -- "<<<$BUFFER>>>"; exit }
zle -N show
bindkey '^T' show
bindkey '^I' complete-word
print READY
"""


def main():
    folder, line = sys.argv[1:]
    with tempfile.TemporaryDirectory() as home:
        with open(os.path.join(home, ".zshrc"), "w") as setup:
            setup.write(SETUP)
        return answer(line, dict(os.environ, ZDOTDIR=home, COMPLETIONS=folder, TERM="dumb"))


def answer(line, environment):
    ours, theirs = pty.openpty()
    shell = subprocess.Popen(["zsh", "-d", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True)
    os.close(theirs)
    text, sent = "", False
    while select.select([ours], [], [], WAIT)[0]:
        try:
            block = os.read(ours, 4096)
        except OSError:
            break
        if not block:
            break
        text += block.decode(errors="replace")
        if not sent and "READY" in text:
            sent = True
            os.write(ours, (line + "\t\x14").encode())
    shell.kill()
    shell.wait()
    found = re.search(r"<<<(.*)>>>", text)
    print(found.group(1) if found else "no answer: " + repr(text[-500:]))
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
