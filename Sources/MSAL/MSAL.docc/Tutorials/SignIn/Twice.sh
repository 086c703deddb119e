swift build
.build/debug/Hello
.build/debug/Hello
