// Which plane shows most of a comparison, how bodies look in it, and on which scale.
#include "pictures/compare_view.h"

#include <math.h>

// -- the view -----------------------------------------------------------------------------------

static void widen(double extent[3], double min[3], double max[3], const double point[3])
{
    for (int k = 0; k < 3; ++k) {
        min[k] = fmin(min[k], point[k]);
        max[k] = fmax(max[k], point[k]);
        extent[k] = max[k] - min[k];
    }
}

// Extents of places (bodies and contacts), the largest velocity and the largest spin per axis.
static void measure(const carom_compare_painter *p, double places[3], double speeds[3],
                    double spins[3])
{
    double min[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, max[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int k = 0; k < 3; ++k)
        places[k] = speeds[k] = spins[k] = 0;
    for (int i = 0; i < p->impact->body_count; ++i) {
        bool movable = p->impact->bodies[i].inverse_mass > 0;
        if (movable)
            widen(places, min, max, p->impact->bodies[i].position);
        for (int k = 0; k < 3; ++k)
            speeds[k] = fmax(speeds[k], fabs(p->impact->bodies[i].velocity[k]));
        for (int r = 0; r < carom_compare_count(p->compare); ++r) {
            const carom_compare_row *row = carom_compare_at(p->compare, r);
            for (int k = 0; row->status == CAROM_OK && k < 3; ++k) {
                speeds[k] = fmax(speeds[k], fabs(row->outcome.velocities[i][k]));
                spins[k] = fmax(spins[k], fabs(row->outcome.spins[i][k]));
            }
        }
    }
    for (int i = 0; i < p->impact->contact_count; ++i)
        widen(places, min, max, p->impact->contacts[i].point);
}

// How much there is to see along each axis: places, velocities, and turning about the others.
static void weigh(const carom_compare_painter *p, double weight[3], bool *line)
{
    double places[3], speeds[3], spins[3], fastest = 0, widest = 0, turning = 0;
    measure(p, places, speeds, spins);
    for (int k = 0; k < 3; ++k) {
        fastest = fmax(fastest, speeds[k]);
        widest = fmax(widest, places[k]);
        turning = fmax(turning, spins[k]);
    }
    int moving = 0;
    for (int k = 0; k < 3; ++k) {
        weight[k] = (fastest > 0 ? speeds[k] / fastest : 0) + (widest > 0 ? places[k] / widest : 0);
        weight[k] -= turning > 1e-9 ? 1.5 * spins[k] / turning : 0;
        moving += speeds[k] > 1e-9 * fastest || places[k] > 1e-9 * widest;
    }
    *line = moving <= 1;
}

static void choose_view(carom_compare_painter *p)
{
    carom_compare_view *v = &p->view;
    double weight[3];
    weigh(p, weight, &v->line);
    bool many = p->impact->body_count > 4;
    if (many && weight[0] > 0.6 && weight[1] > 0.6 && weight[2] > 0.6) {
        v->depth = vec3_unit(vec3_make(-0.4, 0.9, -0.55)); // from above, in front, to the right
        v->right = vec3_unit(vec3_cross(v->depth, vec3_make(0, 0, 1)));
        v->up = vec3_cross(v->right, v->depth);
    } else if (weight[2] >= weight[1] || weight[2] >= weight[0]) { // z up
        bool from_front = weight[0] >= weight[1] || (v->line && weight[0] > 0);
        v->right = from_front ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
        v->depth = from_front ? vec3_make(0, 1, 0) : vec3_make(-1, 0, 0);
        v->up = vec3_make(0, 0, 1);
    } else { // from above
        v->right = vec3_make(1, 0, 0);
        v->up = vec3_make(0, 1, 0);
        v->depth = vec3_make(0, 0, -1);
    }
}

void carom_compare_view_project(const carom_compare_view *v, const double point[3], double out[2])
{
    out[0] = vec3_dot(v->right, vec3_from(point));
    out[1] = vec3_dot(v->up, vec3_from(point));
}

// Into the panel: y down.
void carom_compare_view_place(const carom_compare_view *v, const double point[3], double out[2])
{
    double flat[2];
    carom_compare_view_project(v, point, flat);
    out[0] = (flat[0] - v->min[0]) * v->scale;
    out[1] = (v->max[1] - flat[1]) * v->scale;
}

// -- shapes -------------------------------------------------------------------------------------

// A body without a look: a ball where all its contacts lie at one distance along their normals.
static double guess_radius(const carom_compare_painter *p, int body)
{
    double radius = 0;
    for (int i = 0; i < p->impact->contact_count; ++i) {
        const carom_impact_contact *contact = &p->impact->contacts[i];
        if (contact->a != body && contact->b != body)
            continue;
        vec3 arm = vec3_sub(vec3_from(contact->point), vec3_from(p->impact->bodies[body].position));
        double length = vec3_length(arm);
        double along = fabs(vec3_dot(arm, vec3_from(contact->normal)));
        if (along < 0.999 * length || (radius > 0 && fabs(length - radius) > 0.05 * radius))
            return 0;
        radius = length;
    }
    return radius;
}

// Corners of a body's outline: the box of its look, or its contact points and their mirror images.
int carom_compare_view_outline(const carom_compare_painter *p, int body, double (*corners)[3])
{
    carom_scene_look look = carom_scene_impact_look(p->scene, body);
    const double *centre = p->impact->bodies[body].position;
    int count = 0;
    if (look.size[0] > 0 || look.size[1] > 0 || look.size[2] > 0) {
        for (; count < 8; ++count)
            for (int k = 0; k < 3; ++k)
                corners[count][k] = centre[k] + (count >> k & 1 ? 0.5 : -0.5) * look.size[k];
        return count;
    }
    for (int i = 0; i < p->impact->contact_count && count + 2 <= CAROM_COMPARE_CORNERS; ++i) {
        const carom_impact_contact *contact = &p->impact->contacts[i];
        if (contact->a != body && contact->b != body)
            continue;
        for (int k = 0; k < 3; ++k) {
            corners[count][k] = contact->point[k];
            corners[count + 1][k] = 2 * centre[k] - contact->point[k];
        }
        count += 2;
    }
    return count;
}

bool carom_compare_view_is_plate(const carom_compare_painter *p, int body)
{
    carom_scene_look look = carom_scene_impact_look(p->scene, body);
    return p->impact->bodies[body].inverse_mass == 0 && look.radius == 0 && look.size[0] == 0 &&
           look.size[1] == 0 && look.size[2] == 0;
}

static void find_shapes(carom_compare_painter *p)
{
    for (int i = 0; i < p->impact->body_count; ++i) {
        carom_scene_look look = carom_scene_impact_look(p->scene, i);
        bool box = look.size[0] > 0 || look.size[1] > 0 || look.size[2] > 0;
        p->shape[i][0] = p->shape[i][1] = 0;
        if (carom_compare_view_is_plate(p, i))
            continue;
        p->shape[i][0] = look.radius > 0 ? look.radius : box ? 0 : guess_radius(p, i);
    }
}

// -- the frame ----------------------------------------------------------------------------------

static void include(carom_compare_view *v, const double at[2], double around)
{
    for (int k = 0; k < 2; ++k) {
        v->min[k] = fmin(v->min[k], at[k] - around);
        v->max[k] = fmax(v->max[k], at[k] + around);
    }
}

static void include_bodies(carom_compare_painter *p)
{
    carom_compare_view *v = &p->view;
    for (int i = 0; i < p->impact->body_count; ++i) {
        double at[2], corners[CAROM_COMPARE_CORNERS][3];
        if (carom_compare_view_is_plate(p, i))
            continue;
        carom_compare_view_project(v, p->impact->bodies[i].position, at);
        include(v, at, p->shape[i][0]);
        int count = p->shape[i][0] > 0 ? 0 : carom_compare_view_outline(p, i, corners);
        for (int k = 0; k < count; ++k) {
            carom_compare_view_project(v, corners[k], at);
            include(v, at, 0);
        }
    }
    for (int i = 0; i < p->impact->contact_count; ++i) {
        double at[2];
        carom_compare_view_project(v, p->impact->contacts[i].point, at);
        include(v, at, 0);
    }
}

static void include_arrows(carom_compare_painter *p, double metres_per_speed)
{
    carom_compare_view *v = &p->view;
    for (int i = 0; i < p->impact->body_count; ++i)
        for (int r = -1; r < carom_compare_count(p->compare); ++r) {
            const carom_compare_row *row = r < 0 ? NULL : carom_compare_at(p->compare, r);
            if (row && row->status != CAROM_OK)
                continue;
            const double *speed = row ? row->outcome.velocities[i] : p->impact->bodies[i].velocity;
            double tip[3], at[2];
            for (int k = 0; k < 3; ++k)
                tip[k] = p->impact->bodies[i].position[k] + metres_per_speed * speed[k];
            if (carom_compare_view_is_plate(p, i))
                continue;
            carom_compare_view_project(v, tip, at);
            include(v, at, 0);
        }
}

static void largest(carom_compare_painter *p, double *speed, double *impulse)
{
    *speed = *impulse = 0;
    for (int i = 0; i < p->impact->body_count; ++i)
        *speed = fmax(*speed, vec3_length(vec3_from(p->impact->bodies[i].velocity)));
    for (int r = 0; r < carom_compare_count(p->compare); ++r) {
        const carom_compare_row *row = carom_compare_at(p->compare, r);
        if (row->status != CAROM_OK)
            continue;
        for (int i = 0; i < p->impact->body_count; ++i)
            *speed = fmax(*speed, vec3_length(vec3_from(row->outcome.velocities[i])));
        for (int i = 0; i < p->impact->contact_count; ++i)
            *impulse = fmax(*impulse, vec3_length(vec3_from(row->outcome.impulses[i])));
    }
}

// The typical size of a body decides how long arrows are.
static void frame(carom_compare_painter *p)
{
    carom_compare_view *v = &p->view;
    double speed, diameter = 0;
    v->min[0] = v->min[1] = HUGE_VAL;
    v->max[0] = v->max[1] = -HUGE_VAL;
    include_bodies(p);
    if (v->max[0] < v->min[0]) // nothing but walls that touch nothing
        include(v, (double[2]){ 0, 0 }, 1);
    double width = v->max[0] - v->min[0], height = v->max[1] - v->min[1];
    for (int i = 0; i < p->impact->body_count; ++i)
        diameter = fmax(diameter, 2 * p->shape[i][0]);
    if (diameter == 0)
        diameter = 0.5 * fmax(width, height);
    if (diameter == 0)
        diameter = 1;
    largest(p, &speed, &v->impulse);
    double longest = v->line ? 0.9 * diameter : 1.3 * diameter; // of an arrow
    double metres_per_speed = speed > 0 ? longest / speed : 0;
    include_arrows(p, metres_per_speed);
    for (int k = 0; k < 2; ++k) {
        v->min[k] -= 0.2 * diameter;
        v->max[k] += 0.2 * diameter;
    }
    width = v->max[0] - v->min[0];
    height = v->max[1] - v->min[1];
    v->panel[0] = width > 2.5 * height ? 440 : 300;
    v->scale = v->panel[0] / width;
    if (height * v->scale > 320)
        v->scale = 320 / height;
    double spare = 0.5 * (v->panel[0] / v->scale - width);
    v->min[0] -= spare;
    v->max[0] += spare;
    v->panel[1] = height * v->scale;
    v->arrow = metres_per_speed * v->scale;
}

void carom_compare_view_make(carom_compare_painter *p)
{
    choose_view(p);
    find_shapes(p);
    frame(p);
}
