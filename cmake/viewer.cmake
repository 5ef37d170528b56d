# The viewer: its page is bundled from viewer/ and becomes part of the library, with a small server. Both need what the
# rest of the project does not (Node with the packages of viewer/package.json, libmicrohttpd); without it everything else
# builds and `carom view` says what is missing.
pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd)
find_program(NODE node)
set(VIEW ${CMAKE_SOURCE_DIR}/src/view)
if(CAROM_VIEWER AND MICROHTTPD_FOUND AND NODE AND EXISTS ${CMAKE_SOURCE_DIR}/viewer/node_modules/esbuild)
    file(GLOB VIEWER_SOURCES CONFIGURE_DEPENDS viewer/src/* viewer/index.html viewer/build.mjs viewer/package-lock.json)
    set(VIEW_ASSETS ${CMAKE_BINARY_DIR}/generated/view_assets.c)
    add_custom_command(OUTPUT ${VIEW_ASSETS} DEPENDS ${VIEWER_SOURCES} VERBATIM COMMENT "Bundling the viewer"
        COMMAND ${NODE} ${CMAKE_SOURCE_DIR}/viewer/build.mjs ${VIEW_ASSETS})
    list(REMOVE_ITEM IO_SOURCES ${VIEW}/view_absent.c)
    list(APPEND IO_SOURCES ${VIEW_ASSETS})
    list(APPEND IO_PARTS PkgConfig::MICROHTTPD)
    set(CAROM_VIEWER_PART -lmicrohttpd) # its own parts are its own affair: Debian has it as a shared library
else()
    message(STATUS "no viewer: Node, viewer/node_modules or libmicrohttpd are missing (tools/setup test)")
    list(REMOVE_ITEM IO_SOURCES ${VIEW}/view_server.c ${VIEW}/view_guard.c ${VIEW}/view_page.c)
    set(CAROM_VIEWER_PART)
endif()
