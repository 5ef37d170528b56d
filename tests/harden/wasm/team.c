// Teams of one: what src/base/team.c does where it gets no threads.
#include "base/team.h"

static int share, shares = 1;

void carom_team_run(int threads, carom_team_job job)
{
    int share_before = share, shares_before = shares;
    shares = threads;
    for (share = 0; share < threads; ++share)
        job.run(job.given);
    share = share_before;
    shares = shares_before;
}

int carom_team_share(void)
{
    return share;
}

int carom_team_shares(void)
{
    return shares;
}

int carom_team_max(void)
{
    return 1;
}

void carom_team_lock(int threads)
{
    (void)threads;
}

void carom_team_unlock(int threads)
{
    (void)threads;
}
