# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command whose last argument is an address that is taken: taken.py COMMAND..."""
import socket
import subprocess
import sys

with socket.create_server(("127.0.0.1", 0)) as server:
    sys.exit(subprocess.run(sys.argv[1:] + ["127.0.0.1:%d" % server.getsockname()[1]]).returncode)
