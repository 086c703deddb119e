# Licensed under the MIT License. See LICENSE.
"""The checks of pages find each fault, and name its file and line: in a repository of four pages, and in a site of two."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GOOD = {
    "README.md": "# Product\n\n```sh\nswift build\n```\n\n[All pages](docs/README.md)\n",
    "CONTRIBUTING.md": "# Contributing\n",
    "docs/README.md": "# All pages\n\n## Start\n\n- [Install](Install.md)\n\n## Contributing\n\n- [Contributing](../CONTRIBUTING.md)\n",
    "docs/Install.md": "# Install\n\n| in these pages | write |\n| --- | --- |\n| `CLIENT-ID` | an ID |\n\n## Clone\n",
    "docs/Old.md": "# Old\n",
    "docs/site/redirects.txt": "docs/Old.md -> docs/Install.md#clone\n",
}
# What is appended to a file, and the fault that this is.
BAD = [
    ("docs/Install.md", "[dead](Missing.md)\n", "docs/Install.md:8: there is no Missing.md"),
    ("docs/Install.md", "[dead](README.md#missing)\n", "docs/Install.md:8: docs/README.md has no anchor #missing"),
    ("docs/Install.md", "\n| `docs` | contents |\n| --- | --- |\n| `sites` | pages |\n", "docs/Install.md:9: the table of docs omits site"),
    ("docs/Install.md", "\n| `docs` | contents |\n| --- | --- |\n| `sites` | pages |\n", "docs/Install.md:9: the table of docs names no folder: sites"),
    ("docs/Lost.md", "# Lost\n", "docs/Lost.md:1: docs/README.md does not list this page"),
    ("docs/README.md", "- [Install](Install.md)\n", "docs/README.md:10: docs/Install.md is in two sections"),
    ("docs/Install.md", "# Other\n", "docs/Install.md:8: a second title: Other"),
    ("CHANGELOG.md", "# Install\n", "docs/Install.md:1: CHANGELOG.md has the same title: Install"),
    ("docs/Install.md", "git clone git@github.com:me/msal-swift-linux.git\n",
     "docs/Install.md:8: git@github.com:me/msal-swift-linux.git instead of https://github.com/OWNER/msal-swift-linux"),
    ("docs/Install.md", "```sh\nmsal login  # TENANT\nmsal --tenant TENANT\n```\n",
     "docs/Install.md:10: the placeholder TENANT is neither in docs/Install.md nor explained on this page"),
    ("docs/Install.md", "```sh\necho '$left' ${default:-1}\necho $token\n```\n",
     "docs/Install.md:10: no shell block of this page, or of a page that it links to, sets $token"),
    ("docs/site/redirects.txt", "docs/Older.md -> docs/Install.md#missing\n", "docs/site/redirects.txt:2: there is no page docs/Install.md#missing"),
    ("docs/site/redirects.txt", "docs/Install.md -> docs/README.md\n", "docs/site/redirects.txt:2: docs/Install.md is a page"),
]
SITE = {"a.html": '<a href="b.html#here">', "b.html": '<p id="here"><img src="b.html">'}
BAD_SITE = [
    ("a.html", '<a href="b.html#there">', "FAILED a.html: there is no anchor b.html#there"),
    ("a.html", '<a href="c.html">', "FAILED a.html: there is no c.html"),
    ("b.html", '<script src="//cdn.example/x.js">', "FAILED b.html: the page loads //cdn.example/x.js from another host"),
    ("x.css", "@import 'https://fonts.example/x';", "FAILED x.css: the style loads https://fonts.example/x from another host"),
]


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def git(folder, *arguments):
    subprocess.run(["git", "-C", folder, "-c", "user.name=check", "-c", "user.email=check@contoso.example", "-c", "commit.gpgSign=false",
                    *arguments], check=True,
                   stdout=subprocess.DEVNULL)


def output(program, *arguments):
    return subprocess.run([sys.executable, program, *arguments], capture_output=True, text=True, check=False)


def repository(folder):
    """A repository with the checks and good pages, of which one was deleted."""
    write(folder, GOOD)
    shutil.copytree(ROOT / "Tests/Docs", folder / "Tests/Docs")
    shutil.copy(ROOT / "docs/site/pages.py", folder / "docs/site")
    git(folder, "init", "--quiet")
    git(folder, "add", "README.md", "CONTRIBUTING.md", "docs")
    git(folder, "commit", "--quiet", "--message", "Good pages")
    git(folder, "rm", "--quiet", "docs/Old.md")
    git(folder, "commit", "--quiet", "--message", "One page less")


def main():
    failures = []

    def expect(done, line):
        if done.returncode != (1 if line else 0) or line and line not in done.stdout.splitlines():
            failures.append(f"FAILED: expected {line or 'no fault'}, got\n{done.stdout}{done.stderr}")

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        repository(folder)
        check = folder / "Tests/Docs/links.py"
        expect(output(check), None)
        for name, text, line in [*BAD, ("docs/site/redirects.txt", None, "docs/site/redirects.txt:1: docs/Old.md is missing, which the site had")]:
            (folder / name).write_text("" if text is None else GOOD.get(name, "") + text)
            git(folder, "add", "docs", "*.md")
            expect(output(check), line)
            git(folder, "reset", "--quiet", "--hard")
        site = folder / "site"
        write(site, SITE)
        expect(output(ROOT / "Tests/Docs/site.py", site), None)
        for name, text, line in BAD_SITE:
            write(site, {name: SITE.get(name, "") + text})
            expect(output(ROOT / "Tests/Docs/site.py", site), line)
            shutil.rmtree(site)
            write(site, SITE)
    print("\n".join(failures) or f"The checks found all {len(BAD) + 1 + len(BAD_SITE)} faults of the sample pages.")
    sys.exit(1 if failures else 0)


main()
