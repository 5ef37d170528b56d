# Every entry of the gallery at small sizes: as tests/docs/gallery.sh, which leaves out those of more than 3 s.
exec bash "$3/tests/docs/gallery.sh" "$1" "$2" "$3" ""
