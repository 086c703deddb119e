# Licensed under the MIT License. See LICENSE.
"""A web app that signs in with Microsoft's package `identity`, and calls Graph.    usage: identity_app.py PORT CLIENT_ID SECRET"""
import os
import sys

import requests
from flask import Flask
from identity.flask import Auth

port, client_id, secret = sys.argv[1:]
app = Flask(__name__)
app.config.update(SECRET_KEY="for this test only", SESSION_TYPE="filesystem")
auth = Auth(app, client_id=client_id, client_credential=secret, authority=os.environ["ENTRA_EMULATOR_AUTHORITY"],
            redirect_uri=f"http://localhost:{port}/getAToken")


@app.get("/ready")
def ready():
    return "ready"


@app.get("/")
@auth.login_required(scopes=["User.Read"])
def home(*, context):
    me = requests.get(os.environ["ENTRA_EMULATOR_URL"] + "/v1.0/me", timeout=10,
                      headers={"Authorization": f"Bearer {context['access_token']}"})
    return f"Hello {context['user']['name']}, {me.json()['jobTitle']}"


app.run("localhost", int(port))
