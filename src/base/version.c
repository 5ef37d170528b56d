// What this library is and what built it.
#include "carom/version.h"

#include <string.h>
#include "built.h"
#include "carom/carom.h"

#define TEXT(number) #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *carom_version(void)
{
    return DOTTED(CAROM_VERSION_MAJOR, CAROM_VERSION_MINOR, CAROM_VERSION_PATCH);
}

const char *carom_version_compiler(void)
{
    return CAROM_COMPILER;
}

#define STRUCTS(X)                                                                                 \
    X(carom_audit)                                                                                 \
    X(carom_body)                                                                                  \
    X(carom_body_id)                                                                               \
    X(carom_bounce_map_info)                                                                       \
    X(carom_bounce_map_options)                                                                    \
    X(carom_bounce_options)                                                                        \
    X(carom_bounce_recipe)                                                                         \
    X(carom_bounce_result)                                                                         \
    X(carom_bounce_statistics)                                                                     \
    X(carom_bounce_value)                                                                          \
    X(carom_chain)                                                                                 \
    X(carom_chain_body)                                                                            \
    X(carom_chain_contact)                                                                         \
    X(carom_chain_history)                                                                         \
    X(carom_chain_report)                                                                          \
    X(carom_chain_result)                                                                          \
    X(carom_chain_touch)                                                                           \
    X(carom_compare_row)                                                                           \
    X(carom_contact_event)                                                                         \
    X(carom_desiderata_figures)                                                                    \
    X(carom_error)                                                                                 \
    X(carom_frame)                                                                                 \
    X(carom_impact)                                                                                \
    X(carom_impact_body)                                                                           \
    X(carom_impact_contact)                                                                        \
    X(carom_impact_outcome)                                                                        \
    X(carom_impact_report)                                                                         \
    X(carom_joint)                                                                                 \
    X(carom_joint_id)                                                                              \
    X(carom_joint_state)                                                                           \
    X(carom_law_options)                                                                           \
    X(carom_ledger)                                                                                \
    X(carom_mass)                                                                                  \
    X(carom_material)                                                                              \
    X(carom_modal_info)                                                                            \
    X(carom_modal_material)                                                                        \
    X(carom_modal_options)                                                                         \
    X(carom_option)                                                                                \
    X(carom_outcomes)                                                                              \
    X(carom_outcomes_body)                                                                         \
    X(carom_outcomes_options)                                                                      \
    X(carom_outcomes_pattern)                                                                      \
    X(carom_outcomes_spread)                                                                       \
    X(carom_pass_contact)                                                                          \
    X(carom_pass_motion)                                                                           \
    X(carom_pass_options)                                                                          \
    X(carom_pass_report)                                                                           \
    X(carom_pieces)                                                                                \
    X(carom_plot)                                                                                  \
    X(carom_plot_axis)                                                                             \
    X(carom_plot_series)                                                                           \
    X(carom_profile)                                                                               \
    X(carom_progress)                                                                              \
    X(carom_restitution_source)                                                                    \
    X(carom_runner_settings)                                                                       \
    X(carom_states)                                                                                \
    X(carom_sweep_report)                                                                          \
    X(carom_sweep_settings)                                                                        \
    X(carom_svg)                                                                                   \
    X(carom_text)                                                                                  \
    X(carom_tower_audit)                                                                           \
    X(carom_tower_body)                                                                            \
    X(carom_tower_force)                                                                           \
    X(carom_tower_instant)                                                                         \
    X(carom_tower_motion_options)                                                                  \
    X(carom_tower_proof)                                                                           \
    X(carom_tower_recording)                                                                       \
    X(carom_tower_tie)                                                                             \
    X(carom_validate_material)                                                                     \
    X(carom_validate_measured)                                                                     \
    X(carom_validate_options)                                                                      \
    X(carom_validate_row)                                                                          \
    X(carom_validation)                                                                            \
    X(carom_view_tower)                                                                            \
    X(carom_world_contact)                                                                         \
    X(carom_world_options)

size_t carom_version_size(const char *type)
{
    static const struct {
        const char *name;
        size_t size;
    } known[] = {
#define ENTRY(type) { #type, sizeof(type) },
        STRUCTS(ENTRY)
#undef ENTRY
    };
    for (size_t i = 0; type && i < sizeof known / sizeof *known; ++i)
        if (strcmp(type, known[i].name) == 0)
            return known[i].size;
    return 0;
}
