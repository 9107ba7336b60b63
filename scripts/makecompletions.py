# Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completions for bash, zsh and fish from the model of the command line (part of make-pages)."""
import os
import re

FILES, FOLDERS, COMMANDS = "file", "dir", "command"


def kind_of(option):
    """What an option's value is a name of; "" if nothing can complete it."""
    words = re.findall(r"[A-Z]+", option["type"] or "") or re.findall(r"[A-Z]+", option.get("positional", ""))
    words += [option.get("positional", "")] if not option["names"] else []
    if set(words) & {"FILE", "PROGRAM", "LIB", "DICT", "LABELS", "INPUT", "PATH"}:
        return FILES
    if set(words) & {"DIR", "FOLDER", "OUT"}:
        return FOLDERS
    return COMMANDS if "CMD" in words else ""


def values_of(option):
    """`name=WHAT` can be completed up to its equals sign."""
    return [re.sub(r"=.+", "=", value) for value in option["values"]]


def short(text):
    """The first clause of a help text."""
    text = re.split(r"[;:(]", re.sub(r"^\[=\w+\] ", "", text))[0].strip()
    return text if len(text) <= 76 else text[:73].rsplit(" ", 1)[0] + " ..."


def all_commands(top):
    """Names ("psp triage") and models, the top first."""
    yield "", top
    for command in top["subcommands"]:
        yield command["name"], command
        for own in command["subcommands"]:
            yield command["name"] + " " + own["name"], own


def groups(top):
    """Commands that have subcommands of their own."""
    return [command["name"] for command in top["subcommands"] if command["subcommands"]]


# ---- bash ---------------------------------------------------------------------------------------------------------

BASH = r"""# Completion of fathom and fathom-cc for bash. Made by Fathom's scripts/make-pages.

_fathom()
{
    local current=${COMP_WORDS[COMP_CWORD]} option= command= words= values= kind= index=1 joined=0
    COMPREPLY=()
    # The subcommand, and for @GROUPS@ its own.
    while ((index < COMP_CWORD)); do
        case ${COMP_WORDS[index]} in
        --) COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames 2>/dev/null; return ;;
        -*) ;;
        *) case $command in
            '') command=${COMP_WORDS[index]} ;;
            @GROUPPATTERN@) command+=" ${COMP_WORDS[index]}" ;;
            esac ;;
        esac
        ((index++))
    done
    # bash cuts --option=value into three words.
    if ((COMP_CWORD >= 1)); then option=${COMP_WORDS[COMP_CWORD - 1]}; fi
    if [[ $current == = ]]; then
        current= joined=1
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]} joined=1
    fi
    case $command in
@WORDS@
    esac
    case "$command $option" in
@VALUES@
    esac
    if [[ -n $values ]]; then
        local before=
        [[ $current != *,* ]] || before=${current%,*},
        COMPREPLY=($(compgen -P "$before" -W "$values" -- "${current##*,}"))
        [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[=:] ]] || compopt -o nospace 2>/dev/null
    elif [[ -z $kind && $current == -* || $kind == words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    elif [[ $kind == none ]]; then
        return
    elif [[ $kind == command ]]; then
        COMPREPLY=($(compgen -c -- "$current"))
    elif [[ -z $command || " @GROUPS@ " == *" $command "* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$current"))
    else
        local IFS=$'\n'
        compopt -o filenames 2>/dev/null
        if [[ $kind == dir ]]; then COMPREPLY=($(compgen -d -- "$current")); else COMPREPLY=($(compgen -f -- "$current")); fi
    fi
}
complete -F _fathom fathom
complete -o default -W '@COMPILER@' fathom-cc fathom-c++
"""


def bash(top, compiler):
    words, values = [], []
    for name, command in all_commands(top):
        list_of = [n for option in command["options"] for n in option["names"]] + command["symbolic"]
        words.append("    '%s') words='%s' ;;" % (name, " ".join([own["name"] for own in command["subcommands"]] + list_of)))
        by_kind = {}
        for option in command["options"]:
            patterns = ["'%s %s'" % (name, n) for n in option["names"]]
            if not patterns or option["flag"] and not option["values"]:
                continue
            if option["values"] and option["flag"]:  # --state-samples[=POINTS]
                values.append("    %s) ((!joined)) || values='%s' ;;" % (" | ".join(patterns), " ".join(values_of(option))))
            elif option["values"]:
                values.append("    %s) values='%s' ;;" % (" | ".join(patterns), " ".join(values_of(option))))
            else:
                by_kind.setdefault(kind_of(option) or "none", []).extend(patterns)
        by_kind.setdefault("none", []).extend("'%s %s'" % (name, n) for n in command["symbolic"])
        values += ["    %s) kind=%s ;;" % (" | ".join(patterns), kind) for kind, patterns in by_kind.items() if patterns]
    text = BASH.replace("@WORDS@", "\n".join(words)).replace("@VALUES@", "\n".join(values)).replace("@GROUPS@", " ".join(groups(top)))
    return text.replace("@GROUPPATTERN@", " | ".join(groups(top))).replace("@COMPILER@", " ".join(compiler))


# ---- zsh ----------------------------------------------------------------------------------------------------------

ZSH_ACTIONS = {FILES: "_files", FOLDERS: "_directories", COMMANDS: "_cmdstring", "": ""}


def zsh_quoted(text):
    return "'%s'" % text.replace("'", "'\\''")


def zsh_text(text):
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


def zsh_spec(option):
    """One argument of _arguments."""
    if not option["names"]:
        return zsh_quoted("*:%s:_files" % zsh_text(option["positional"]))
    values = values_of(option)
    action = "(%s)" % " ".join(zsh_text(v) for v in values) if values else ZSH_ACTIONS[kind_of(option)]
    value = "" if option["flag"] and not values else ":%s:%s" % (zsh_text(option["type"] or "VALUE"), action)
    if option["flag"] and values:
        value = ":" + value  # may be left out
    # Options can be repeated; only other names of one are not offered twice.
    specs = []
    for name in option["names"]:
        takes = "" if not value else "=-" if option["flag"] else "=" if name.startswith("--") else "+"
        specs.append(zsh_quoted("*%s%s[%s]%s" % (name, takes, zsh_text(short(option["help"])), value)))
    return " ".join(specs)


def zsh_function(name, command):
    lines = ["_arguments -S -s \\"]
    lines += ["    %s \\" % zsh_spec(option) for option in command["options"] if option["names"]]
    lines += ["    %s \\" % zsh_quoted("*%s[symbolic input]:VALUE:" % s) for s in command["symbolic"]]
    positional = [option for option in command["options"] if not option["names"]]
    if positional:
        lines.append("    %s \\" % zsh_quoted("*:%s:_files" % zsh_text(positional[0]["positional"])))
    return lines[:-1] + [lines[-1][:-2]]


def zsh_commands(commands):
    return "(" + " ".join(zsh_quoted("%s:%s" % (c["name"], zsh_text(short(c["help"])))) for c in commands) + ")"


def zsh_case(prefix, command, indent):
    """Completion of a command with subcommands: its own word first, then that subcommand's arguments."""
    out = ["local -a commands; commands=%s" % zsh_commands(command["subcommands"]), "local context state line; typeset -A opt_args",
           "_arguments -C -S \\"]
    out += ["    %s \\" % zsh_spec(option) for option in command["options"] if option["names"]]
    out += ["    '1:subcommand:->subcommand' '*::argument:->argument'", "case $state in",
            "subcommand) _describe -t commands subcommand commands ;;", "argument)", "    case $words[1] in"]
    for own in command["subcommands"]:
        function = "_".join(prefix + [own["name"]])
        out.append("    %s) %s ;;" % (own["name"], function))
    out += ["    esac ;;", "esac"]
    return [indent + line for line in out]


def zsh(top, _compiler):
    out = ["#compdef fathom", "# Completion of fathom for zsh. Made by Fathom's scripts/make-pages."]
    for name, command in all_commands(top):
        prefix = ["_fathom"] + name.split()
        body = zsh_case(prefix, command, "    ") if command["subcommands"] else ["    " + line for line in zsh_function(name, command)]
        out += ["", "_".join(prefix) + "() {"] + body + ["}"]
    return "\n".join(out + ["", '_fathom "$@"', ""])


# ---- fish ---------------------------------------------------------------------------------------------------------

FISH = r"""# Completion of fathom and fathom-cc for fish. Made by Fathom's scripts/make-pages.

# Whether the subcommand typed so far is this one: "" for none, "psp triage" for one of its own.
function __fathom_at
    set -l tokens (commandline -opc)
    set -l words
    for token in $tokens[2..-1]
        string match -q -- '-*' $token; and continue
        test (count $words) = 0; or contains -- "$words" @GROUPS@; or break
        set words $words $token
    end
    test "$words" = "$argv[1]"
end
"""


def fish_quoted(text):
    return "'%s'" % text.replace("\\", "\\\\").replace("'", "\\'")


def fish(top, compiler):
    out = [FISH.replace("@GROUPS@", " ".join(groups(top)))]
    for name, command in all_commands(top):
        at = "complete -c fathom -n %s" % fish_quoted("__fathom_at '%s'" % name)
        for own in command["subcommands"]:
            out.append("%s -f -a %s -d %s" % (at, own["name"], fish_quoted(short(own["help"]))))
        for option in command["options"]:
            names = " ".join(("-l " + n[2:]) if n.startswith("--") else "-s " + n[1:] for n in option["names"])
            if not names:
                if kind_of(option) == FOLDERS:
                    out.append("%s -a '(__fish_complete_directories)'" % at)
                continue
            values, kind = values_of(option), kind_of(option)
            action = ""
            if values and not option["flag"]:
                action = " -x -a %s" % fish_quoted(" ".join(values))
            elif not option["flag"]:
                action = {FILES: " -r -F", FOLDERS: " -x -a '(__fish_complete_directories)'", COMMANDS: " -x -a '(__fish_complete_command)'", "": " -x"}[kind]
            elif values:
                action = " -f -a %s" % fish_quoted(" ".join(values))
            out.append("%s %s%s -d %s" % (at, names, action, fish_quoted(short(option["help"]))))
        for symbolic in command["symbolic"]:
            out.append("%s -l %s -x -d 'symbolic input'" % (at, symbolic[2:]))
    for option in compiler:
        for program in ("fathom-cc", "fathom-c++"):
            out.append("complete -c %s -l %s" % (program, option[2:]))
    return "\n".join(out) + "\n"


def write(top, compiler, out):
    for folder, name, text in (("bash-completion/completions", "fathom", bash(top, compiler)), ("zsh/site-functions", "_fathom", zsh(top, compiler)),
                               ("fish/vendor_completions.d", "fathom.fish", fish(top, compiler))):
        os.makedirs(os.path.join(out, folder), exist_ok=True)
        with open(os.path.join(out, folder, name), "w") as file:
            file.write(text)
    # bash looks for a file of the command's name.
    for program in ("fathom-cc", "fathom-c++"):
        path = os.path.join(out, "bash-completion/completions", program)
        if not os.path.islink(path):
            os.symlink("fathom", path)
