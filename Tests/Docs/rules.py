# Licensed under the MIT License. See LICENSE.
"""What pages need besides live links: a place in the navigation, a title of their own, defined placeholders and shell variables, and
a row for each former address in docs/site/redirects.txt. links.py prints the faults."""
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "docs" / "site"))
from pages import FENCE, INDEX, LINK, linked, navigation, places, redirects  # noqa: E402

REPOSITORY = "https://github.com/OWNER/msal-swift-linux"
SPELLING = re.compile(r"(?:https?://|ssh://|git@)[\w.:/@-]*msal-swift-linux[\w.-]*|(?<=--repo )[\w-]+/[\w.-]+")
PAGE = re.compile(r"(?:docs/|Examples/[^/]*/|kits/[^/]*/|Packaging/|)[^/]+\.md|docs/.*\.md")
REDIRECTS = "docs/site/redirects.txt"
# In a shell block without its comments. A name before a colon is a kind, as in DNS:localhost.
COMMENT = re.compile(r"(?:^|\s)#\s.*")
PLACEHOLDER = re.compile(r"(?<![\w$.{-])[A-Z]{2,}(?:-[A-Z]+)*(?![\w=:}-])")
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
# Neither in single quotes nor with a default.
VARIABLE = re.compile(r"'[^'\n]*'|(?<!\\)\$\{?([A-Za-z_]\w*)(?!:?[-+?])\b")
ASSIGNMENT = re.compile(r"(?:^|[\s;(&|])(\w+)=|\bfor (\w+) in\b|\bread (?:-r )?(\w+)", re.M)
# Set by every login.
ENVIRONMENT = {"HOME", "PATH", "PWD", "USER", "XDG_RUNTIME_DIR"}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def without_code(text):
    """The text with its fenced blocks empty, in which every line keeps its number."""
    return FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), text)


def shell_blocks(text):
    """The line on which each shell block begins, and the block without comments."""
    for fence in FENCE.finditer(text):
        if re.match(r" *```(?:sh|bash)\n", fence[0]):
            yield line_of(text, fence.start()), COMMENT.sub("", fence[0])


def assigned(text):
    return {name for _, block in shell_blocks(text) for names in ASSIGNMENT.findall(block) for name in names if name}


def navigation_faults(pages):
    listed = collections.Counter(path for section in navigation().values() for path in section)
    known = places()
    for path in pages:
        if path not in known:
            yield path, 1, f"{INDEX} does not list this page"
    text = read(INDEX)
    for path in (path for path, count in listed.items() if count > 1):
        yield INDEX, line_of(text, text.rindex(path.removeprefix("docs/"))), f"{path} is in two sections"


def title_faults(pages):
    titles = collections.defaultdict(list)
    for path in pages:
        text = without_code(read(path))
        found = list(re.finditer(r"^# +(.+?) *$", text, re.M))
        if not found:
            yield path, 1, "the page has no title"
        for extra in found[1:]:
            yield path, line_of(text, extra.start()), f"a second title: {extra[1]}"
        if found:
            titles[found[0][1].replace("`", "")].append((path, line_of(text, found[0].start())))
    for title, places_of_it in titles.items():
        for path, line in places_of_it[1:]:
            yield path, line, f"{places_of_it[0][0]} has the same title: {title}"


def placeholder_faults(pages):
    defined = set(re.findall(r"[A-Z]{2,}(?:-[A-Z]+)*", "".join(re.findall(r"^\| (`.+?) \|", read("docs/Install.md"), re.M))))
    for path in pages:
        text = read(path)
        for spelling in SPELLING.finditer(text):
            written = spelling[0].rstrip(".,;:")
            if written not in (REPOSITORY, REPOSITORY.removeprefix("https://github.com/")):
                yield path, line_of(text, spelling.start()), f"{written} instead of {REPOSITORY}"
        explained = set(re.findall(r"`([A-Z-]+)`", without_code(text)))
        for start, block in shell_blocks(text):
            for found in PLACEHOLDER.finditer(block):
                if found[0] not in defined | explained | METHODS:
                    yield path, start + block.count("\n", 0, found.start()), (
                        f"the placeholder {found[0]} is neither in docs/Install.md nor explained on this page")


def variable_faults(pages):
    for path in pages:
        text = read(path)
        linked_pages = {linked(path, target)[0] for _, _, target, _ in LINK.findall(without_code(text)) if target}
        elsewhere = {name for page in linked_pages if page in pages for name in assigned(read(page))}
        known = ENVIRONMENT | elsewhere | assigned(text) | set(re.findall(r"`\$?([A-Z][A-Z0-9_]+)`", without_code(text)))
        for start, block in shell_blocks(text):
            for found in VARIABLE.finditer(block):
                if found[1] and found[1] not in known:
                    yield path, start + block.count("\n", 0, found.start()), (
                        f"no shell block of this page, or of a page that it links to, sets ${found[1]}")


def redirect_faults(anchors):
    """Faults of the table. `anchors` returns those of a page."""
    rows, known = redirects(), places()
    lines = read(REDIRECTS).splitlines()

    def line(name):
        return next((number for number, row in enumerate(lines, 1) if name in row.split()), len(lines))

    for former, now in rows.items():
        page, _, anchor = now.partition("#")
        if page not in known or anchor and anchor not in anchors(page):
            yield REDIRECTS, line(former), f"there is no page {now}"
        if former in known:
            yield REDIRECTS, line(former), f"{former} is a page"
    # Only the commits that this clone has.
    log = ["git", "-C", ROOT, "log", "--format=", "--no-renames"]
    deleted = subprocess.check_output([*log, "--name-only", "--diff-filter=D", "--", "*.md"], text=True).split("\n")
    articles = subprocess.check_output([*log, "-p", "--", "docs/site/pages.txt"], text=True)
    former = {path for path in deleted if PAGE.fullmatch(path)} - known.keys()
    former |= {f"documentation/{library}/{name}".lower() for library, name in re.findall(r"^\+\S+\.md +(\w+) +(\S+)$", articles, re.M)}
    for name in sorted(former - rows.keys()):
        yield REDIRECTS, len(lines) or 1, f"{name} is missing, which the site had"


def faults(tracked, anchors):
    """The file, the line, and the text of each fault."""
    pages = [path for path in tracked if PAGE.fullmatch(path)]
    yield from navigation_faults(pages)
    yield from title_faults(pages)
    yield from placeholder_faults(pages)
    yield from variable_faults(pages)
    yield from redirect_faults(anchors)
