# Licensed under the MIT License. See LICENSE.
from azure.identity import ManagedIdentityCredential
print(len(ManagedIdentityCredential().get_token("https://graph.microsoft.com/.default").token) > 99)
