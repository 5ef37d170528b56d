// The desiderata tell apart what is known to differ, and say when a question does not arise.
#include "support/check.h"
#include "support/instant.h"

#include <math.h>
#include <string.h>

enum { BRK, SYM, KIN, MOM, ONE, WAV, NOP };

static instant s;

static void chain(double a, double b, double c)
{
    double v[3] = { a, b, c };
    instant_chain(&s, 3, NULL, v);
}

static void known_verdicts(void)
{
    chain(1, 0, 0);
    instant_verdict(&s, "qce", BRK, CAROM_VERDICT_HOLDS, "cradle");
    instant_verdict(&s, "newton", BRK, CAROM_VERDICT_BROKEN, "cradle");
    instant_verdict(&s, "inelastic", BRK, CAROM_VERDICT_BROKEN, "cradle");
    instant_verdict(&s, "sqm", BRK, CAROM_VERDICT_HOLDS, "cradle");
    chain(1, 0.5, 0);
    instant_verdict(&s, "newton", BRK, CAROM_VERDICT_UNASKED, "nothing rests");
    instant_verdict(&s, "newton", WAV, CAROM_VERDICT_BROKEN, "both approach");
    instant_verdict(&s, "gr", WAV, CAROM_VERDICT_BROKEN, "both approach");
    instant_verdict(&s, "qce", WAV, CAROM_VERDICT_HOLDS, "both approach");
    chain(1, 0, 0.5);
    instant_verdict(&s, "newton", NOP, CAROM_VERDICT_BROKEN, "a separating contact gets hit");
    instant_verdict(&s, "poisson", NOP, CAROM_VERDICT_HOLDS, "a separating contact gets hit");
    double two[2] = { 1, 0 };
    instant_chain(&s, 2, NULL, two);
    instant_verdict(&s, "qce", WAV, CAROM_VERDICT_UNASKED, "one contact");

    // One ball on two that touch each other: their contact is pulled by smm, and sqm takes one
    // of the two equal contacts first.
    instant_clear(&s);
    instant_ball(&s, 1, 0.5, vec3_make(0, 0, 0), vec3_make(1, 0, 0));
    for (int k = 0; k < 2; ++k)
        instant_ball(&s, 1, 0.5, vec3_make(sqrt(0.75), k - 0.5, 0), vec3_make(0, 0, 0));
    instant_touch(&s, 0, 1);
    instant_touch(&s, 0, 2);
    instant_touch(&s, 1, 2);
    instant_verdict(&s, "smm", ONE, CAROM_VERDICT_BROKEN, "Bernoulli");
    instant_verdict(&s, "qce", ONE, CAROM_VERDICT_HOLDS, "Bernoulli");
    instant_verdict(&s, "fixed-point", SYM, CAROM_VERDICT_BROKEN, "Bernoulli");
    instant_verdict(&s, "qce", SYM, CAROM_VERDICT_HOLDS, "Bernoulli");
    for (int bit = KIN; bit <= MOM; ++bit)
        for (int l = 0; l < carom_law_count(); ++l)
            if (carom_law_promises(carom_law_at(l)) >> bit & 1)
                instant_verdict(&s, carom_law_name(carom_law_at(l)), bit, CAROM_VERDICT_HOLDS,
                                "Bernoulli");
    instant_verdict(&s, "xpbd", KIN, CAROM_VERDICT_BROKEN, "Bernoulli");
}

// Four balls on a circle: the contacts are at right angles, no wave passes.
static void decoupled(void)
{
    instant_clear(&s);
    for (int i = 0; i < 4; ++i) {
        vec3 out = { i == 0 ? 1 : i == 2 ? -1 : 0, i == 1 ? 1 : i == 3 ? -1 : 0, 0 };
        instant_ball(&s, 1, 0.5, vec3_scale(sqrt(0.5), out), vec3_neg(out));
    }
    for (int i = 0; i < 4; ++i)
        instant_touch(&s, i, (i + 1) % 4);
    instant_verdict(&s, "qce", WAV, CAROM_VERDICT_UNASKED, "four balls on a circle");
}

// A driven wall throws a ball: its work is no gain of energy, and its momentum no loss.
static void driven(void)
{
    instant_clear(&s);
    instant_wall(&s, vec3_make(1, 0, 0));
    instant_ball(&s, 2, 0.5, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    instant_contact(&s, 0, 1, vec3_make(-0.5, 0, 0), vec3_make(1, 0, 0));
    carom_desiderata_figures f = instant_measure(&s, "qce");
    CHECK(f.of[KIN].verdict == CAROM_VERDICT_HOLDS, "the wall's work is no gain: %g",
          f.of[KIN].figure);
    CHECK_MOST(f.linear, 1e-15, "the wall's impulse explains the ball's momentum");
}

// |v - v_springs| / |u-| of Newton's law on the (3,1) cradle with Hooke springs, whose velocities
// are (-0.1302616951, 0.1502295694, 0.9800321256); (-1/3, 2/3, 2/3) by the law.
static void distance(void)
{
    static const double springs[3] = { -0.13026169506493468, 0.15022956943576704,
                                       0.9800321256291676 };
    double law[3] = { -1 / 3.0, 2 / 3.0, 2 / 3.0 }, sum = 0;
    for (int i = 0; i < 3; ++i)
        sum += (law[i] - springs[i]) * (law[i] - springs[i]);
    chain(1, 0, 0);
    instant_set_exponent(&s, 1);
    CHECK_NEAR(instant_measure(&s, "newton").distance, sqrt(sum), 1e-8, "distance to springs");
    CHECK_NEAR(instant_measure(&s, "springs").distance, -1, 0,
               "springs are not compared with themselves");
    instant_set_friction(&s, 0.1);
    CHECK_NEAR(instant_measure(&s, "newton").distance, -1, 0,
               "springs know no friction: not compared");
}

static void selection(void)
{
    carom_error err = { 0 };
    carom_desiderata_figures f;
    chain(1, 0, 0);
    carom_impact impact = s.impact;
    carom_desiderata *d = carom_desiderata_create(&impact, &err);
    carom_desiderata_select(d, CAROM_KIN);
    CHECK(carom_desiderata_measure(d, carom_law_find("qce", NULL), NULL, &f, &err) == CAROM_OK,
          "%s", err.what);
    for (int bit = 0; bit < CAROM_PROMISE_COUNT; ++bit)
        CHECK((f.of[bit].verdict == CAROM_VERDICT_UNASKED) == (bit != KIN), "%s is %s",
              carom_law_promise_name(bit), carom_desiderata_word(f.of[bit].verdict));
    carom_desiderata_destroy(d);
    s.bodies[0].inverse_mass = -1;
    CHECK(carom_desiderata_create(&impact, &err) == NULL && strstr(err.what, "-1"),
          "a bad problem is refused: %s", err.what);
    carom_desiderata_destroy(NULL);
    CHECK(strlen(carom_desiderata_sentence(CAROM_VERDICT_UNASKED)) > 10, "verdicts are explained");
}

int main(void)
{
    known_verdicts();
    decoupled();
    driven();
    distance();
    selection();
    return check_report();
}
