git clone "$REPOSITORY" msal-swift-linux
mkdir -p Hello/Sources/Hello
cd Hello
