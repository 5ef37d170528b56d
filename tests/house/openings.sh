# Every source file opens with a comment that says what it does.
cd "$3" || exit 1
count=0 bad=0
for file in $(git ls-files 'src/*.[ch]' 'cli/*.[ch]' 'include/*.h' 'bench/*.c' 'tests/*.c'); do
    count=$((count + 1))
    head -c 3 "$file" | grep -q '^//' || { echo "$file does not open with a comment"; bad=1; }
done
[ $bad = 0 ] && echo "$count files open with a comment"
exit $bad
