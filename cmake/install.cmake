# Installed copy: headers, both libraries, the command, a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)
install(TARGETS carom_static carom_shared carom EXPORT carom
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT carom NAMESPACE carom:: FILE carom-targets.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
configure_package_config_file(cmake/carom-config.cmake.in carom-config.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
write_basic_package_version_file(carom-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/carom-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/carom-config-version.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
# relative to its own place, so that `cmake --install --prefix` and a copied tree stay right
file(RELATIVE_PATH CAROM_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/carom.pc.in carom.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Manual pages come from the command tables.
add_custom_command(TARGET carom POST_BUILD
    COMMAND ${CMAKE_SOURCE_DIR}/tools/man-pages $<TARGET_FILE:carom> ${CMAKE_BINARY_DIR}/man1 VERBATIM)
install(DIRECTORY ${CMAKE_BINARY_DIR}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
