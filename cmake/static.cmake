# Included after project() by tools/archive: parts are looked for as archives, and the command is linked so that it needs
# no library of the system. Which are the parts, and what a static program cannot have, is said there.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
set(CMAKE_C_LINK_OPTIONS_PIE -fPIE -static-pie)
