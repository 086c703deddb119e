# Licensed under the MIT License. See LICENSE.
"""A browser as a program, for the variable BROWSER: command.py CA_FILE USER PASSWORD URL"""
import sys

from .browser import Browser, SignInFailed


def main():
    if len(sys.argv) != 5:
        raise SystemExit(__doc__)
    ca_file, user, password, url = sys.argv[1:]
    try:
        print(Browser(ca_file, user, password).open(url))
    except SignInFailed as failure:
        raise SystemExit(f"entra-emulator's browser: {failure}") from None


if __name__ == "__main__":
    main()
