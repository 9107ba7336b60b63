# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The end-to-end tests: `scripts/run-tests` runs them all; one of them or one folder alone:
#
#     scripts/lit test/bugs/double-free.c -v
#
# Substitutions beside lit's own (%s, %t, %S ...):
#   %fathom, %fathom-cc, %fathom-c++   the tools that were built, under a time limit (a hang is a failure, not a stuck suite)
#   %differential         scripts/differential: native against interpreted
#   %concrete             test/concrete/check.sh: the same at every level of optimisation
#   %threads              test/threads/check.sh: native against interpreted, for programs with threads
#   %check-bugs           test/check-bugs.py: a program's marked bugs, and the fixed twin's none
#   %bruteforce           test/explore/bruteforce.py: explored paths against enumerated ones
#   %merges               test/merge/check.py: what a program does, with and without merging
#   %sizes                test/sizes/check.py: what it does with inputs of symbolic length, and with each length
#   %explore              test/explore/check.py: one exploration's numbers
#   %faults               test/faults/fault.py: one exploration in which something goes wrong
#   %campaign             test/campaign, for its scripts
#   %examples, %subjects, %root, %scripts, %build
#   not, count, FileCheck LLVM's
#
# --param explore="--branch-checks lazy": options of every exploration that %check-bugs, %bruteforce and %explore start.
#
# Features for REQUIRES:
#   thorough              everything but --fast, which leaves out what thorough.txt names as well
#   nightly               --nightly
#   subject-NAME          build/subjects/NAME was built (scripts/subject NAME)
#   replay                fathom replay exists in this version
#   afl-fuzz              AFL++ is installed
#   slurm                 Debian's slurmctld, slurmd, slurm-client and munge are installed (./dev test installs them), and we are root: Slurm can be started
#   cppcheck              cppcheck is installed
#   chromium              Debian's chromium and chromium-driver are installed (./dev test installs them)
#   axe-core              build/browser has it (./dev test fetches it where there is npm)
#   cmake, man, zsh, fish, doxygen these programs are installed
#   mmdebstrap            it is installed, and we are root
#   mounts                a process may have mounts of its own (root)
#   outside-tmp           the tests lie in no folder that a replayed program may write
import os
import shutil
import subprocess
import sys


root = os.path.dirname(config.test_source_root or os.path.dirname(os.path.abspath(__file__)))
if not os.path.exists(os.path.join(root, "layers.txt")):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(root, "test"))
from tiers import Tiers
build = os.path.abspath(lit_config.params.get("build", os.path.join(root, "build")))

config.name = "fathom"
config.test_format = Tiers(os.path.join(root, "test", "thorough.txt"))
config.suffixes = [".c", ".cpp", ".ll", ".test"]
if lit_config.params.get("explore"):
    config.suffixes.remove(".test")  # they start explorations of their own
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(root, "test")
config.test_exec_root = lit_config.params.get("exec", os.path.join(build, "test"))

llvm_tools = "/usr/lib/llvm-19/bin"
bin_dir = os.path.join(build, "bin")
scripts = os.path.join(root, "scripts")

# Nothing of the caller's environment reaches a test, apart from what tools need to be found.
config.environment = {
    "PATH": os.pathsep.join([bin_dir, llvm_tools, os.environ.get("PATH", "/usr/bin:/bin")]),
    "LC_ALL": "C",
    "TZ": "UTC",
    "HOME": os.path.join(build, "test"),
    "FATHOM_BUILD": build,
    "PYTHONDONTWRITEBYTECODE": "1",
    "FATHOM_TEST_EXPLORE": lit_config.params.get("explore", ""),
}

limit = lit_config.params.get("limit", "400")
guard = "timeout -k 5 %s " % limit


def substitute(name, text):
    config.substitutions.append((name, text))


# Longer names first: lit replaces in this order.
substitute("%bindir", bin_dir)  # without a time limit: for scripts that have their own
substitute("%fathom-c\\+\\+", guard + os.path.join(bin_dir, "fathom-c++"))
substitute("%fathom-cc", guard + os.path.join(bin_dir, "fathom-cc"))
substitute("%fathom", guard + os.path.join(bin_dir, "fathom"))
substitute("%differential", guard + os.path.join(scripts, "differential"))
substitute("%concrete", guard + os.path.join(root, "test", "concrete", "check.sh"))
substitute("%threads", guard + os.path.join(root, "test", "threads", "check.sh"))
substitute("%check-bugs", guard + os.path.join(root, "test", "check-bugs.py"))
substitute("%bruteforce", guard + os.path.join(root, "test", "explore", "bruteforce.py"))
substitute("%merges", guard + os.path.join(root, "test", "merge", "check.py"))
substitute("%sizes", guard + os.path.join(root, "test", "sizes", "check.py"))
substitute("%explore", guard + os.path.join(root, "test", "explore", "check.py"))
substitute("%faults", guard + os.path.join(root, "test", "faults", "fault.py"))
substitute("%campaign", guard + os.path.join(root, "test", "campaign"))
substitute("%examples", os.path.join(root, "examples"))
substitute("%subjects", os.path.join(build, "subjects"))
substitute("%scripts", scripts)
substitute("%build", build)
substitute("%root", root)
substitute(r"\bnot\b", os.path.join(llvm_tools, "not"))
substitute(r"\bcount\b", os.path.join(llvm_tools, "count"))
substitute(r"\bFileCheck\b", os.path.join(llvm_tools, "FileCheck"))

if lit_config.params.get("fast") != "1":
    config.available_features.add("thorough")
if lit_config.params.get("nightly") == "1":
    config.available_features.add("nightly")
subjects = os.path.join(build, "subjects")
if os.path.isdir(subjects):
    for name in sorted(os.listdir(subjects)):
        if os.path.exists(os.path.join(subjects, name, ".fathom-built")):
            config.available_features.add("subject-" + name)
fathom = os.path.join(bin_dir, "fathom")
if os.path.exists(fathom):
    probe = subprocess.run([fathom, "replay", "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if probe.returncode == 0 and "not available" not in probe.stdout and "DIR" in probe.stdout:
        config.available_features.add("replay")
if subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("mounts")
if not root.startswith(("/tmp/", "/var/tmp/", "/dev/shm/")):
    config.available_features.add("outside-tmp")
if shutil.which("afl-fuzz"):
    config.available_features.add("afl-fuzz")
if all(shutil.which(p) for p in ("chromium", "chromedriver")):
    config.available_features.add("chromium")
if os.path.exists(os.path.join(build, "browser", "node_modules", "axe-core", "axe.min.js")):
    config.available_features.add("axe-core")
if os.geteuid() == 0 and all(shutil.which(p) for p in ("munged", "slurmctld", "slurmd", "sbatch")):
    config.available_features.add("slurm")
if os.geteuid() == 0 and shutil.which("mmdebstrap"):
    config.available_features.add("mmdebstrap")
for program in ("cmake", "cppcheck", "valgrind", "man", "zsh", "fish", "doxygen"):
    if shutil.which(program):
        config.available_features.add(program)
