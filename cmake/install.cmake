# Installed copy: headers, three libraries of both kinds, the command, a CMake package, pkg-config files, the scenes
# that the examples of `--help` name, the measured data, schemas, manual pages, documents and shell completion.
include(CMakePackageConfigHelpers)
install(TARGETS carom_core carom_core_static carom_models carom_models_static carom_io carom_io_static carom EXPORT carom
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY data scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT carom NAMESPACE carom:: FILE carom-targets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
configure_package_config_file(cmake/carom-config.cmake.in carom-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
write_basic_package_version_file(carom-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/carom-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/carom-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)

# pkg-config: name, what it is, the libraries of ours that it needs, parts with a file of their own, parts without.
# Relative to its own place, so that `cmake --install --prefix` and a copied tree stay right.
file(RELATIVE_PATH PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
function(carom_pkg_config PC_NAME PC_DESCRIPTION PC_NEEDS PC_PARTS PC_LIBS)
    configure_file(cmake/library.pc.in ${PC_NAME}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(ours "= ${PROJECT_VERSION}")
carom_pkg_config(carom "rigid-body impacts that come out right" "" "qhull_r" "-lm -pthread")
carom_pkg_config(carom-models "towers, chains, vibration modes and bounce maps of Carom" "carom ${ours}" "gmp" "-lm -pthread")
set(io_parts "jansson, zlib")
if(EXPAT_FOUND)
    string(APPEND io_parts ", expat")
endif()
if(FREETYPE_FOUND)
    string(APPEND io_parts ", freetype2")
endif()
carom_pkg_config(carom-io "scene files, trajectories, pictures and the viewer of Carom" "carom-models ${ours}, carom ${ours}"
    "${io_parts}" "-lm -pthread -l${CMAKE_DL_LIBS}")

# Manual pages, completion and schemas come from the command's own tables, which this machine has to be able to run.
if(NOT CMAKE_CROSSCOMPILING)
    add_custom_command(TARGET carom POST_BUILD
        COMMAND ${CMAKE_SOURCE_DIR}/tools/generated $<TARGET_FILE:carom> ${CMAKE_BINARY_DIR} VERBATIM)
    install(DIRECTORY ${CMAKE_BINARY_DIR}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
    install(DIRECTORY ${CMAKE_BINARY_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
    install(FILES ${CMAKE_BINARY_DIR}/completion/carom DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${CMAKE_BINARY_DIR}/completion/_carom DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${CMAKE_BINARY_DIR}/completion/carom.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
