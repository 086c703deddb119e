# Licensed under the MIT License. See LICENSE.
"""The emulator as a separate process: starting, waiting for it, and stopping."""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import webbrowser

from .browser import Browser, SignInFailed, parameters_of
from .control import Control

LAST_LINE = "Ctrl-C ends the emulator."


class EmulatorFailed(Exception):
    """The emulator was not found, or did not start. The message contains its output."""


class Emulator:
    """A running emulator with separate ports and a separate state folder. Use it in a ``with``, or call :meth:`stop`.

    :param program: the program ``entra-emulator``; without it the variable ``ENTRA_EMULATOR`` or the ``PATH`` names it.
    :param arguments: additional arguments, such as ``["--seed", "directory.yaml"]``.
    """

    #: The password of all users in the default directory. It is published test data.
    password = "Pa55-word!"
    #: The public client of the default directory, whose redirect URI is ``http://localhost`` with any port.
    client_id = "00000000-0000-4000-8000-000000000001"
    #: The organization of the default directory.
    tenant = "contoso.example"

    def __init__(self, program=None, arguments=(), seconds=30):
        self._program = find(program)
        self._folder = tempfile.TemporaryDirectory(prefix="entra-emulator-")
        self._state = pathlib.Path(self._folder.name) / "state"
        self._lines, self._listens = [], threading.Event()
        try:
            self._process = subprocess.Popen(
                [self._program, "--port", "0", "--control-port", "0", "--state", str(self._state), *arguments],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        except OSError as error:
            self._folder.cleanup()
            raise EmulatorFailed(f"{self._program} cannot be started: {error}") from error
        threading.Thread(target=self._read, daemon=True).start()
        if not self._listens.wait(seconds) or self._process.poll() is not None:
            text = "".join(self._lines) or f"nothing within {seconds} seconds"
            self.stop()
            raise EmulatorFailed(f"{self._program} did not start; its output: {text}")
        greeting = "".join(self._lines)
        #: ``https://localhost:<port>``.
        self.base_url = found(r"^ *URL +(\S+)", greeting)
        #: The PEM file of the certificate authority that clients have to trust.
        self.ca_file = str(self._state / "ca.pem")
        #: The control API: faults, clock, journal, outbox and people.
        self.control = Control(
            found(r"^ *Console +(\S+)", greeting), found(r"^ *Control token +(\S+)", greeting), self.ca_file)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def __repr__(self):
        return f"<Emulator {self.base_url}>"

    def authority(self, tenant=None):
        """The address of a tenant, as clients expect it for their authority."""
        return f"{self.base_url}/{tenant or self.tenant}"

    @property
    def output(self):
        """The emulator's output, for the report of a failed test."""
        return "".join(self._lines)

    def variables(self, client):
        """The variables with which a client program trusts and finds the emulator, as in ``entra-emulator env``.

        :param client: ``msal-python``, ``azure-identity``, ``node``, ``go``, ``curl``, ``az`` or ``urlsession``.
        """
        port = self.base_url.rpartition(":")[2]
        lines = subprocess.run(
            [self._program, "env", "--for", client, "--port", port, "--state", str(self._state)],
            check=True, capture_output=True, text=True).stdout.splitlines()
        exports = (line[len("export "):].partition("=") for line in lines if line.startswith("export "))
        return {name: "".join(shlex.split(value)) for name, _, value in exports}

    def browser(self, user, password=None, consent=True, stay=False, code=None):
        """A browser in which this user signs in. Codes come from the outbox, unless ``code`` is set."""
        return Browser(self.ca_file, user, self.password if password is None else password,
                       code=(lambda text: code) if code else self.control.code_on, consent=consent, stay=stay)

    def sign_in(self, user, url, **choices):
        """Signs a user in for an authorization request, and returns the parameters that the redirect URI would receive.

        ``choices`` are those of :meth:`browser`.

        :raises SignInFailed: if the pages do not lead to a response. The message contains the text of the last page.
        """
        return self.browser(user, **choices).sign_in(url)

    @contextlib.contextmanager
    def browsing(self, user, **choices):
        """Inside the ``with``, the module ``webbrowser`` opens addresses in a browser of this user.

        MSAL and azure-identity sign in with it. The value is the :class:`Browser`.
        """
        browser, originals = self.browser(user, **choices), (webbrowser.open, webbrowser.get)

        class Controller(webbrowser.BaseBrowser):
            def open(self, url, new=0, autoraise=True):
                # The app listens for the response in the calling thread.
                threading.Thread(target=visit, args=(browser, url), daemon=True).start()
                return True

        controller = Controller("entra-emulator")
        webbrowser.open, webbrowser.get = controller.open, lambda using=None: controller
        try:
            yield browser
        finally:
            webbrowser.open, webbrowser.get = originals

    def browser_command(self, user, password=None):
        """The path of a program that opens its argument in a browser of this user: a value of ``BROWSER``."""
        path = pathlib.Path(self._folder.name) / ("browser-" + re.sub(r"\W", "-", user))
        words = [sys.executable, "-m", "pytest_entra_emulator.command", self.ca_file, user,
                 self.password if password is None else password]
        # Programs that start a browser expect it to return immediately.
        text = f"#!/bin/sh\n{' '.join(map(shlex.quote, words))} \"$1\" &\n"
        # A child process writes the program. If this process did, a child forked by another thread in the meantime would keep the file
        # open, and the system does not start a program whose file is open for writing ("Text file busy").
        subprocess.run(["/bin/sh", "-c", 'umask 077; cat > "$1" && chmod 700 "$1"', "sh", path], input=text, text=True,
                       env={"PATH": "/usr/bin:/bin"}, check=True)
        return str(path)

    def access_token(self, user=None, *, api, application=None, scopes=None, set=None, expires=None, flaw=None, tenant=None,
                     force=None):
        """An access token without a sign-in, for a test of an API.

        :param user: the token's user; without one it is an application token.
        :param api: the API, by its client ID or another identifier.
        :param scopes: the permissions; without them, all that need no administrator.
        :param set: claims that are added or replaced, such as ``{"roles": ["Planner"]}``; ``None`` removes one.
        :param expires: the lifetime in seconds; a negative number creates an expired token.
        :param flaw: the token's flaw: ``expired``, ``notYetValid``, ``wrongKey``, ``unknownKid``, ``unsigned``,
            ``hs256WithPublicKey``, ``wrongIssuer``, ``wrongAudience``, ``wrongTenant``, ``noScopes``, ``truncated``.
        :param force: whether ``set`` may contain restricted claims, such as ``iss`` and ``exp``.

        :raises ControlError: with the names that exist, if one does not.
        """
        members = {"user": user, "application": application, "tenant": tenant, "api": api, "scopes": scopes, "set": set,
                   "expires": expires, "flaw": flaw, "force": force}
        body = {name: value for name, value in members.items() if value is not None}
        return self.control.access_token(**body)

    def stop(self):
        """Ends the process and removes its folder. Further calls have no effect."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()

    def _read(self):
        for line in self._process.stdout:
            self._lines.append(line)
            if LAST_LINE in line:
                self._listens.set()
        self._listens.set()


def visit(browser, url):
    """Opens an address. If no user can sign in there, the app that waits for the response is notified."""
    try:
        browser.open(url)
    except SignInFailed as failure:
        request = parameters_of(url)
        if request.get("redirect_uri", "").startswith(("http://localhost", "http://127.0.0.1")):
            with contextlib.suppress(SignInFailed):  # The app has ended meanwhile.
                browser.deliver_failure(request, str(failure))


def find(program):
    """The path of the program.

    :raises EmulatorFailed: if there is none.
    """
    named = program or os.environ.get("ENTRA_EMULATOR")
    path = shutil.which(named or "entra-emulator")
    if path:
        return path
    raise EmulatorFailed(
        (f"'{named}' is not a program" if named else "entra-emulator is not on the PATH")
        + "; set its path with --entra-emulator or the variable ENTRA_EMULATOR")


def found(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    if not match:
        raise EmulatorFailed(f"the emulator's greeting cannot be parsed: {text}")
    return match[1]
