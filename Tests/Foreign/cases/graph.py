# Licensed under the MIT License. See LICENSE.
"""Microsoft Graph from the command line: pages, downloads, uploads, repetitions, and the recipients of the token."""
import json
import os
import subprocess
import sys

import made
from wire import Answer, as_json, redirect

FILES = "files.contoso.com"
MEGABYTE = 1_000_000
# The additional memory for a large response, in kilobytes. A small response takes 46 MB in a release build, so a large one stays
# below 64 MB; a debug build takes 60 MB for its code.
MORE_MEMORY = 8 * 1024

# Linux counts the parent's peak memory for a new program, and this program holds whole files. So a small program starts the
# command, and reports its exit status and memory.
STARTER = """
import os, sys
_, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
with open(sys.argv[1], "w") as notes:
    print(os.waitstatus_to_exitcode(status), usage.ru_maxrss, file=notes)
"""


def measured(world, *arguments):
    """Runs the command; returns its outcome, its output, and its peak memory."""
    notes = world.folder / "notes"
    done = subprocess.run([sys.executable, "-c", STARTER, str(notes), str(world.build / "msal"), *arguments],
                          stdin=subprocess.DEVNULL, capture_output=True, env=world.environment, check=True)
    status, memory = map(int, notes.read_text().split())
    return status, done.stdout, memory


def pages(world):
    """A thousand pages of 4 KB, written as they arrive."""
    def page(request):
        number = int(request.query.get("$skiptoken", "0"))
        people = [{"id": f"{number}-{index}", "displayName": "x" * 360} for index in range(10)]
        link = {"@odata.nextLink": f"https://{request.host}/v1.0/users?$skiptoken={number + 1}"} if number < 999 else {}
        assert request.headers["authorization"] == "Bearer access-1"
        assert request.headers["consistencylevel"] == "eventual"
        return as_json({"value": people, **link})

    world.login()
    status, _, small = measured(world, "graph", "/me")
    assert status == 0
    world.service.always("graph", page)
    status, output, memory = measured(world, "graph", "/users", "--paginate", "-H", "ConsistencyLevel: eventual")
    assert status == 0
    people = json.loads(output)
    assert len(people) == 10_000 and people[-1]["id"] == "999-9"
    assert memory < small + MORE_MEMORY, f"{memory} KB, and {small} KB for a small response"
    count = world.msal("graph", "/users", "--paginate", "--query", "length(@)", "-o", "raw",
                       "--consistency-level", "eventual", timeout=120)
    assert count.out == "10000\n", count


def linking(link, words):
    def case(world):
        world.login()
        world.service.always("graph", as_json({"value": [{"id": 1}], "@odata.nextLink": link}))
        text = world.msal("graph", "/users", "--paginate")
        assert text.status == 1 and words in text.errors, text
        program = world.msal("graph", "/users", "--paginate", "-o", "json")
        assert program.status == 1 and words in program.text
        assert len(world.service.seen("graph")) == 2
        assert not world.service.at("attacker.example") and not world.service.at(FILES)
    return case


def download(world):
    """64 MB through two redirects."""
    content = os.urandom(64 * MEGABYTE)

    def file(request):
        assert set(request.headers) == {"host"}, request.headers
        return redirect(f"https://{FILES}/part") if request.path == "/whole" else Answer(200, content)

    world.login()
    status, _, small = measured(world, "graph", "/me")
    assert status == 0
    world.service.always("graph", redirect(f"https://{FILES}/whole?sig=permission"))
    world.service.always("other", file)
    target = world.folder / "film.mp4"
    status, output, memory = measured(world, "graph", "/me/drive/root:/film.mp4:/content", "--save", str(target),
                                      "-o", "json")
    assert status == 0
    assert target.read_bytes() == content
    assert json.loads(output) == {"bytes": len(content), "file": str(target), "status": 200}
    assert memory < small + MORE_MEMORY, f"{memory} KB, and {small} KB for a small response"
    again = world.msal("graph", "/me/photo/$value", "--save", str(target))
    assert again.status == 2 and "already exists" in again.errors
    assert len(world.service.seen("graph")) == 2, "a token was sent for a file that is not written"
    assert target.read_bytes() == content


def download_that_breaks(world):
    world.login()
    world.service.always("graph", Answer(200, b"x" * MEGABYTE, cut=MEGABYTE // 2))
    target = world.folder / "film.mp4"
    outcome = world.msal("graph", "/content", "--save", str(target))
    assert outcome.status == 5, outcome
    assert not target.exists()


def download_without_https(world):
    world.login()
    world.service.always("graph", redirect(f"http://{FILES}/whole"))
    outcome = world.msal("graph", "/content", "--save", str(world.folder / "film.mp4"))
    assert outcome.status == 1 and "not https" in outcome.errors
    assert not world.service.at(FILES)


def upload(world):
    """12 MB in ranges, with a server that is busy once and that has lost a part of a range."""
    content = os.urandom(12 * MEGABYTE)
    received, busy = bytearray(), [True]

    def session(request):
        assert request.path == "/v1.0/me/drive/root:/film.mp4:/createUploadSession" and request.method == "POST"
        assert json.loads(request.body) == {"item": {"name": "film.mp4"}}
        return as_json({"uploadUrl": f"https://{FILES}/session?sig=permission"})

    def ranges(request):
        assert set(request.headers) <= {"host", "content-length", "content-range"}, request.headers
        if request.method == "GET":
            return as_json({"nextExpectedRanges": [f"{len(received)}-"]})
        start = int(request.headers["content-range"].removeprefix("bytes ").partition("-")[0])
        assert start == len(received) and request.headers["content-range"].endswith(f"/{len(content)}")
        if start > 0 and busy:
            busy.clear()
            received.extend(request.body[:1000])
            return as_json({}, 503, headers={"Retry-After": "1"})
        received.extend(request.body)
        if len(received) < len(content):
            return as_json({"nextExpectedRanges": [f"{len(received)}-"]}, 202)
        return as_json({"id": "item", "size": len(received)}, 201)

    world.login()
    world.service.always("graph", session)
    world.service.always("other", ranges)
    source = world.folder / "film.mp4"
    source.write_bytes(content)
    outcome = world.msal("graph", "/me/drive/root:/film.mp4:", "--upload", str(source), "--body",
                         '{"item": {"name": "film.mp4"}}', "--query", "size", "-o", "raw", "--debug", timeout=60)
    assert outcome.status == 0 and outcome.out == f"{len(content)}\n", outcome
    # The log contains the requests, but not the address of the upload, which grants access.
    assert "POST https://graph.microsoft.com/v1.0/me/drive/root:/film.mp4:/createUploadSession: HTTP 200" in outcome.errors
    assert f"PUT https://{FILES}: HTTP 202" in outcome.errors and "permission" not in outcome.errors, outcome
    assert bytes(received) == content and not busy


def repeated(world):
    world.login()
    world.service.once("graph", made.graph_error(429, "TooManyRequests", "Slow down.", **{"Retry-After": "1"}))
    assert world.msal("graph", "/me").status == 0
    busy = made.graph_error(503, "serviceNotAvailable", "Later.", **{"Retry-After": "1"})
    world.service.once("graph", busy)
    outcome = world.msal("graph", "/me/messages", "-f", "subject=Lunch", "-F", "isRead=false")
    assert outcome.status == 1 and "Later." in outcome.errors and "With --retry" in outcome.errors, outcome
    sent = world.service.seen("graph")[-1]
    assert sent.method == "POST" and json.loads(sent.body) == {"subject": "Lunch", "isRead": False}
    assert sent.headers["content-type"] == "application/json"
    world.service.once("graph", busy)
    assert world.msal("graph", "/me/messages", "-f", "subject=Lunch", "--retry").status == 0
    far = made.graph_error(429, "TooManyRequests", "Slow down.", **{"Retry-After": "600"})
    world.service.once("graph", far)
    outcome = world.msal("graph", "/me", timeout=10)
    assert outcome.status == 1 and "Try again in 600 seconds." in outcome.errors, outcome


def no_json(world):
    """A body that is not JSON although its headers say so."""
    world.login()
    world.service.always("graph", Answer(200, b"<html>", {"Content-Type": "application/json"}))
    for arguments in [(), ("-o", "json"), ("--query", "id"), ("--paginate",)]:
        outcome = world.msal("graph", "/me", *arguments)
        assert outcome.status == 1 and "not JSON" in outcome.text and "sign-in portal" in outcome.text, outcome
    assert world.msal("graph", "/me", "-o", "raw").out == "<html>"


def shown(world):
    world.login()
    # HTTP allows no escape character in a header (RFC 9110 §5.5). Other characters that a terminal interprets get through.
    world.service.always("graph", as_json({}, headers={"X-Day": "today\x1b[1m"}))
    broken = world.msal("graph", "/me", "-i")
    assert broken.status == 5 and "is not HTTP" in broken.errors and "X-Day" not in broken.text, broken
    asked = len(world.service.seen("graph"))
    world.service.always("graph", as_json({"a": {"b": [{"c": 1}]}}, headers={"X-Day": "today\u202e\x9b1m"}))
    head = world.msal("graph", "/me", "-i", "--beta", "--param", "$select=a b+c")
    assert head.out.startswith("HTTP 200\n") and head.out.endswith("}\n"), head
    assert "\nX-Day: today<U+202E><U+009B>1m\n" in head.out, head
    assert world.service.seen("graph")[-1].target == "/beta/me?$select=a%20b%2Bc"
    assert world.msal("graph", "/me", "--silent").out == ""
    assert world.msal("graph", "/me", "--query", "a.b[0].c", "-o", "raw").out == "1\n"
    sent = world.msal("graph", "/me", "-X", "put", "--input", "-", stdin="text")
    assert sent.status == 0 and world.service.seen("graph")[-1].body == b"text"
    for wrong in [("--query", "a | b"), ("-H", "Authorization: x"), ("-H", "nonsense"), ("-f", "x"),
                  ("-X", "GET", "-f", "a=b"), ("--paginate", "--save", "x"), ("--beta", "/v1.0/me")]:
        outcome = world.msal("graph", *wrong)
        assert outcome.status == 2, outcome
    assert len(world.service.seen("graph")) == asked + 4


CASES = {
    "a thousand pages become one array, with little memory": pages,
    "a page that links to another host gets no token": linking("https://attacker.example/v1.0/users", "attacker.example"),
    "a page that links to http gets no token": linking("http://graph.microsoft.com/v1.0/users?x", "the token is not sent there"),
    "a page that links to itself ends the list": linking("https://graph.microsoft.com/v1.0/users", "an earlier page"),
    "64 MB are saved with little memory, without the token at the redirects, and never over a file": download,
    "an interrupted download leaves nothing behind": download_that_breaks,
    "a download is redirected only to https": download_without_https,
    "a file is uploaded in ranges, without the token, and continues at the server's position": upload,
    "a busy service is called again after the time that it names, for changes only on request": repeated,
    "a body that is not JSON despite its headers is reported": no_json,
    "head, fields, parameters, beta and queries": shown,
}
