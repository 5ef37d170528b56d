# One version: include/carom/version.h has it, and what must repeat it agrees. Called with the command, the build folder
# and the source folder.
cd "$3" || exit 1
version=$(sed -n 's/^#define CAROM_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' include/carom/version.h | paste -sd .)
failed=0
same() { # where, what stands there
    [ "$2" = "$version" ] || { echo "FAILED: $1 says $2, include/carom/version.h $version"; failed=1; }
}
same CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)"
same web/package/package.json "$(sed -n 's/^  "version": "\(.*\)",$/\1/p' web/package/package.json)"
same CHANGELOG.md "$(sed -n 's/^## \([0-9][0-9.]*\) - .*/\1/p' CHANGELOG.md | head -n 1)"
same "$1 --version" "$("$1" --version | sed -n '1s/^carom \([0-9.]*\).*/\1/p')"
[ $failed = 0 ] && echo "version $version in four other places"
exit $failed
