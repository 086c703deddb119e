# Licensed under the MIT License. See LICENSE.
"""exchangelib, which supports only Microsoft's host for tokens, with a double of Exchange that validates them."""
import exchangelib
from exchangelib.version import EXCHANGE_O365, Version

from bench import OWN_ID, PASSWORD, TENANT, USER, check
from double import Double
from names import leading

SECRET = "A-secret-1"
EXCHANGE = "outlook.office365.com"
ROOM_LISTS = """<?xml version="1.0"?>
<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header>
<h:ServerVersionInfo xmlns:h="http://schemas.microsoft.com/exchange/services/2006/types" MajorVersion="15" MinorVersion="20"
 MajorBuildNumber="1" MinorBuildNumber="1" Version="V2018_01_08"/></s:Header><s:Body>
<m:GetRoomListsResponse ResponseClass="Success" xmlns:m="http://schemas.microsoft.com/exchange/services/2006/messages"
 xmlns:t="http://schemas.microsoft.com/exchange/services/2006/types"><m:ResponseCode>NoError</m:ResponseCode><m:RoomLists>
<t:Address><t:Name>Rooms</t:Name><t:EmailAddress>rooms@contoso.example</t:EmailAddress></t:Address></m:RoomLists>
</m:GetRoomListsResponse></s:Body></s:Envelope>"""


def run(bench):
    with bench.with_application(
            options=["--service-names"], secrets=[SECRET], resources=["https://outlook.office365.com"], grantedRoles={"https://outlook.office365.com": ["full_access_as_app"]}) as place:
        exchange = Double(place, "https://outlook.office365.com",
                          lambda *_: (200, ROOM_LISTS.encode(), {"Content-Type": "text/xml; charset=utf-8"}))
        with exchange.serving(place, EXCHANGE) as port, leading({".microsoftonline.com": place.emulator.port, EXCHANGE: port}):
            check(rooms(exchangelib.OAuth2Credentials(OWN_ID, SECRET, tenant_id=TENANT)) == ["rooms@contoso.example"], "a daemon reads room lists")
            check(exchange.calls[-1][2]["roles"] == ["full_access_as_app"], "the daemon's token has its role")


def rooms(credentials):
    configuration = exchangelib.Configuration(
        service_endpoint=f"https://{EXCHANGE}/EWS/Exchange.asmx", credentials=credentials, auth_type=exchangelib.OAUTH2,
        version=Version(EXCHANGE_O365))
    account = exchangelib.Account(USER, config=configuration, autodiscover=False, access_type=exchangelib.IMPERSONATION)
    return [one.email_address for one in account.protocol.get_roomlists()]
