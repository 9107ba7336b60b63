# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the checks of this folder share: states of campaign.db, and alarms that triage says were seen to fail."""
import re


def values(blob):
    """The values of a state's bindings (docs/fuzz.md)."""
    found, number, shift = [], 0, 0
    for byte in blob:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            found.append((number >> 1) ^ -(number & 1))
            number = shift = 0
    return tuple(found)


def seen_alarms(alarms):
    """(alarm, state) of those that were seen to fail: they have probability 1. No estimate contradicts the abstract interpreter."""
    for alarm in alarms:
        estimate = alarm["estimate"]
        if not estimate:
            continue
        assert estimate["contradictions"] == 0, alarm
        if estimate["seen"]:
            assert estimate["probability"] == 1 and alarm["reported"], alarm
            yield alarm, {name: int(value) for name, value in re.findall(r"([^,]+?) = (-?\d+)(?:, )?", estimate["witness"])}
