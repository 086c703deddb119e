entra-emulator run
env | grep MSAL_
