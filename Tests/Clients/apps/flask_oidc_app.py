# Licensed under the MIT License. See LICENSE.
"""The app of docs/emulator/Clients.md that signs in with Flask-OIDC, with a sign-out added.    usage: flask_oidc_app.py PORT"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import snippets  # noqa: E402

text, = snippets.blocks("Flask-OIDC", "python")
assert text.rstrip().endswith('app.run("localhost", 5000)'), "the page's app runs at another address"
page = {"__name__": "page"}
exec(text.rpartition("app.run")[0], page)
app, oidc, session = page["app"], page["oidc"], page["session"]


@app.get("/ready")
def ready():
    return "ready"


@app.get("/leave")
def leave():
    """Signs out here, then at the identity platform."""
    session.clear()
    return "", 302, {"Location": oidc.oauth.oidc.load_server_metadata()["end_session_endpoint"]}


app.run("localhost", int(sys.argv[1]))
