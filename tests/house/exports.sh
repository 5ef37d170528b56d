# The shared libraries export what include/carom declares, and nothing else.
exec "$3/tools/check-exports" "$3" "$2"
