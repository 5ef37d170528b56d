# Libraries of the browser's build, from the sources that tools/web has asked the system's packages for
# (CAROM_WEB_PARTS), under the names that the native build finds them by.
foreach(name jansson zlib qhull gmp)
    file(GLOB found ${CAROM_WEB_PARTS}/${name}-*)
    if(NOT found)
        message(FATAL_ERROR "no sources of ${name} in \"${CAROM_WEB_PARTS}\": run `make web`, which fetches them")
    endif()
    list(GET found 0 ${name})
endforeach()

function(carom_part target name include) # sources follow
    add_library(${target} STATIC ${ARGN})
    target_include_directories(${target} PUBLIC ${include} ${CMAKE_BINARY_DIR}/parts PRIVATE web/wasi)
    target_compile_options(${target} PRIVATE -w -O2)
    add_library(${name} ALIAS ${target})
endfunction()

# what jansson's own configuration would find here
set(json_inline inline)
set(json_have_long_long 1)
set(json_have_localeconv 0)
set(json_have_atomic_builtins 1)
set(json_have_sync_builtins 1)
configure_file(${jansson}/src/jansson_config.h.in parts/jansson_config.h @ONLY)
file(GLOB sources ${jansson}/src/*.c)
carom_part(web_jansson PkgConfig::JANSSON ${jansson}/src ${sources})
file(WRITE ${CMAKE_BINARY_DIR}/parts/jansson_private_config.h
    "#define HAVE_STDINT_H 1\n#define HAVE_ENDIAN_H 1\n#define HAVE_UNISTD_H 1\n#define HAVE_SYS_TIME_H 1\n"
    "#define HAVE_GETTIMEOFDAY 1\n#define INITIAL_HASHTABLE_ORDER 3\n")
target_compile_definitions(web_jansson PRIVATE HAVE_CONFIG_H)

file(GLOB sources ${zlib}/*.c)
carom_part(web_zlib PkgConfig::ZLIB ${zlib} ${sources})
target_compile_definitions(web_zlib PRIVATE HAVE_UNISTD_H=1)

file(GLOB sources ${qhull}/src/libqhull_r/*.c)
carom_part(web_qhull PkgConfig::QHULL ${qhull}/src ${sources})

carom_part(web_gmp PkgConfig::GMP ${gmp}/mini-gmp web/rational_parts.c)

add_library(web_threads INTERFACE)
target_include_directories(web_threads BEFORE INTERFACE web/wasi)
# what WASI has in other words: processor time, signals that never come, memory that is not mapped
target_compile_definitions(web_threads INTERFACE _WASI_EMULATED_SIGNAL _WASI_EMULATED_PROCESS_CLOCKS _WASI_EMULATED_GETPID
    _WASI_EMULATED_MMAN)
target_link_libraries(web_threads INTERFACE wasi-emulated-signal wasi-emulated-process-clocks wasi-emulated-getpid
    wasi-emulated-mman)
add_library(web_absent STATIC web/absent.c)
target_link_libraries(web_threads INTERFACE web_absent)
add_library(Threads::Threads ALIAS web_threads)
