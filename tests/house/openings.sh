# Every source file opens with a comment that says what it does.
cd "$3" || exit 1
git ls-files 'src/*.[ch]' 'cli/*.[ch]' 'gallery/*.[ch]' 'include/*.h' 'bench/*.c' 'tests/*.c' | xargs awk '
    FNR == 1 { count++; if ($0 !~ /^\/\//) { print FILENAME " does not open with a comment"; bad = 1 } }
    END { if (!bad) print count " files open with a comment"; exit bad }'
