# In the folder of the clone, if no package of entra-emulator is installed:
swift build --product entra-emulator
export PATH="$PWD/.build/debug:$PATH"
