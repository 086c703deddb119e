# Licensed under the MIT License. See LICENSE.
"""A web app that signs users in and shows them the API's response."""
import os

import requests
from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, url_for

TENANT = "11111111-1111-1111-1111-111111111111"
TO_DO = "api://00000000-0000-4000-8000-0000000000a1/ToDoList.Read"

app = Flask(__name__)
app.secret_key = os.urandom(32)
entra = OAuth(app).register(
    "entra", client_id="00000000-0000-4000-8000-000000000010", client_secret="Emulator-secret-1",
    server_metadata_url=f"{os.environ['ENTRA_EMULATOR_URL']}/{TENANT}/v2.0/.well-known/openid-configuration",
    client_kwargs={"scope": f"openid profile {TO_DO}"})


@app.get("/")
def home():
    return entra.authorize_redirect(url_for("auth", _external=True))


@app.get("/auth")
def auth():
    token = entra.authorize_access_token()
    said = requests.get("http://api:8000/", headers={"Authorization": f"Bearer {token['access_token']}"}, timeout=10)
    return f"Hello {token['userinfo']['name']}. The API says: {said.text}"


app.run("0.0.0.0", 5000)
