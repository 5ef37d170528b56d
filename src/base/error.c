// Statuses, their sentences, and the three parts of an error.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

carom_status carom_error_set(carom_error *err, carom_status status, const char *what, ...)
{
    if (!err)
        return status;
    err->status = status;
    err->where[0] = err->fix[0] = 0;
    err->body = err->contact = -1;
    va_list list;
    va_start(list, what);
    vsnprintf(err->what, sizeof err->what, what, list);
    va_end(list);
    return status;
}

carom_status carom_error_no_memory(carom_error *err, const char *what, ...)
{
    if (!err)
        return CAROM_NO_MEMORY;
    char purpose[sizeof err->what];
    va_list list;
    va_start(list, what);
    vsnprintf(purpose, sizeof purpose, what, list);
    va_end(list);
    carom_error_set(err, CAROM_NO_MEMORY, "no memory for %.240s", purpose);
    return carom_error_fix(
        err, "use a smaller problem, end other programs, or raise the limit (ulimit -v)");
}

carom_status carom_error_where(carom_error *err, const char *where, ...)
{
    if (!err)
        return CAROM_BAD_INPUT;
    va_list list;
    va_start(list, where);
    vsnprintf(err->where, sizeof err->where, where, list);
    va_end(list);
    return err->status;
}

carom_status carom_error_body(carom_error *err, int body)
{
    if (!err)
        return CAROM_BAD_INPUT;
    err->body = body;
    return err->status;
}

carom_status carom_error_contact(carom_error *err, int contact)
{
    if (!err)
        return CAROM_BAD_INPUT;
    err->contact = contact;
    return err->status;
}

carom_status carom_error_fix(carom_error *err, const char *fix, ...)
{
    if (!err)
        return CAROM_BAD_INPUT;
    va_list list;
    va_start(list, fix);
    vsnprintf(err->fix, sizeof err->fix, fix, list);
    va_end(list);
    return err->status;
}

carom_status carom_error_need(carom_error *err, const char *function, const char *names,
                              size_t missing)
{
    while (missing-- > 0)
        names = strchr(names, ',') + 2;
    int length = (int)strcspn(names, ",");
    carom_error_set(err, CAROM_BAD_INPUT, "the argument %.*s is null", length, names);
    carom_error_where(err, "%s", function);
    carom_error_fix(err, "give %s a pointer to what the header says", function);
    return CAROM_BAD_INPUT;
}
