# Included after project() by tools/archive: parts are looked for as archives, for a command that needs no library of the
# system. Which are the parts, and what a static program cannot have, is said there.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
