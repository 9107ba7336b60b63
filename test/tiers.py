# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's shell tests, without those that take long where --fast is wanted. (A module, because lit's workers get the object by its class's name.)"""
import lit.Test
import lit.formats


class Tiers(lit.formats.ShTest):
    def __init__(self, thorough):
        """`thorough` is the file that names what --param fast=1 leaves out."""
        super().__init__(execute_external=False)
        self.thorough = {line for line in open(thorough).read().splitlines() if line and not line.startswith("#")}

    def execute(self, test, lit_config):
        if lit_config.params.get("fast") == "1" and "/".join(test.path_in_suite) in self.thorough:
            return lit.Test.UNSUPPORTED, "Test requires the following unavailable features: thorough"
        return super().execute(test, lit_config)
