// Grains on ranks: the same bits on one rank without a host and on 1, 2, 3 and 5 ranks, dealt out
// anew (memory of contacts and books with them) every few steps, by pair collisions and by laws of
// islands. Ranks are threads here; every rank has all grains of the others as ghosts.
#include "support/check.h"
#include "support/grain_box.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "carom/random.h"

enum { RANKS = 5, TRACES = 512, WORDS = 1024, SIDE = 4, LAYERS = 4, EPOCH = 80, LAW_EPOCH = 40 };
#define STEP 5e-4
// Laws, and hashes of the last states, by any compiler.
static const struct {
    const char *name; // null: pair collisions
    uint64_t golden;
} laws[] = { { NULL, 0x0153c72bed45be2b },
             { "wave", 0xe4ee8e4fd572f25c },
             { "gr", 0x23e91f3847e59726 },
             { "qce", 0xec60ccf4b5c53ac3 } };
enum { LAWS = sizeof laws / sizeof *laws };

// What all ranks share. Names are 1 to count.
typedef struct world {
    grain_box all;                    // by name - 1
    double memory[GRAIN_BOX][TRACES]; // packed, by name - 1
    int64_t books[WORDS];
    int ranks, first_step, steps;
    const char *law;      // null: pair collisions
    int owner[GRAIN_BOX]; // by name - 1
    pthread_barrier_t barrier;
    double mail[GRAIN_BOX][16], most[RANKS][64];
    int64_t quiet; // mails without news, of rank 0
    const double *given[RANKS];
    int given_count[RANKS];
    int64_t sum[RANKS][WORDS];
    uint64_t hash[RANKS];
    carom_grains_books said[RANKS];
    char trouble[RANKS][256];
} world;

typedef struct rank {
    world *world;
    int number;
    grain_box box;
    carom_grains *grains;
} rank;

static world shared;
static rank ranks[RANKS];

static void refresh(void *client, int columns)
{
    rank *me = client;
    (void)columns;
    for (int i = 0; i < me->box.owned; ++i) {
        int to = (int)me->box.name[i] - 1;
        carom_grains_pack(me->grains, i,
                          me->world->mail[to]); // for another ghost: the same once more
        int size = carom_grains_pack_list(me->grains, &i, 1, me->world->mail[to]);
        me->world->quiet += me->number == 0 && size == 1;
    }
    pthread_barrier_wait(&me->world->barrier);
    for (int i = me->box.owned; i < me->box.count; ++i) {
        int from = (int)me->box.name[i] - 1;
        carom_grains_unpack_list(me->grains, i, 1, me->world->mail[from]);
    }
    pthread_barrier_wait(&me->world->barrier);
}

static void most(void *client, double *values, int count)
{
    rank *me = client;
    for (int done = 0; done < count; done += 64) {
        int now = count - done < 64 ? count - done : 64;
        memcpy(me->world->most[me->number], values + done, (size_t)now * sizeof *values);
        pthread_barrier_wait(&me->world->barrier);
        for (int r = 0; r < me->world->ranks; ++r)
            for (int k = 0; k < now; ++k)
                values[done + k] = fmax(values[done + k], me->world->most[r][k]);
        pthread_barrier_wait(&me->world->barrier);
    }
}

static void sum(void *client, int64_t *values, int count)
{
    rank *me = client;
    memcpy(me->world->sum[me->number], values, (size_t)count * sizeof *values);
    pthread_barrier_wait(&me->world->barrier);
    memset(values, 0, (size_t)count * sizeof *values);
    for (int r = 0; r < me->world->ranks; ++r)
        for (int k = 0; k < count; ++k)
            values[k] = (int64_t)((uint64_t)values[k] + (uint64_t)me->world->sum[r][k]);
    pthread_barrier_wait(&me->world->barrier);
}

static void gather(void *client, const double *mine, int count, double *all)
{
    rank *me = client;
    me->world->given[me->number] = mine;
    me->world->given_count[me->number] = count;
    pthread_barrier_wait(&me->world->barrier);
    for (int r = 0; r < me->world->ranks; ++r) {
        memcpy(all, me->world->given[r], (size_t)me->world->given_count[r] * sizeof *all);
        all += me->world->given_count[r];
    }
    pthread_barrier_wait(&me->world->barrier);
}

// -- one rank -------------------------------------------------------------------------------------

static void copy_grain(grain_box *to, int i, const grain_box *from, int j)
{
    to->name[i] = from->name[j];
    to->radius[i] = from->radius[j];
    to->mass[i] = from->mass[j];
    memcpy(to->x[i], from->x[j], sizeof to->x[i]);
    memcpy(to->v[i], from->v[j], sizeof to->v[i]);
    memcpy(to->w[i], from->w[j], sizeof to->w[i]);
}

// Own grains in one order or the other, then ghosts.
static void deal(rank *me)
{
    const world *w = me->world;
    me->box = (grain_box){ 0 };
    for (int ghosts = 0; ghosts < 2; ++ghosts) {
        for (int n = 0; n < w->all.count; ++n) {
            int j = me->number % 2 ? w->all.count - 1 - n : n;
            if ((w->owner[j] != me->number) == (ghosts == 1))
                copy_grain(&me->box, me->box.count++, &w->all, j);
        }
        if (ghosts == 0)
            me->box.owned = me->box.count;
    }
}

static void add_walls(carom_grains *grains, carom_error *err)
{
    const double side = SIDE * 0.0055;
    carom_grains_wall walls[5] = {
        { .normal = { 0, 0, 1 }, .amplitude = { 0, 0, 2e-4 }, .frequency = 30 },
        { .normal = { 1, 0, 0 } },
        { .normal = { 0, 1, 0 } },
        { .normal = { -1, 0, 0 }, .point = { side, 0, 0 } },
        { .normal = { 0, -1, 0 }, .point = { 0, side, 0 } }
    };
    for (int k = 0; k < 5; ++k) {
        walls[k].surface = (carom_grains_surface){ .restitution = 0.6,
                                                   .friction = 0.4,
                                                   .rolling = k == 0 ? 1e-5 : 0 };
        carom_grains_add_wall(grains, &walls[k], err);
    }
}

static carom_status begin(rank *me, carom_error *err)
{
    carom_grains_options options = carom_grains_options_default();
    carom_grains_host host = { me, refresh, most, sum, gather };
    options.surface = (carom_grains_surface){
        .restitution = 0.5, .fade = 0.4, .fade_speed = 0.2, .fade_power = 0.75, .friction = 0.5
    };
    options.skin = 0.0025;
    options.slop = 2e-6;
    if (me->world->law) {
        options.law = CAROM_GRAINS_ISLANDS;
        options.island_law = carom_law_find(me->world->law, err);
        options.island_options = carom_law_defaults(options.island_law);
    }
    carom_status status =
        carom_grains_create(&options, me->world->ranks > 0 ? &host : NULL, &me->grains, err);
    if (status != CAROM_OK)
        return status;
    add_walls(me->grains, err);
    if (me->world->first_step > 0)
        carom_grains_books_load(me->grains, me->world->books, me->number == 0);
    for (int i = 0; i < me->box.owned && me->world->first_step > 0; ++i)
        carom_grains_memory_unpack(me->grains, i, me->world->memory[me->box.name[i] - 1]);
    return CAROM_OK;
}

static void *run_rank(void *given)
{
    rank *me = given;
    world *w = me->world;
    carom_error err = { 0 };
    deal(me);
    carom_status status = begin(me, &err);
    for (int n = 0; n < w->steps && status == CAROM_OK; ++n) {
        carom_grains_part part = grain_box_part(&me->box);
        status = carom_grains_step(me->grains, &part, w->first_step + n, STEP, &err);
        // ghosts follow
        for (int i = 0; i < me->box.owned; ++i)
            copy_grain(&w->all, (int)me->box.name[i] - 1, &me->box, i);
        if (w->ranks > 0)
            pthread_barrier_wait(&w->barrier);
        for (int i = me->box.owned; i < me->box.count; ++i)
            copy_grain(&me->box, i, &w->all, (int)me->box.name[i] - 1);
        if (w->ranks > 0)
            pthread_barrier_wait(&w->barrier);
    }
    snprintf(w->trouble[me->number], sizeof w->trouble[0], "%s", err.what);
    carom_grains_part part = grain_box_part(&me->box);
    w->hash[me->number] = carom_grains_books_hash(me->grains, &part);
    carom_grains_books_now(me->grains, &part, &w->said[me->number], &err);
    w->said[me->number].exchanges = 0; // the only entry that depends on ranks
    int64_t books[WORDS] = { 0 };
    carom_grains_books_save(me->grains, books);
    if (me->number == 0)
        memcpy(w->books, books, sizeof books);
    for (int i = 0; i < me->box.owned; ++i)
        carom_grains_memory_pack(me->grains, i, w->memory[me->box.name[i] - 1]);
    carom_grains_destroy(me->grains);
    return NULL;
}

// -- all of them ----------------------------------------------------------------------------------

// Some steps; 0 ranks: without a host.
static void epoch(int count, int first, int steps, carom_random *random)
{
    pthread_t thread[RANKS];
    shared.ranks = count;
    shared.first_step = first;
    shared.steps = steps;
    for (int j = 0; j < shared.all.count; ++j)
        shared.owner[j] = count > 1 ? carom_random_below(random, count) : 0;
    for (int r = 0; r < RANKS; ++r)
        ranks[r] = (rank){ .world = &shared, .number = r };
    if (count == 0) {
        run_rank(&ranks[0]);
    } else {
        pthread_barrier_init(&shared.barrier, NULL, (unsigned)count);
        for (int r = 0; r < count; ++r)
            pthread_create(&thread[r], NULL, run_rank, &ranks[r]);
        for (int r = 0; r < count; ++r)
            pthread_join(thread[r], NULL);
        pthread_barrier_destroy(&shared.barrier);
    }
    for (int r = 0; r < (count ? count : 1); ++r)
        CHECK(!shared.trouble[r][0], "rank %d of %d: %s", r, count, shared.trouble[r]);
}

// All epochs at once without a host, then epoch by epoch on ranks.
static void compare(const grain_box *start, const char *law, uint64_t golden)
{
    static const int plans[][4] = { { 1, 1, 1, 1 }, { 2, 2, 2, 2 }, { 3, 5, 1, 2 } };
    static grain_box last[4];
    static carom_grains_books said[4];
    const char *name = law ? law : "pairs";
    uint64_t hash[4];
    int epochs = law ? 2 : check_effort(4, 2), steps = law ? LAW_EPOCH : EPOCH;
    carom_random random = carom_random_make(6, 0);
    shared.law = law;
    for (int e = 0; e < epochs; ++e) {
        shared.all = *start;
        epoch(0, 0, steps * (e + 1), &random); // all at once, from the beginning
        last[e] = shared.all;
        hash[e] = shared.hash[0];
        said[e] = shared.said[0];
    }
    CHECK(said[epochs - 1].impacts > 100 && (law || said[epochs - 1].contacts > 20),
          "%s: %lld impacts, %lld contacts: something happens", name,
          (long long)said[epochs - 1].impacts, (long long)said[epochs - 1].contacts);
    bool whole = law || epochs == 4;
    CHECK(!whole || hash[epochs - 1] == golden, "%s: hash %016llx", name,
          (unsigned long long)hash[epochs - 1]);
    for (int p = law ? 1 : 0; p < 3; ++p) {
        shared.all = *start;
        for (int e = 0; e < epochs; ++e) {
            epoch(plans[p][e], steps * e, steps, &random);
            CHECK(shared.hash[0] == hash[e], "%s, plan %d, epoch %d on %d ranks: hash %016llx",
                  name, p, e, plans[p][e], (unsigned long long)shared.hash[0]);
            CHECK(memcmp(&shared.all.x, &last[e].x, sizeof last[e].x) == 0, "positions");
            CHECK(memcmp(&shared.said[plans[p][e] - 1], &said[e], sizeof said[e]) == 0,
                  "%s, plan %d, epoch %d: the books of all ranks are those of one", name, p, e);
        }
    }
}

int main(void)
{
    static grain_box start;
    grain_box_fill(&start, SIDE, LAYERS);
    for (int k = 0; k < LAWS; ++k)
        compare(&start, laws[k].name, laws[k].golden);
    CHECK(shared.quiet > 1000, "%lld times a grain had no news for its ghosts",
          (long long)shared.quiet);
    return check_report();
}
