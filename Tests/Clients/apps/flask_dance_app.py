# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with Flask-Dance, which supports only Microsoft's hosts.

usage: flask_dance_app.py PORT CLIENT_ID SECRET TENANT EMULATOR_PORT
"""
import pathlib
import sys

from flask import Flask, redirect, url_for
from flask_dance.contrib.azure import azure, make_azure_blueprint

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from names import leading  # noqa: E402

port, client_id, secret, tenant, emulator = sys.argv[1:]
app = Flask(__name__)
app.secret_key = "for this test only"
app.register_blueprint(make_azure_blueprint(client_id=client_id, client_secret=secret, tenant=tenant), url_prefix="/login")


@app.get("/ready")
def ready():
    return "ready"


@app.get("/")
def home():
    if not azure.authorized:
        return redirect(url_for("azure.login"))
    return "Hello " + azure.get("/v1.0/me").json()["displayName"]


with leading({".microsoftonline.com": int(emulator), "graph.microsoft.com": int(emulator)}):
    app.run("localhost", int(port))
