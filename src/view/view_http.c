// libmicrohttpd, loaded when a server is started (view_http.h).
#include "view/view_http.h"

#include "base/dynamic_library.h"
#include "built.h"

carom_view_http carom_view_http_calls;

carom_status carom_view_http_load(carom_error *err)
{
#define X(name) { "MHD_" #name, &carom_view_http_calls.name },
    static const carom_dynamic_symbol symbols[] = { CAROM_VIEW_HTTP_LIST(X) };
#undef X
    return carom_dynamic_library_load(CAROM_MICROHTTPD_FILE, symbols,
                                      sizeof symbols / sizeof *symbols, err);
}
