exit
export MSAL_CLIENT_ID=YOUR-CLIENT-ID
.build/debug/Hello
