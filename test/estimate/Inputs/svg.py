#!/usr/bin/env python3
# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""svg.py FILE: fails unless it is well-formed XML whose coordinates are numbers and whose title fits; counts paths and marks."""
import sys
import xml.dom.minidom

document = xml.dom.minidom.parse(sys.argv[1])
for tag in ("line", "circle", "text", "path"):
    for element in document.getElementsByTagName(tag):
        for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "d", "transform"):
            value = element.getAttribute(name)
            assert "nan" not in value and "inf" not in value, element.toxml()
BOLD = 7.1  # pixels of a character, on average
width = float(document.documentElement.getAttribute("width"))
for element in document.getElementsByTagName("text"):
    if element.getAttribute("font-weight") == "bold":
        text = element.firstChild.data
        assert float(element.getAttribute("x")) + BOLD * len(text) <= width, "cut off: " + text
print(len(document.getElementsByTagName("path")), "paths", len(document.getElementsByTagName("circle")), "marks")
