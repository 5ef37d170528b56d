// Warm starting: the impulses that resting contacts carried in the last step, to start the next
// resting solve from.
//
// A contact of this step is one of the last where the same features of the same two bodies meet, or
// where it lies near enough. The cache of the step before stands aside while a step goes on, for a
// step that fails.
#include "base/memory.h"
#include "base/team.h"
#include "world/rest.h"
#include "world/step.h"

// Distance, as a share of the smaller body's radius, within which a contact is the same as before.
#define NEAR 0.05
enum { WORTH_A_TEAM = 500 }; // cached contacts: each is looked for among all candidates

static void match_share(carom_step *step, int threads);
CAROM_TEAM_SHARE2(match_share, carom_step *, int)

carom_status carom_warm_start_match(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    TAKE_ZEROS(world->scratch, step->warm_index, step->candidate_count, err);
    TAKE(world->scratch, step->warm_impulse, world->warm.count, err);
    step->warm_rolling = NULL;
    if (world->rolling)
        TAKE(world->scratch, step->warm_rolling, world->warm.count, err);
    int team = world->warm.count > WORTH_A_TEAM ? world->options.threads : 1;
    CAROM_TEAM(team, match_share(step, team));
    return CAROM_OK;
}

carom_status carom_warm_start_grow(carom_world *world, size_t count, carom_error *err)
{
    return carom_warm_start_reserve(world, &world->warm, count, err);
}

carom_status carom_warm_start_reserve(const carom_world *world, carom_warm_start *warm,
                                      size_t count, carom_error *err)
{
    if (count <= (size_t)warm->capacity)
        return CAROM_OK;
    if (!carom_world_grow((void **)&warm->contacts, count, sizeof *warm->contacts) ||
        (world->rolling &&
         !carom_world_grow((void **)&warm->rolling, count, sizeof *warm->rolling)))
        return carom_error_no_memory(err, "%zu resting contacts", count);
    warm->capacity = (int)count;
    return CAROM_OK;
}

carom_status carom_warm_start_rolling(carom_world *world, carom_error *err)
{
    if (world->rolling)
        return CAROM_OK;
    carom_warm_start *lists[] = { &world->warm, &world->warm_other, &world->warm_asleep };
    vec3 *rolling[3] = { 0 };
    bool room = true;
    for (int k = 0; k < 3; ++k) {
        rolling[k] = carom_memory_zeros((size_t)lists[k]->capacity + 1, sizeof **rolling);
        room = room && rolling[k];
    }
    for (int k = 0; k < 3; ++k)
        if (room)
            lists[k]->rolling = rolling[k];
        else
            carom_memory_free(rolling[k]);
    world->rolling = room;
    return room ? CAROM_OK : carom_error_no_memory(err, "resting contacts");
}

void carom_warm_start_forget(carom_world *world, int body)
{
    carom_warm_start *warm = &world->warm;
    int kept = 0;
    for (int i = 0; i < warm->count; ++i) {
        if (warm->contacts[i].a == body || warm->contacts[i].b == body)
            continue;
        if (world->rolling)
            warm->rolling[kept] = warm->rolling[i];
        warm->contacts[kept++] = warm->contacts[i];
    }
    warm->count = kept;
}

void carom_warm_start_swap(carom_world *world)
{
    carom_warm_start other = world->warm_other;
    world->warm_other = world->warm;
    world->warm = other;
    world->warm_unchanged = false;
}

// What one contact of an interval leaves: the impulse of a whole step is remembered, so an interval
// adds its own and lets the older fade by its share, `left`. Taking the last interval for all of
// them would be wrong by orders of magnitude where that was short and stopped something.
static vec3 carried(const carom_step *step, int candidate, vec3 impulse, double left)
{
    int warm = step->warm_index[candidate];
    return warm > 0 ? vec3_axpy(impulse, left, step->warm_impulse[warm - 1]) : impulse;
}

// Puts it at a place of the list; returns whether there was anything.
static bool put(carom_step *step, int at, int candidate, vec3 sum, double left)
{
    carom_warm_start *warm = &step->world->warm;
    const carom_candidate *from = &step->candidates[candidate];
    if (!(vec3_dot(sum, sum) > 0))
        return false;
    if (step->rolling_impulses)
        warm->rolling[at] = carom_rest_roll_remembered(step, candidate, left);
    warm->contacts[at] = (carom_warm_contact){ from->a, from->b, step->contacts[candidate].feature,
                                               from->point, sum };
    return true;
}

// The contacts of the resting solve alone, block by block: how many of them count, and then where
// they go.
typedef struct keeping {
    carom_step *step;
    int count[CAROM_TEAM_BLOCKS], first[CAROM_TEAM_BLOCKS];
} keeping;

static vec3 of_resting(const carom_step *step, int k)
{
    const carom_resting_contact *resting = &step->resting_contacts[k];
    return carried(step, resting->candidate, resting->impulse, 0);
}

static void count_share(keeping *keep, int threads)
{
    const carom_step *step = keep->step;
    CAROM_TEAM_EACH (b, carom_team_blocks(step->resting_count), threads) {
        int end = carom_team_block(step->resting_count, b + 1), count = 0;
        for (int k = carom_team_block(step->resting_count, b); k < end; ++k) {
            vec3 sum = of_resting(step, k);
            count += vec3_dot(sum, sum) > 0;
        }
        keep->count[b] = count;
    }
}
CAROM_TEAM_SHARE2(count_share, keeping *, int)

static void put_share(const keeping *keep, int threads)
{
    carom_step *step = keep->step;
    CAROM_TEAM_EACH (b, carom_team_blocks(step->resting_count), threads) {
        int end = carom_team_block(step->resting_count, b + 1), at = keep->first[b];
        for (int k = carom_team_block(step->resting_count, b); k < end; ++k)
            at += put(step, at, step->resting_contacts[k].candidate, of_resting(step, k), 0);
    }
}
CAROM_TEAM_SHARE2(put_share, const keeping *, int)

static int keep_resting(carom_step *step)
{
    int team = carom_team_worth(step->resting_count, step->world->options.threads), count = 0;
    keeping keep = { .step = step };
    for (int k = 0; k < step->resting_count && team == 1; ++k) // alone there is no need to count
        count += put(step, count, step->resting_contacts[k].candidate, of_resting(step, k), 0);
    if (team == 1)
        return count;
    CAROM_TEAM(team, count_share(&keep, team));
    for (int b = 0; b < carom_team_blocks(step->resting_count); ++b) {
        keep.first[b] = count;
        count += keep.count[b];
    }
    CAROM_TEAM(team, put_share(&keep, team));
    return count;
}

// Those of the last step fade, too, as long as some of it is to come.
static int keep_all(carom_step *step, double left)
{
    int count = 0, at = 0;
    for (int i = 0; i < step->candidate_count; ++i) {
        bool presses = at < step->resting_count && step->resting_contacts[at].candidate == i;
        if (!presses && step->warm_index[i] == 0)
            continue;
        vec3 own = presses ? step->resting_contacts[at++].impulse : vec3_make(0, 0, 0);
        count += put(step, count, i, carried(step, i, own, left), left);
    }
    return count;
}

// Keeps the impulses in the order of the candidates, which are sorted by pair.
carom_status carom_warm_start_keep(carom_step *step, carom_error *err)
{
    carom_world *world = step->world;
    double left = fmax(1 - step->h / step->whole, 0);
    if (world->warm_unchanged)
        carom_warm_start_swap(world);
    if (step->candidate_count > world->warm.capacity)
        TRY(carom_warm_start_grow(world, 2 * (size_t)step->candidate_count, err));
    world->warm.count = left > 0 ? keep_all(step, left) : keep_resting(step);
    world->warm.interval = step->whole;
    return CAROM_OK;
}

static int compare(const carom_warm_contact *cached, const carom_candidate *candidate)
{
    if (cached->a != candidate->a)
        return cached->a < candidate->a ? -1 : 1;
    if (cached->b != candidate->b)
        return cached->b < candidate->b ? -1 : 1;
    return 0;
}

static double distance_squared(vec3 a, vec3 b)
{
    vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d);
}

// What the contact carried goes to the candidate, which may get it of several.
static void give(carom_step *step, int candidate, int cached)
{
    vec3 impulse = step->world->warm.contacts[cached].impulse;
    int at = step->warm_index[candidate] - 1;
    bool more = at >= 0;
    if (!more) {
        at = cached;
        step->warm_index[candidate] = cached + 1;
    }
    step->warm_impulse[at] = more ? vec3_add(step->warm_impulse[at], impulse) : impulse;
    if (!step->warm_rolling)
        return;
    vec3 turn = step->world->warm.rolling[cached];
    step->warm_rolling[at] = more ? vec3_add(step->warm_rolling[at], turn) : turn;
}

// The candidates [begin, end) of one pair and the cached contacts [first, last) of the same pair. A
// feature that was there before has its impulse. Names change where edges lie on each other
// (round-off decides which corner is whose) and corners part and merge: each cached contact left
// goes to the nearest contact, if that is near enough to be the same.
static void match_pair(carom_step *step, int begin, int end, int first, int last)
{
    carom_world *world = step->world;
    double size = fmin(carom_shape_radius(world->shape[step->candidates[begin].a]),
                       carom_shape_radius(world->shape[step->candidates[begin].b]));
    int guess = begin; // mostly the order is the same
    for (int k = first; k < last; ++k) {
        const carom_warm_contact *cached = &world->warm.contacts[k];
        int best = -1;
        for (int i = 0; i < end - begin && best < 0; ++i) {
            int at = guess + i < end ? guess + i : guess + i - (end - begin);
            if (step->contacts[at].feature == cached->feature)
                best = at;
        }
        double nearest = NEAR * NEAR * size * size;
        for (int i = begin; i < end && best < 0; ++i) // by name there was none
            nearest = fmin(nearest, distance_squared(step->candidates[i].point, cached->point));
        for (int i = begin; i < end && best < 0; ++i)
            if (distance_squared(step->candidates[i].point, cached->point) <= nearest)
                best = i;
        if (best < 0)
            continue;
        give(step, best, k);
        guess = best + 1 < end ? best + 1 : begin;
    }
}

// The first candidate from `from` on that does not come before the cached contact's pair: by leaps,
// as in a shaken layer few contacts have carried anything.
static int seek(const carom_step *step, const carom_warm_contact *cached, int from)
{
    int leap = 1, low = from;
    while (low + leap < step->candidate_count &&
           compare(cached, &step->candidates[low + leap - 1]) > 0) {
        low += leap;
        leap *= 2;
    }
    int high = low + leap < step->candidate_count ? low + leap : step->candidate_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare(cached, &step->candidates[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Whether the first candidate of all that are left is of the cached contact's pair, as it mostly is
// at rest, and the only one of it as well.
static bool next_alone(const carom_step *step, const carom_warm_contact *cached, int begin,
                       bool cached_alone)
{
    return cached_alone && begin < step->candidate_count &&
           compare(cached, &step->candidates[begin]) == 0 &&
           (begin + 1 == step->candidate_count ||
            compare(cached, &step->candidates[begin + 1]) != 0);
}

static bool same_pair(const carom_warm_contact *one, const carom_warm_contact *other)
{
    return one->a == other->a && one->b == other->b;
}

// Both lists are sorted by pair: one walk along them finds each contact's impulse of the last step.
// A thread takes the pairs that begin in its share of the cached contacts.
static void match_share(carom_step *step, int threads)
{
    const carom_world *world = step->world;
    const carom_warm_contact *cached = world->warm.contacts;
    int first = carom_team_begin(world->warm.count, threads);
    int end = carom_team_end(world->warm.count, threads), begin = 0;
    while (first > 0 && first < end && same_pair(&cached[first - 1], &cached[first]))
        ++first;
    for (int last; first < end; first = last) {
        for (last = first + 1;
             last < world->warm.count && same_pair(&cached[last], &cached[first]);)
            ++last;
        if (next_alone(step, &cached[first], begin, last == first + 1) &&
            step->contacts[begin].feature == cached[first].feature) {
            give(step, begin++, first);
            continue;
        }
        begin = seek(step, &cached[first], begin);
        int behind = begin;
        while (behind < step->candidate_count &&
               compare(&cached[first], &step->candidates[behind]) == 0)
            ++behind;
        if (behind > begin)
            match_pair(step, begin, behind, first, last);
        begin = behind;
    }
}
