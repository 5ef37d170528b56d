# The module for pages and JavaScript (tools/web): everything in one file, without names, the stack first in memory so
# that running out of it ends the module instead of overwriting data.
add_executable(carom_module web/module.c ${CLI_SOURCES})
target_include_directories(carom_module PRIVATE src)
target_link_libraries(carom_module PRIVATE carom_gallery carom_io_static carom_flags)
target_link_options(carom_module PRIVATE -mexec-model=reactor -Wl,--strip-all -Wl,--stack-first -Wl,-z,stack-size=4194304
    -Wl,--export=carom_pass_destroy -Wl,--export=carom_pass_begin -Wl,--export=carom_pass_add_body
    -Wl,--export=carom_pass_add_contact -Wl,--export=carom_pass_resolve -Wl,--export=carom_pass_body
    -Wl,--export=carom_pass_parts -Wl,--export=carom_pass_distance -Wl,--export=carom_pass_inverse_inertia)
# What computes is fast, the models beside the world less so; what reads, writes and draws is small.
target_compile_options(carom_models_objects PRIVATE -Os)
foreach(target carom_io_objects carom_gallery carom_module)
    target_compile_options(${target} PRIVATE -Oz)
endforeach()
