# Every carom_ name in a comment exists.
exec "$3/tools/check-comments" "$3"
