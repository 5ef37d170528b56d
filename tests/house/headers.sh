# Public headers compile alone.
exec "$3/tools/check-headers" "$3"
