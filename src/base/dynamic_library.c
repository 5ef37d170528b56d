// Libraries that are loaded when they are first needed (dynamic_library.h). They stay loaded.
#include "base/dynamic_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include "base/error.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_filled(const carom_dynamic_symbol *symbol)
{
    void *function;
    memcpy(&function, symbol->place, sizeof function);
    return function != NULL;
}

// POSIX lets an object pointer hold a function's address; C has no conversion between them.
static bool fill(void *library, const carom_dynamic_symbol *symbols, int count)
{
    for (int i = count - 1; i >= 0; --i) { // the first one last: it says that all are there
        void *function = dlsym(library, symbols[i].name);
        if (!function)
            return false;
        memcpy(symbols[i].place, &function, sizeof function);
    }
    return true;
}

carom_status carom_dynamic_library_load(const char *file, const carom_dynamic_symbol *symbols,
                                        int count, carom_error *err)
{
    carom_status status = CAROM_OK;
    pthread_mutex_lock(&lock);
    if (!is_filled(symbols)) {
        void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!library || !fill(library, symbols, count)) {
            const char *reason = dlerror();
            carom_error_set(err, CAROM_UNSUPPORTED, "%s cannot be loaded: %s", file,
                            reason ? reason : "no reason given");
            status = carom_error_fix(err, "install the package that has %s", file);
        }
    }
    pthread_mutex_unlock(&lock);
    return status;
}
