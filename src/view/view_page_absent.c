// Stands in for the viewer's page in a build that had neither Node nor a built page. Serving is
// another matter, see view_server.c and view_server_absent.c.
#include "base/error.h"
#include "carom/view.h"

int carom_view_available(void)
{
    return 0;
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
    carom_error_set(err, CAROM_UNSUPPORTED, "this build of carom has no viewer");
    return carom_error_fix(err, "install nodejs and npm, run `npm ci` in viewer/ and build again; "
                                "`make demo` does all of it");
}
