swift build
.build/debug/Hello
