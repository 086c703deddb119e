# Licensed under the MIT License. See LICENSE.
"""An agent with microsoft-agents-authentication-msal; prints its tokens as a JSON list.

usage: agents_sdk.py TENANT BLUEPRINT SECRET AGENT USER_ID
"""
import asyncio
import json
import sys

from microsoft_agents.authentication.msal import MsalAuth
from microsoft_agents.hosting.core import AgentAuthConfiguration, AuthTypes

TENANT, BLUEPRINT, SECRET, AGENT, USER = sys.argv[1:]


async def main():
    provider = MsalAuth(AgentAuthConfiguration(
        auth_type=AuthTypes.client_secret, tenant_id=TENANT, client_id=BLUEPRINT, client_secret=SECRET))
    own = await provider.get_agentic_application_token(TENANT, AGENT)
    instance, _ = await provider.get_agentic_instance_token(TENANT, AGENT)
    user = await provider.get_agentic_user_token(TENANT, AGENT, USER, ["https://graph.microsoft.com/.default"])
    print(json.dumps([own, instance, user]))


asyncio.run(main())
