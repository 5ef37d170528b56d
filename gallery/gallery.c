// The list of entries, and making them: several at a time, each whole or not at all.
//
// Entries are independent, so they run in parallel and each of them with one thread inside; where
// only one entry is asked for it has all threads for itself. The longest start first.
#include "gallery/gallery_result.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "carom/suggest.h"

// -- the list -----------------------------------------------------------------------------------

static const carom_gallery_paper *const papers[] = {
    &carom_gallery_qce,   &carom_gallery_etm,    &carom_gallery_chain,
    &carom_gallery_tower, &carom_gallery_bounce,
};
enum { PAPERS = sizeof papers / sizeof *papers };

int carom_gallery_count(void)
{
    int count = 0;
    for (int i = 0; i < PAPERS; ++i)
        count += papers[i]->count;
    return count;
}

const carom_gallery_paper *carom_gallery_paper_of(int index)
{
    for (int i = 0; i < PAPERS; ++i) {
        if (index < papers[i]->count)
            return papers[i];
        index -= papers[i]->count;
    }
    return NULL;
}

const carom_gallery_entry *carom_gallery_entry_of(int index)
{
    for (int i = 0; i < PAPERS; ++i) {
        if (index < papers[i]->count)
            return &papers[i]->entries[index];
        index -= papers[i]->count;
    }
    return NULL;
}

carom_gallery_about carom_gallery_at(int index)
{
    const carom_gallery_entry *e = index >= 0 ? carom_gallery_entry_of(index) : NULL;
    if (!e)
        return (carom_gallery_about){ 0 };
    return (carom_gallery_about){ e->id,      carom_gallery_paper_of(index)->key,
                                  e->label,   e->title,
                                  e->command, e->scene };
}

int carom_gallery_find(const char *id, carom_error *err)
{
    const char *names[CAROM_GALLERY_MAX];
    int count = carom_gallery_count();
    for (int i = 0; i < count; ++i) {
        names[i] = carom_gallery_entry_of(i)->id;
        if (strcmp(names[i], id) == 0)
            return i;
    }
    const char *near = carom_suggest_nearest(id, names, count);
    carom_error_set(err, CAROM_BAD_INPUT, "the gallery has no entry \"%.60s\"", id);
    if (near)
        carom_error_fix(err, "did you mean %s?", near);
    else
        carom_error_fix(err, "carom gallery --list names all entries");
    return -1;
}

const char *carom_gallery_word(carom_gallery_verdict verdict)
{
    static const char *const words[] = {
#define WORD(name, word, sentence) word,
        CAROM_GALLERY_VERDICT_LIST(WORD)
#undef WORD
    };
    return verdict < CAROM_GALLERY_VERDICT_COUNT ? words[verdict] : "unknown";
}

// -- making -------------------------------------------------------------------------------------

typedef struct work {
    const carom_gallery_settings *settings;
    carom_gallery_site site;
    int todo[CAROM_GALLERY_MAX], todo_count; // entries to compute, the longest first
    double cost, done;                       // s, of all of them; of those that are finished
    double share[CAROM_GALLERY_MAX];         // of an entry that is at work, 0 to 1
    atomic_int next;                         // of them, not begun
    pthread_mutex_t lock;                    // for what follows and the site
    int stopped;                             // the caller wants to stop
    carom_status status;                     // of writing the site
    carom_error error;
} work;

// What the progress of one entry needs to know.
typedef struct teller {
    work *all;
    int index;
} teller;

static double cost_of(const work *w, int index)
{
    return carom_gallery_entry_of(index)->cost[w->settings->quick ? 1 : 0];
}

static int report(void *context, double done, double total, const char *what)
{
    (void)what;
    teller *t = context;
    work *w = t->all;
    pthread_mutex_lock(&w->lock);
    double now = w->done;
    w->share[t->index] = total > 0 ? fmin(fmax(done / total, 0), 1) : 0;
    for (int i = 0; i < w->todo_count; ++i)
        now += w->share[w->todo[i]] * cost_of(w, w->todo[i]);
    const carom_progress *p = w->settings->progress;
    if (!w->stopped && p &&
        p->report(p->context, now, w->cost, carom_gallery_entry_of(t->index)->id))
        w->stopped = 1;
    int stop = w->stopped;
    pthread_mutex_unlock(&w->lock);
    return stop;
}

static double clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void write_entry(work *w, int index, const carom_gallery_result *result,
                        const carom_error *failure)
{
    pthread_mutex_lock(&w->lock);
    carom_error err = { 0 };
    carom_status status = carom_gallery_site_entry(&w->site, index, result, failure, &err);
    if (status == CAROM_OK)
        status = carom_gallery_site_index(&w->site, &err);
    if (status != CAROM_OK && w->status == CAROM_OK) {
        w->status = status;
        w->error = err;
        w->stopped = 1; // a full disk will not get better
    }
    w->done += cost_of(w, index);
    w->share[index] = 0;
    pthread_mutex_unlock(&w->lock);
}

static void make_entry(work *w, int index)
{
    teller context = { w, index };
    carom_progress progress = { report, &context };
    if (report(&context, 0, 1, NULL))
        return;
    const carom_gallery_entry *entry = carom_gallery_entry_of(index);
    carom_gallery_memory memory = { 0 };
    carom_gallery_result result = { .entry = entry,
                                    .scenes = w->settings->scenes,
                                    .out = w->settings->out,
                                    .quick = w->settings->quick != 0,
                                    .progress = &progress,
                                    .memory = &memory };
    carom_error failure = { 0 };
    double start = clock_now();
    carom_status status = entry->make(&result, &failure);
    w->site.cards[index].seconds = clock_now() - start;
    if (status != CAROM_INTERRUPTED)
        write_entry(w, index, &result, status == CAROM_OK ? NULL : &failure);
    carom_gallery_memory_rewind(&memory, (carom_gallery_memory){ 0 });
    carom_gallery_result_free(&result);
}

static bool is_asked(const work *w, int only, int index)
{
    double within = w->settings->within;
    return only < 0 ? within == 0 || cost_of(w, index) <= within : only == index;
}

// Which entries have no result yet, the longest first.
static void plan(work *w, int only)
{
    int count = carom_gallery_count();
    for (int i = 0; i < count; ++i) {
        bool there = w->site.cards[i].kept && !w->settings->again;
        if (!is_asked(w, only, i) || there)
            continue;
        int at = w->todo_count++;
        for (; at > 0 && cost_of(w, w->todo[at - 1]) < cost_of(w, i); --at)
            w->todo[at] = w->todo[at - 1];
        w->todo[at] = i;
        w->cost += cost_of(w, i);
    }
}

static void *make_some(void *all)
{
    work *w = all;
    for (int i; (i = atomic_fetch_add(&w->next, 1)) < w->todo_count;)
        make_entry(w, w->todo[i]);
    return NULL;
}

// By this thread and as many more as there are to get.
static void make_all(work *w)
{
    enum { HELPERS = 63 };
    pthread_t helper[HELPERS];
    long threads = w->settings->threads > 0 ? w->settings->threads : sysconf(_SC_NPROCESSORS_ONLN);
    int helpers = 0;
    if (w->todo_count > 1)
        setenv("OMP_NUM_THREADS", "1", 1); // inside of each entry (src/base/team.c)
    while (helpers < HELPERS && helpers + 1 < threads && helpers + 1 < w->todo_count &&
           pthread_create(&helper[helpers], NULL, make_some, w) == 0)
        ++helpers;
    make_some(w);
    for (int k = 0; k < helpers; ++k)
        pthread_join(helper[k], NULL);
}

static void sum_up(const work *w, int only, carom_gallery_summary *out)
{
    *out = (carom_gallery_summary){ 0 };
    for (int i = 0; i < CAROM_GALLERY_MAX; ++i) {
        bool asked = i < carom_gallery_count() && is_asked(w, only, i);
        out->verdict[i] = asked ? w->site.cards[i].verdict : CAROM_GALLERY_OPEN;
        out->seconds[i] = w->site.cards[i].seconds;
        if (asked) {
            ++out->count[out->verdict[i]];
            out->kept += w->site.cards[i].kept && !w->settings->again;
        }
    }
    for (int i = 0; i < w->todo_count; ++i)
        out->computed += out->verdict[w->todo[i]] != CAROM_GALLERY_OPEN;
}

carom_status carom_gallery_make(const carom_gallery_settings *settings, carom_gallery_summary *out,
                                carom_error *err)
{
    int only = -1;
    if (settings->only && (only = carom_gallery_find(settings->only, err)) < 0)
        return CAROM_BAD_INPUT;
    work w = { .settings = settings,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .site = { settings->out, settings->scenes, settings->quick != 0, { { 0 } } } };
    for (int i = 0; i < CAROM_GALLERY_MAX; ++i)
        w.site.cards[i].verdict = CAROM_GALLERY_OPEN;
    TRY(carom_gallery_files_open(&w.site, err));
    TRY(carom_gallery_files_scan(&w.site, err));
    plan(&w, only);
    TRY(carom_gallery_site_index(&w.site, err));
    make_all(&w);
    sum_up(&w, only, out);
    if (w.status != CAROM_OK) {
        *err = w.error;
        return w.status;
    }
    if (w.stopped)
        return carom_error_set(err, CAROM_INTERRUPTED, "stopped with %d entries done",
                               out->kept + out->computed);
    return CAROM_OK;
}
