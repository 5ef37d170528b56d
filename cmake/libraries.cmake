# Three libraries, each static and shared, from the rooms that tools/rooms lists:
#
#   libcarom          core: shapes, collision, impact laws, the world in time. Needs libm, threads and qhull.
#   libcarom-models   towers, chains, modes, bounce maps. Needs GMP besides.
#   libcarom-io       scene files, trajectories, exports, pictures, the viewer. Needs jansson and zlib, expat and
#                     freetype where they are there, and loads assimp (unless CAROM_ASSIMP is off) and libmicrohttpd
#                     (where the viewer is built) when a mesh or a server first needs them.
#
# What is exported. Everything is hidden but what carries CAROM_API in include/carom: those names get the version
# CAROM_<major>.<minor>. Of what a library needs from the inside of another there are two kinds:
#
# - base, math and solve ([common] in tools/rooms) are small code without state of its own that matters to others: each
#   shared library links the files it needs from one archive, hidden. The few files of base that are part of the
#   public face (PUBLIC_BASE below) are in the core alone. An installed libcarom.a contains all of them once.
# - a function of the core that the models or io call although it is not public carries CAROM_SHARED (base/shared.h)
#   and gets the version CAROM_PRIVATE_<full version>: the three libraries work together in one version only, and the
#   dynamic linker says so if they are mixed.
#
# tools/exports writes the linker's map from the headers; tests/house/exports.sh holds libraries and headers to each other.

set(PUBLIC_BASE error hash json memory random status suggest text version)
set(CORE_PARTS PkgConfig::QHULL Threads::Threads m)
set(MODELS_PARTS PkgConfig::GMP Threads::Threads m)
set(IO_PARTS PkgConfig::GMP PkgConfig::JANSSON PkgConfig::ZLIB Threads::Threads m)

# COMMON_SOURCES, CORE_SOURCES, MODELS_SOURCES, IO_SOURCES: the files of the rooms of each
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/rooms)
file(STRINGS tools/rooms ROOM_LINES REGEX "^([a-z]|\\[)")
foreach(line ${ROOM_LINES})
    if(line MATCHES "^\\[([a-z]+)\\]$")
        string(TOUPPER ${CMAKE_MATCH_1} library)
    elseif(line MATCHES "^([a-z]+):")
        list(APPEND ROOMS ${CMAKE_MATCH_1})
        file(GLOB found CONFIGURE_DEPENDS src/${CMAKE_MATCH_1}/*.c)
        list(APPEND ${library}_SOURCES ${found})
    endif()
endforeach()
file(GLOB FOLDERS RELATIVE ${CMAKE_SOURCE_DIR}/src CONFIGURE_DEPENDS src/*)
foreach(folder ${FOLDERS})
    if(NOT folder IN_LIST ROOMS)
        message(FATAL_ERROR "src/${folder} belongs to no library: give it a line in tools/rooms")
    endif()
endforeach()
foreach(name ${PUBLIC_BASE})
    list(REMOVE_ITEM COMMON_SOURCES ${CMAKE_SOURCE_DIR}/src/base/${name}.c)
    list(APPEND CORE_SOURCES ${CMAKE_SOURCE_DIR}/src/base/${name}.c)
endforeach()
# The name under which the dynamic linker knows a library that is loaded late (base/dynamic_library.h).
function(carom_soname library out)
    execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${library} OUTPUT_VARIABLE headers ERROR_QUIET)
    string(REGEX MATCH "SONAME +([^ \n]+)" found "${headers}")
    if(found)
        set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
    else()
        set(${out} ${library} PARENT_SCOPE) # no ELF: by its place
    endif()
endfunction()
if(CAROM_ASSIMP)
    list(REMOVE_ITEM IO_SOURCES ${CMAKE_SOURCE_DIR}/src/scene/import_assimp_absent.c)
    list(APPEND LATE_INCLUDES ${ASSIMP_INCLUDE_DIRS})
    carom_soname(${ASSIMP_LINK_LIBRARIES} CAROM_ASSIMP_FILE)
else()
    list(REMOVE_ITEM IO_SOURCES ${CMAKE_SOURCE_DIR}/src/scene/import_assimp.c)
endif()
if(EXPAT_FOUND)
    list(REMOVE_ITEM IO_SOURCES ${CMAKE_SOURCE_DIR}/src/import/import_scene_xml_absent.c)
    list(APPEND IO_PARTS PkgConfig::EXPAT)
else()
    foreach(name import_scene_xml xml scisim urdf mjcf mjcf_geom)
        list(REMOVE_ITEM IO_SOURCES ${CMAKE_SOURCE_DIR}/src/import/${name}.c)
    endforeach()
endif()
if(FREETYPE_FOUND)
    list(REMOVE_ITEM IO_SOURCES ${CMAKE_SOURCE_DIR}/src/draw/font_absent.c)
    list(APPEND IO_PARTS Freetype::Freetype)
else()
    list(REMOVE_ITEM IO_SOURCES ${CMAKE_SOURCE_DIR}/src/draw/font.c)
endif()
include(cmake/viewer.cmake)
if(CAROM_ASSIMP_FILE OR CAROM_MICROHTTPD_FILE)
    list(APPEND IO_PARTS ${CMAKE_DL_LIBS})
else()
    list(REMOVE_ITEM COMMON_SOURCES ${CMAKE_SOURCE_DIR}/src/base/dynamic_library.c)
endif()
configure_file(src/base/built.h.in generated/built.h @ONLY)

file(GLOB PUBLIC_HEADERS CONFIGURE_DEPENDS include/carom/*.h)
set(EXPORT_MAP ${CMAKE_BINARY_DIR}/carom.map)
add_custom_command(OUTPUT ${EXPORT_MAP} DEPENDS ${PUBLIC_HEADERS} tools/exports VERBATIM
    COMMAND ${CMAKE_SOURCE_DIR}/tools/exports ${PROJECT_VERSION} ${EXPORT_MAP} ${PUBLIC_HEADERS})
add_custom_target(carom_exports DEPENDS ${EXPORT_MAP})

# One library: its objects, and from them the static and the shared one. Further arguments: libraries below it.
function(carom_library name)
    string(TOUPPER ${name} NAME)
    set(file carom-${name})
    if(name STREQUAL core)
        set(file carom)
    endif()
    add_library(carom_${name}_objects OBJECT ${${NAME}_SOURCES})
    target_include_directories(carom_${name}_objects PRIVATE include src ${CMAKE_BINARY_DIR}/generated)
    target_link_libraries(carom_${name}_objects PRIVATE ${${NAME}_PARTS} carom_flags carom_frames carom_branches)

    add_library(carom_${name}_static STATIC $<TARGET_OBJECTS:carom_${name}_objects>)
    set_target_properties(carom_${name}_static PROPERTIES OUTPUT_NAME ${file} EXPORT_NAME ${name}-static)
    target_include_directories(carom_${name}_static PUBLIC
        $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    foreach(below ${ARGN})
        target_link_libraries(carom_${name}_static PUBLIC carom_${below}_static)
    endforeach()
    list(TRANSFORM ${NAME}_PARTS REPLACE "(.+::.+)" "$<LINK_ONLY:\\1>" OUTPUT_VARIABLE at_link)
    target_link_libraries(carom_${name}_static PUBLIC ${at_link})
    if(CAROM_WEB) # WebAssembly has no shared libraries
        return()
    endif()

    add_library(carom_${name} SHARED $<TARGET_OBJECTS:carom_${name}_objects>)
    set_target_properties(carom_${name} PROPERTIES OUTPUT_NAME ${file} EXPORT_NAME ${name} VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR} INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${EXPORT_MAP})
    target_include_directories(carom_${name} PUBLIC
        $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    add_dependencies(carom_${name} carom_exports)
    target_link_options(carom_${name} PRIVATE -Wl,--version-script=${EXPORT_MAP})
    if(NOT CAROM_SANITIZE) # a sanitizer's own functions are in the program
        target_link_options(carom_${name} PRIVATE -Wl,--no-undefined)
    endif()
    target_link_libraries(carom_${name} PRIVATE carom_common_static carom_flags)
    foreach(below ${ARGN})
        target_link_libraries(carom_${name} PUBLIC carom_${below})
    endforeach()
    target_link_libraries(carom_${name} PRIVATE ${${NAME}_PARTS})
endfunction()

add_library(carom_common_objects OBJECT ${COMMON_SOURCES})
target_include_directories(carom_common_objects PRIVATE include src ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(carom_common_objects PRIVATE Threads::Threads carom_flags carom_frames carom_branches)
add_library(carom_common_static STATIC $<TARGET_OBJECTS:carom_common_objects>)
carom_library(core)
target_sources(carom_core_static PRIVATE $<TARGET_OBJECTS:carom_common_objects>)
carom_library(models core)
carom_library(io models core)
target_include_directories(carom_io_objects PRIVATE ${LATE_INCLUDES})
