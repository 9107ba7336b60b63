# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The messages between a coordinator and its workers (lib/explore/work/Protocol.h), for tests and benchmarks: frames and greetings."""
import hashlib
import hmac
import os
import re
import struct

HEAD = struct.Struct("<QB")


def kinds():
    """Their numbers, by name; read where they are declared."""
    header = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "explore", "work", "Protocol.h")
    body = re.search(r"enum class MessageKind[^{]*\{(.*?)\};", open(header).read(), re.S).group(1)
    body = re.sub(r"//.*", "", body)
    numbers, number = {}, 0
    for word in body.split(","):
        name, _, value = word.strip().partition("=")
        number = int(value) if value else number
        numbers[name.strip()] = number
        number += 1
    return numbers


def frame(kind, body=b""):
    return HEAD.pack(len(body), kind) + body


def texts(*words):
    """Fields of text, as ByteWriter has them."""
    return b"".join(struct.pack("<Q", len(w)) + w for w in words)


def take_texts(body):
    words = []
    while body:
        size, = struct.unpack_from("<Q", body)
        words.append(body[8:8 + size])
        body = body[8 + size:]
    return words


def receive(connection):
    """(kind, body), or None: the other side is gone."""
    def exactly(n):
        data = b""
        while len(data) < n:
            more = connection.recv(n - len(data))
            if not more:
                return None
            data += more
        return data

    head = exactly(HEAD.size)
    if head is None:
        return None
    size, kind = HEAD.unpack(head)
    body = exactly(size)
    return None if body is None else (kind, body)


def proof(key, role, theirs, ours):
    return hmac.new(key, role + b"\0" + theirs + ours, hashlib.sha256).digest()
