# Global names match their files.
exec "$3/tools/check-names" "$3" "$2"
