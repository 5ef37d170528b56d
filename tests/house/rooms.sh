# The room rules hold.
exec "$3/tools/check-rooms" "$3" "$2"
