# What makes a mistake in memory end the program instead of serving an attacker: canaries on the stack, checked copies
# (_FORTIFY_SOURCE works with optimisation only), no lazy binding and read-only relocations, a command at a random
# address. Sanitizers look closer and come with their own. tests/house/hardened.sh looks at what was built.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
if(NOT CAROM_SANITIZE)
    target_compile_options(carom_flags INTERFACE -fstack-protector-strong
        $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
    if(NOT APPLE)
        target_link_options(carom_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
    endif()
endif()
