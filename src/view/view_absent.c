// Stands in for the viewer in a build without Node or libmicrohttpd.
#include "base/error.h"
#include "carom/view.h"

static carom_status absent(carom_error *err)
{
    carom_error_set(err, CAROM_UNSUPPORTED, "this build of carom has no viewer");
    return carom_error_fix(err,
                           "install nodejs, npm and libmicrohttpd-dev, run `npm ci` in viewer/ "
                           "and build again; `make test` does all of it");
}

int carom_view_available(void)
{
    return 0;
}

carom_status carom_view_open(carom_view_source *const *sources, int count,
                             const carom_view_options *options, carom_view **out, carom_error *err)
{
    (void)sources;
    (void)count;
    (void)options;
    *out = NULL;
    return absent(err);
}

const char *carom_view_link(const carom_view *view)
{
    (void)view;
    return "";
}

void carom_view_close(carom_view *view)
{
    (void)view;
}

carom_status carom_view_page(carom_view_source *const *sources, int count, const char *start,
                             char **html, size_t *size, carom_error *err)
{
    NEED(err, html, size);
    (void)start;
    (void)sources;
    (void)count;
    *html = NULL;
    *size = 0;
    return absent(err);
}
