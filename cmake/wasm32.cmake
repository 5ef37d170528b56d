# Toolchain of the browser's build: clang, lld and wasi-libc, all from Debian. WASI has no threads; results are the
# same bits with any number of them, so one is enough.
set(CMAKE_SYSTEM_NAME Generic) # no shared libraries
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr)
set(CMAKE_AR llvm-ar)
set(CMAKE_RANLIB llvm-ranlib)
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
