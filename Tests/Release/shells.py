# Licensed under the MIT License. See LICENSE.
"""What a user types: the first letters of a subcommand and the Tab key, in each shell; and man."""
import pathlib
import re
import sys

from roots import ROOT_OF_PROJECT

sys.path.append(str(pathlib.Path(ROOT_OF_PROJECT) / "Tests" / "Environments"))
from terminal import Terminal  # noqa: E402

# The letters, and the word that starts with them.
WORDS = {"msal who": "msal whoami", "entra-emulator fed": "entra-emulator federated-token"}


def typed(system, shell, *preparations):
    """Types in a terminal and checks the shell's completion."""
    for letters, word in WORDS.items():
        terminal = Terminal(system.login(shell), None)
        try:
            for line in ("PS1='ready''> '", *preparations):
                terminal.type(line + "\n")
            terminal.type("echo set''tled\n")
            terminal.await_text("settled")
            terminal.await_text("ready> $")
            terminal.type(letters + "\t")
            terminal.await_text(f"{word} ", seconds=10)
        except AssertionError as error:
            raise AssertionError(f"{error} after {letters!r}; it shows {terminal.text[-300:]!r}") from error
        finally:
            terminal.close()


def bash(system):
    typed(system, "bash -i")


def zsh(system, *preparations):
    typed(system, "zsh -f -i", *preparations, "autoload -U compinit && compinit -u -D")


def fish(system):
    for letters, word in WORDS.items():
        text = system.user(f"fish -c 'complete --do-complete \"{letters}\"'")
        assert word.split()[-1] in text, f"fish offers {text!r} for {letters!r}"


def manual(system, commands):
    for command in commands:
        text = system.user(f"MANWIDTH=80 man -P cat {command}")
        assert re.search(rf"^NAME\n +{command} +(-+|[–—]) \w", text, re.M), f"it shows {text[:300]!r}"
