// All touches of an interval, looked at once for all passes of its impacts.
#include "base/team.h"
#include "world/clash.h"

static bool touching(const carom_step *step, const carom_touch *touch)
{
    if (touch->gap <= step->world->options.slop)
        return true;
    return !touch->located && touch->gap + touch->u * step->remaining < 0;
}

static bool impacting(const carom_step *step, const carom_touch *touch)
{
    const carom_world_options *options = &step->world->options;
    if (!(touch->u < -options->resting_speed))
        return false;
    return touch->gap <= options->touch || (!touch->located && touching(step, touch));
}

enum { NEAR = 1, SEED = 2, WORTH_A_TEAM = 4000 };

static void look_share(carom_clash_net *net, int threads)
{
    const carom_step *step = net->step;
    int end = carom_team_end(step->touch_count, threads);
    for (int i = carom_team_begin(step->touch_count, threads); i < end; ++i) {
        const carom_touch *touch = &step->touches[i];
        net->near[i] = (touching(step, touch) ? NEAR : 0) | (impacting(step, touch) ? SEED : 0);
    }
}

carom_status carom_clash_net_look(carom_step *step, carom_clash_net *net, carom_error *err)
{
    int count = step->touch_count, team = count > WORTH_A_TEAM ? step->world->options.threads : 1;
    *net = (carom_clash_net){ .step = step };
    TAKE(step->world->scratch, net->near, count, err);
    TAKE(step->world->scratch, net->seeds, count, err);
    CAROM_TEAM(team, look_share(net, team));
    for (int i = 0; i < count; ++i) {
        if (net->near[i] & SEED)
            net->seeds[net->seed_count++] = i;
        net->near[i] &= NEAR;
        net->near_count += net->near[i];
    }
    return CAROM_OK;
}

carom_status carom_clash_net_make(carom_clash_net *net, carom_error *err)
{
    const carom_world *world = net->step->world;
    const carom_touch *touches = net->step->touches;
    int count = net->step->touch_count, *first, (*ends)[2];
    TAKE_ZEROS(world->scratch, first, (size_t)world->count + 2, err);
    TAKE(world->scratch, net->around, 2 * (size_t)count, err);
    carom_arena_mark mark = carom_arena_mark_here(world->scratch);
    TAKE(world->scratch, ends, count, err);
    for (int i = 0; i < count; ++i) {
        ends[i][0] = touches[i].a;
        ends[i][1] = touches[i].b;
        for (int k = 0; k < 2; ++k)
            first[ends[i][k] + 2] += !world->fixed[ends[i][k]];
    }
    for (int i = 2; i <= world->count + 1; ++i)
        first[i] += first[i - 1];
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 2; ++k)
            if (!world->fixed[ends[i][k]])
                net->around[first[ends[i][k] + 1]++] = (carom_clash_net_link){ i, ends[i][1 - k] };
    carom_arena_rewind(world->scratch, mark);
    net->first = first;
    for (int i = 0; i < world->count && !net->mapped; ++i)
        net->mapped = world->bounce[i].map || world->bounce[i].direct;
    return CAROM_OK;
}

bool carom_clash_net_any(const carom_clash_net *net, bool apart)
{
    const carom_step *step = net->step;
    for (int i = 0; i < net->seed_count; ++i)
        if (!apart || step->touches[net->seeds[i]].gap > step->world->options.slop)
            return true;
    return false;
}

void carom_clash_net_refresh(carom_clash_net *net, int touch)
{
    const carom_step *step = net->step;
    carom_touch *one = &step->touches[touch];
    one->u = vec3_dot(one->normal, carom_step_slip(step->world, one));
    net->near_count -= net->near[touch];
    net->near[touch] = touching(step, one);
    net->near_count += net->near[touch];
    if (impacting(step, one))
        net->seeds[net->seed_count++] = touch;
}

carom_status carom_clash_net_map(carom_clash_net *net, carom_error *err)
{
    carom_arena *scratch = net->step->world->scratch;
    carom_arena_mark mark = carom_arena_mark_here(scratch);
    int *near, count = 0;
    if (!net->mapped)
        return CAROM_OK;
    TAKE(scratch, near, net->near_count, err);
    for (int i = 0; i < net->step->touch_count; ++i)
        if (net->near[i])
            near[count++] = i;
    TRY(carom_restitution_mapped(net->step, near, count, err));
    carom_arena_rewind(scratch, mark);
    return CAROM_OK;
}
