// Which contacts the resting solve has to look at.
//
// A contact needs no record as long as its gap cannot close: u + gap/h stays above what the solve
// may change of it. In a shaken layer that is true of nine contacts in ten. The change is guessed
// from what drives it (one interval's gravity, approach below the resting speed); where a body has
// changed by more than that, the contact is found after the solve, and a further round takes it in.
#include "base/team.h"
#include "world/rest.h"

// Share of the slop by which a contact left out may close.
#define LEFT_OUT 0.1

typedef struct choice {
    unsigned char *in;                                      // per candidate
    int found[CAROM_TEAM_BLOCKS], first[CAROM_TEAM_BLOCKS]; // in this round, per block
    int known[CAROM_TEAM_BLOCKS];                           // those of the rounds before
} choice;

// Judged by the speed before this interval's gravity: a body that has just bounced flies on, one
// that is about to hit waits for its time of impact. Without times of impact, whatever may close
// within the interval takes part.
bool carom_rest_choose_takes_part(const carom_step *step, const carom_candidate *candidate)
{
    const carom_world_options *options = &step->world->options;
    if (step->linked && (step->linked[candidate->a] == CAROM_LINKAGE_FREE ||
                         step->linked[candidate->b] == CAROM_LINKAGE_FREE))
        return false; // nothing presses there
    if (!candidate->located)
        return true;
    return candidate->gap <= options->slop && fabs(candidate->u) <= candidate->resting;
}

// Whether the gap closes within the interval at a normal speed of u.
static bool closes(const carom_step *step, const carom_candidate *candidate, double u)
{
    return u < carom_rest_choose_target(step, candidate);
}

static double speed_now(const carom_step *step, const carom_candidate *candidate)
{
    return vec3_dot(candidate->normal, carom_step_relative_velocity(step->world, candidate));
}

static bool may_press(const carom_step *step, int i)
{
    const carom_world *world = step->world;
    const carom_candidate *candidate = &step->candidates[i];
    if (!carom_rest_choose_takes_part(step, candidate))
        return false;
    if (step->warm_index[i] > 0 || (world->cohesive && carom_cohesion_hold(step, candidate) > 0))
        return true;
    double pull_a = world->pull_size[candidate->a], pull_b = world->pull_size[candidate->b];
    double kick = step->h * (pull_a > pull_b ? pull_a : pull_b);
    double margin = 2 * kick > candidate->resting ? 2 * kick : candidate->resting;
    // between two movable bodies gravity changes nothing
    bool both = !world->fixed[candidate->a] && !world->fixed[candidate->b];
    return closes(step, candidate, (both ? candidate->u : speed_now(step, candidate)) - margin);
}

// Impulses of the last interval, for this one's length, inside the cone. A new contact that holds
// together begins without any effect.
static vec3 start_impulse(const carom_step *step, int i, double ratio, double cohesion)
{
    const carom_candidate *candidate = &step->candidates[i];
    vec3 n = candidate->normal;
    if (step->warm_index[i] == 0)
        return vec3_scale(cohesion, n);
    vec3 start = vec3_scale(ratio, step->warm_impulse[step->warm_index[i] - 1]);
    double p = vec3_dot(n, start);
    if (!(p > 0))
        return vec3_make(0, 0, 0);
    vec3 q = vec3_axpy(start, -p, n);
    double max = candidate->friction * p, size = vec3_length(q);
    return vec3_axpy(size > max ? vec3_scale(max / size, q) : q, p, n);
}

// Says for each candidate whether it is in; notes how many of each block are.
static void choose_share(const carom_step *step, choice *c, int threads)
{
    CAROM_TEAM_EACH (b, carom_team_blocks(step->candidate_count), threads) {
        int end = carom_team_block(step->candidate_count, b + 1), found = 0;
        for (int i = carom_team_block(step->candidate_count, b); i < end; ++i) {
            c->in[i] = may_press(step, i);
            found += c->in[i];
        }
        c->found[b] = found;
    }
}
CAROM_TEAM_SHARE3(choose_share, const carom_step *, choice *, int)

static carom_resting_contact press_of(const carom_step *step, int i, vec3 impulse, double cohesion)
{
    return (carom_resting_contact){ .candidate = i,
                                    .a = step->candidates[i].a,
                                    .b = step->candidates[i].b,
                                    .fresh = true,
                                    .impulse = impulse,
                                    .cohesion = cohesion };
}

static void list_share(const carom_step *step, const choice *c, int threads)
{
    const carom_world *world = step->world;
    double ratio = world->warm.interval > 0 ? step->h / world->warm.interval : 0;
    CAROM_TEAM_EACH (b, carom_team_blocks(step->candidate_count), threads) {
        int end = carom_team_block(step->candidate_count, b + 1), at = c->first[b];
        for (int i = carom_team_block(step->candidate_count, b); i < end; ++i)
            if (c->in[i]) {
                double cohesion =
                    world->cohesive ? carom_cohesion_hold(step, &step->candidates[i]) : 0;
                vec3 impulse = start_impulse(step, i, ratio, cohesion);
                step->resting_contacts[at++] = press_of(step, i, impulse, cohesion);
            }
    }
}
CAROM_TEAM_SHARE3(list_share, const carom_step *, const choice *, int)

carom_status carom_rest_choose(carom_step *step, unsigned char **in, carom_error *err)
{
    int team = carom_team_worth(step->candidate_count, step->world->options.threads), count = 0;
    choice c = { 0 };
    TAKE(step->world->scratch, c.in, step->candidate_count, err);
    CAROM_TEAM(team, choose_share(step, &c, team));
    for (int b = 0; b < carom_team_blocks(step->candidate_count); ++b) {
        c.first[b] = count;
        count += c.found[b];
    }
    TAKE(step->world->scratch, step->resting_contacts, count, err);
    step->resting_count = count;
    CAROM_TEAM(team, list_share(step, &c, team));
    *in = c.in;
    return CAROM_OK;
}

static void more_share(const carom_step *step, choice *c, const unsigned char *moved, int threads)
{
    double little = LEFT_OUT * step->world->options.slop / step->h;
    CAROM_TEAM_EACH (b, carom_team_blocks(step->candidate_count), threads) {
        int end = carom_team_block(step->candidate_count, b + 1);
        c->found[b] = c->known[b] = 0;
        for (int i = carom_team_block(step->candidate_count, b); i < end; ++i) {
            const carom_candidate *candidate = &step->candidates[i];
            c->known[b] += c->in[i];
            if (!c->in[i] && (moved[candidate->a] || moved[candidate->b]) &&
                carom_rest_choose_takes_part(step, candidate) &&
                closes(step, candidate, speed_now(step, candidate) + little)) {
                c->in[i] = 1;
                ++c->found[b];
            }
        }
    }
}
CAROM_TEAM_SHARE4(more_share, const carom_step *, choice *, const unsigned char *, int)

// Puts those of this round between the `before` ones.
static void merge_share(const carom_step *step, const choice *c,
                        const carom_resting_contact *before, int threads)
{
    CAROM_TEAM_EACH (b, carom_team_blocks(step->candidate_count), threads) {
        int end = carom_team_block(step->candidate_count, b + 1), old = c->known[b];
        carom_resting_contact *out = &step->resting_contacts[c->first[b]];
        for (int i = carom_team_block(step->candidate_count, b); i < end; ++i) {
            if (!c->in[i])
                continue;
            bool known = old < step->resting_count && before[old].candidate == i;
            *out = known ? before[old] : press_of(step, i, vec3_make(0, 0, 0), 0);
            out++->fresh = !known;
            old += known;
        }
    }
}
CAROM_TEAM_SHARE4(merge_share, const carom_step *, const choice *, const carom_resting_contact *,
                  int)

carom_status carom_rest_choose_more(carom_step *step, unsigned char *in, const unsigned char *moved,
                                    int *more, carom_error *err)
{
    int team = carom_team_worth(step->candidate_count, step->world->options.threads), old = 0;
    choice c = { .in = in };
    const carom_resting_contact *before = step->resting_contacts;
    *more = 0;
    if (step->h == 0)
        return CAROM_OK;
    CAROM_TEAM(team, more_share(step, &c, moved, team));
    for (int b = 0; b < carom_team_blocks(step->candidate_count); ++b) {
        int known = c.known[b];
        c.first[b] = old + *more;
        c.known[b] = old;
        old += known;
        *more += c.found[b];
    }
    if (*more == 0)
        return CAROM_OK;
    TAKE(step->world->scratch, step->resting_contacts, old + *more, err);
    CAROM_TEAM(team, merge_share(step, &c, before, team));
    step->resting_count = old + *more;
    return CAROM_OK;
}
