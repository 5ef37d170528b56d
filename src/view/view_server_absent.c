// Stands in for the server in a build without libmicrohttpd, or without a page to serve.
#include "base/error.h"
#include "carom/view.h"

carom_status carom_view_open(carom_view_source *const *sources, int count,
                             const carom_view_options *options, carom_view **out, carom_error *err)
{
    char *none;
    size_t size;
    NEED(err, sources, out);
    (void)options;
    *out = NULL;
    if (!carom_view_available())
        return carom_view_page(sources, count, NULL, &none, &size, err); // says what to install
    carom_error_set(err, CAROM_UNSUPPORTED, "this build of carom cannot serve the viewer");
    return carom_error_fix(err, "write a page with --page FILE, or install libmicrohttpd-dev and "
                                "build again; `make demo` does it");
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
