# Licensed under the MIT License. See LICENSE.
"""An API that validates tokens with fastapi-azure-auth, which supports only Microsoft's host.

usage: fastapi_app.py PORT API_ID TENANT
"""
import pathlib
import sys

import uvicorn
from fastapi import FastAPI, Security
from fastapi_azure_auth import SingleTenantAzureAuthorizationCodeBearer

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

from names import leading  # noqa: E402

port, api, tenant = sys.argv[1:]
scheme = SingleTenantAzureAuthorizationCodeBearer(
    app_client_id=api, tenant_id=tenant, scopes={f"api://{api}/ToDoList.Read": "Read"})
app = FastAPI()


@app.get("/ready")
def ready():
    return "ready"


@app.get("/tasks")
def tasks(user=Security(scheme, scopes=["ToDoList.Read"])):
    return {"of": user.preferred_username}


with leading({".microsoftonline.com": 443}):
    uvicorn.run(app, host="localhost", port=int(port))
