"""Written by declarations.py from the public headers."""
from ctypes import *  # noqa: F403

class FILE(Structure):
    """"""

class carom_bounce_direct(Structure):
    """Modes kept on the surface: restitution computed per contact at run time, for one body or two."""

class carom_bounce_file(Structure):
    """A file of kind "bounce-kernel": bare scalar problems and how to solve them."""

class carom_bounce_map(Structure):
    """Immutable; any number of threads may read it."""

class carom_chain_file(Structure):
    """A chain read from a JSON file of kind "chain" (see docs/chain.md). Owns everything it gives out."""

class carom_chain_stepper(Structure):
    """A row that is stepped. Owns its memory."""

class carom_compare(Structure):
    """Several laws on one problem."""

class carom_desiderata(Structure):
    """One instant to be judged under many laws. Holds a copy of the problem and what all laws are compared with."""

class carom_json(Structure):
    """A JSON text in the making."""

class carom_law(Structure):
    """An impact law. The descriptions are public; how it resolves is not."""

class carom_measure(Structure):
    """A measurement in the making."""

class carom_modes(Structure):
    """Modes of one body. Immutable; any number of threads may read it."""

class carom_recorder(Structure):
    """Writes a trajectory. One writer per file: the file is locked while it is open."""

class carom_recording(Structure):
    """Bodies and frames."""

class carom_runner(Structure):
    """A run: steps a scene and writes its trajectory."""

class carom_scene_impact(Structure):
    """One instant of impact with names, a law and pictures' hints: files of kind "impact"."""

class carom_scene_world(Structure):
    """A scene in time: files of kind "world", which `carom run` runs."""

class carom_shape(Structure):
    """A shape: immutable, shared by its owners (carom_shape_retain, carom_shape_release)."""

class carom_tower(Structure):
    """A tower. Create, add, then ask; the questions never change it. Bodies, supports, pins and bars at rest."""

class carom_tower_motion(Structure):
    """A tower in motion, with its own copy of the positions."""

class carom_tower_space(Structure):
    """Bodies and contacts in space, at rest."""

class carom_trajectory(Structure):
    """A trajectory opened for reading."""

class carom_view(Structure):
    """A server at work."""

class carom_view_source(Structure):
    """Something that can be shown: bodies, their forms, and frames."""

class carom_workspace(Structure):
    """Memory and threads for resolving. One workspace serves one caller at a time; after the largest problem has been seen, resolving allocates nothing."""

class carom_world(Structure):
    """Bodies, joints and materials, and their state in time."""

class carom_error(Structure):
    """What went wrong, where, and what to try next. Zero-initialise before the first use; the fields other than status mean something only after a failure."""
    _fields_ = [
        ('status', c_int),
        ('what', c_char * 256),
        ('where', c_char * 256),
        ('fix', c_char * 256),
        ('body', c_int),
        ('contact', c_int),
    ]

class carom_mass(Structure):
    """Volume, centre and inertia at unit density. Multiply volume and inertia by the density (kg/m^3)."""
    _fields_ = [
        ('volume', c_double),
        ('inertia', c_double * 6),
    ]

class carom_mesh_report(Structure):
    """What a triangle mesh is like: counts of everything that keeps it from bounding a solid."""
    _fields_ = [
        ('vertices', c_int),
        ('triangles', c_int),
        ('pieces', c_int),
        ('welded', c_int),
        ('degenerate', c_int),
        ('duplicate', c_int),
        ('open_edges', c_int),
        ('crowded_edges', c_int),
        ('flipped', c_int),
        ('inverted', c_int),
        ('touching', c_int),
        ('place', c_double * 3),
    ]

class carom_mesh_source(Structure):
    """A closed triangle mesh, possibly not convex: `vertices` holds x y z (m) of each vertex, `triangles` three vertex numbers each, counter-clockwise seen from outside."""
    _fields_ = [
        ('vertices', POINTER(c_double)),
        ('triangles', POINTER(c_int)),
        ('vertex_count', c_int),
        ('triangle_count', c_int),
    ]

class carom_part(Structure):
    """One part of a compound: a shape (not a plane, not a compound) and where it sits."""
    _fields_ = [
        ('shape', POINTER(carom_shape)),
        ('position', c_double * 3),
        ('rotation', c_double * 4),
    ]

class carom_restitution_site(Structure):
    """Where a body is struck, in the frame of its shape."""
    _fields_ = [
        ('point', c_double * 3),
        ('normal', c_double * 3),
        ('response', c_double),
    ]

class carom_restitution_functions(Structure):
    """How one kind of source works. The functions are called within a step: they must not allocate, and must give the same bits for the same arguments. Several threads may call them at once."""
    _fields_ = [
        ('check', CFUNCTYPE(c_int, c_void_p, POINTER(carom_shape), POINTER(carom_error))),
        ('scratch', CFUNCTYPE(c_size_t, c_void_p, c_void_p)),
        ('value', CFUNCTYPE(c_int, c_void_p, POINTER(carom_restitution_site), c_void_p, POINTER(c_double), POINTER(carom_error))),
        ('pair', CFUNCTYPE(c_int, POINTER(c_void_p), POINTER(carom_restitution_site), c_void_p, POINTER(c_double), POINTER(carom_error))),
    ]

class carom_restitution_source(Structure):
    """A body's restitution over its surface."""
    _fields_ = [
        ('functions', POINTER(carom_restitution_functions)),
        ('data', c_void_p),
        ('scale', c_double),
    ]

class carom_bounce_case(Structure):
    """One contact as the modes see it."""
    _fields_ = [
        ('w', c_double),
        ('mode_count', c_int),
        ('a', POINTER(c_double)),
        ('omega', POINTER(c_double)),
    ]

class carom_bounce_result(Structure):
    """What came out of one contact."""
    _fields_ = [
        ('epsilon', c_double),
        ('tau', c_double),
        ('impulse', c_double),
        ('micro', c_int),
        ('steps', c_long),
        ('end', c_int),
    ]

class carom_bounce_options(Structure):
    """How a contact is solved."""
    _fields_ = [
        ('solver', c_int),
        ('turn', c_double),
        ('damping', c_double),
        ('elastic', c_int),
        ('budget', c_long),
    ]

class carom_bounce_batch(Structure):
    """Many contacts of one body at once: the same frequencies, other participations."""
    _fields_ = [
        ('mode_count', c_int),
        ('sample_count', c_int),
        ('omega', POINTER(c_double)),
        ('w', POINTER(c_double)),
        ('a', POINTER(c_double)),
        ('threads', c_int),
    ]

class carom_bounce_frame(Structure):
    """One instant of a contact: fig 8 of the paper."""
    _fields_ = [
        ('time', c_double),
        ('gap', c_double),
        ('rigid', c_double),
        ('speed', c_double),
        ('touching', c_int),
    ]

class carom_bounce_visitor(Structure):
    """Who is told every step."""
    _fields_ = [
        ('frame', CFUNCTYPE(None, c_void_p, POINTER(carom_bounce_frame))),
        ('context', c_void_p),
    ]

class carom_bounce_study(Structure):
    """How well each rule predicts the value of a pair (table 1 of the paper)."""
    _fields_ = [
        ('pairs', c_long),
        ('mean', c_double),
        ('error', c_double * 8),
        ('capped', c_long),
    ]

class carom_progress(Structure):
    """Given by the caller to functions that may take longer than two seconds; null is always allowed."""
    _fields_ = [
        ('report', CFUNCTYPE(c_int, c_void_p, c_double, c_double, c_char_p)),
        ('context', c_void_p),
    ]

class carom_modal_material(Structure):
    """An isotropic linear elastic solid."""
    _fields_ = [
        ('young', c_double),
        ('poisson', c_double),
        ('density', c_double),
    ]

class carom_tets(Structure):
    """Tetrahedra with 10 nodes: 4 corners, then the middles of the edges 01 12 02 03 13 23."""
    _fields_ = [
        ('node_count', c_int),
        ('tet_count', c_int),
        ('nodes', POINTER(c_double)),
        ('tets', POINTER(c_int)),
        ('upgraded', c_int),
        ('turned', c_int),
    ]

class carom_modal_options(Structure):
    """How modes are computed."""
    _fields_ = [
        ('modes', c_int),
        ('cell', c_double),
        ('across', c_double),
        ('unknowns_most', c_int),
        ('cluster_gap', c_double),
        ('threads', c_int),
    ]

class carom_modal_info(Structure):
    """What is known about the body and the computation. Pointers belong to the modes."""
    _fields_ = [
        ('mode_count', c_int),
        ('asked', c_int),
        ('omega', POINTER(c_double)),
        ('next_omega', c_double),
        ('mass', c_double),
        ('centre', c_double * 3),
        ('inertia', c_double * 6),
        ('mass_error', c_double),
        ('inertia_error', c_double),
        ('unknowns', c_long),
        ('cells', c_int),
        ('cut_cells', c_int),
        ('cell', c_double * 3),
        ('thickness', c_double),
        ('factor_bytes', c_double),
        ('solves', c_int),
        ('residual', c_double),
        ('material', carom_modal_material),
        ('key', c_uint64),
        ('warning_count', c_int),
        ('warnings', c_char * 256 * 4),
    ]

class carom_bounce_map_options(Structure):
    """How a map is computed and read."""
    _fields_ = [
        ('kernel', carom_bounce_options),
        ('symmetry', c_int),
        ('reading', c_int),
        ('edges', c_int),
        ('vertices', c_int),
        ('sharp', c_double),
        ('angle', c_double),
        ('alpha', c_double),
        ('threads', c_int),
        ('work_most', c_double),
        ('origin', c_double * 3),
    ]

class carom_bounce_map_info(Structure):
    """What a map was made from and what it holds."""
    _fields_ = [
        ('mesh_hash', c_uint64),
        ('centre', c_double * 3),
        ('mass', c_double),
        ('inertia', c_double * 6),
        ('frame', c_double * 9),
        ('turning', c_int),
        ('operations', c_int),
        ('modes', c_int),
        ('omega_least', c_double),
        ('omega_most', c_double),
        ('material', carom_modal_material),
        ('kernel', carom_bounce_options),
        ('reading', c_int),
        ('alpha', c_double),
        ('sharp', c_double),
        ('angle', c_double),
        ('spacing', c_double),
        ('gamma', c_double),
        ('faces', c_int),
        ('edge_samples', c_int),
        ('vertex_samples', c_int),
        ('sharp_edges', c_int),
        ('sharp_vertices', c_int),
        ('computed', c_int),
        ('capped', c_int),
    ]

class carom_bounce_value(Structure):
    """What is known about one contact."""
    _fields_ = [
        ('epsilon', c_double),
        ('tau', c_double),
        ('micro', c_int),
        ('spread', c_double),
        ('capped', c_int),
        ('place', c_int),
        ('index', c_int),
    ]

class carom_bounce_statistics(Structure):
    """Plain figures over the samples of one place, or of all."""
    _fields_ = [
        ('count', c_int),
        ('min', c_double),
        ('max', c_double),
        ('mean', c_double),
        ('mean_area', c_double),
        ('tau_mean', c_double),
        ('micro_mean', c_double),
        ('histogram', c_int * 25),
    ]

class carom_bounce_recipe(Structure):
    """Everything besides the shape that a map is made from."""
    _fields_ = [
        ('material', carom_modal_material),
        ('modal', carom_modal_options),
        ('map', carom_bounce_map_options),
        ('faces', c_int),
    ]

class carom_bounce_figure(Structure):
    """A table of numbers: the first column is what the others are drawn over."""
    _fields_ = [
        ('number', c_int),
        ('title', c_char_p),
        ('across', c_char_p),
        ('unit', c_char_p),
        ('log', c_int),
        ('columns', c_int),
        ('rows', c_int),
        ('names', c_char_p * 8),
        ('values', POINTER(c_double)),
    ]

class carom_chain_body(Structure):
    """One body. Bodies stand from left to right; a positive velocity moves to the right."""
    _fields_ = [
        ('kind', c_int),
        ('velocity', c_double),
        ('mass', c_double),
        ('radius', c_double),
        ('length', c_double),
        ('young', c_double),
        ('density', c_double),
        ('damping', c_double),
        ('slices', c_int),
    ]

class carom_chain_contact(Structure):
    """What acts between two neighbours while they touch: F = stiffness * compression^exponent, never tension."""
    _fields_ = [
        ('stiffness', c_double),
        ('exponent', c_double),
        ('gap', c_double),
    ]

class carom_chain(Structure):
    """A row of bodies. Zero-initialise; zero in an option means its default."""
    _fields_ = [
        ('bodies', POINTER(carom_chain_body)),
        ('body_count', c_size_t),
        ('contacts', POINTER(carom_chain_contact)),
        ('duration', c_double),
        ('tolerance', c_double),
        ('max_steps', c_size_t),
        ('work_most', c_double),
        ('samples', c_size_t),
        ('points', c_size_t),
    ]

class carom_chain_touch(Structure):
    """What one contact went through."""
    _fields_ = [
        ('first_touch', c_double),
        ('last_release', c_double),
        ('closed_time', c_double),
        ('peak_force', c_double),
        ('impulse', c_double),
        ('restitution', c_double),
        ('touches', c_size_t),
    ]

class carom_chain_history(Structure):
    """Rows of samples over time. Every array is row-major: row s starts at s * its count."""
    _fields_ = [
        ('samples', c_size_t),
        ('bodies', c_size_t),
        ('contacts', c_size_t),
        ('points', c_size_t),
        ('time', POINTER(c_double)),
        ('position', POINTER(c_double)),
        ('velocity', POINTER(c_double)),
        ('half_velocity', POINTER(c_double)),
        ('force', POINTER(c_double)),
        ('compression', POINTER(c_double)),
        ('approach', POINTER(c_double)),
        ('point_position', POINTER(c_double)),
        ('first_point', POINTER(c_size_t)),
    ]

class carom_chain_result(Structure):
    """The outcome of carom_chain_run or carom_chain_waves. Owns its memory."""
    _fields_ = [
        ('bodies', c_size_t),
        ('contacts', c_size_t),
        ('exact', c_bool),
        ('mass', POINTER(c_double)),
        ('before', POINTER(c_double)),
        ('velocity', POINTER(c_double)),
        ('vibration', POINTER(c_double)),
        ('touch', POINTER(carom_chain_touch)),
        ('energy_before', c_double),
        ('energy_after', c_double),
        ('dissipated', c_double),
        ('energy_error', c_double),
        ('momentum_error', c_double),
        ('time', c_double),
        ('step', c_double),
        ('nodes', c_size_t),
        ('steps', c_size_t),
        ('attempts', c_size_t),
        ('events', c_size_t),
        ('work', c_double),
        ('exit', c_int),
        ('accurate', c_bool),
        ('history', carom_chain_history),
    ]

class carom_chain_row(Structure):
    """Rigid bodies in a row for time stepping."""
    _fields_ = [
        ('count', c_size_t),
        ('mass', POINTER(c_double)),
        ('velocity', POINTER(c_double)),
        ('gap', POINTER(c_double)),
        ('frame', c_bool),
    ]

class carom_chain_step_report(Structure):
    """What one step did."""
    _fields_ = [
        ('energy_before', c_double),
        ('energy_after', c_double),
        ('active', c_size_t),
        ('passes', c_size_t),
        ('pair_collisions', c_size_t),
        ('converged', c_bool),
    ]

class carom_chain_plan(Structure):
    """Time stepping as a file asks for it."""
    _fields_ = [
        ('step', c_double),
        ('steps', c_size_t),
        ('restitution', c_double),
        ('frame', c_bool),
        ('frame_gap', c_double),
    ]

class carom_chain_course(Structure):
    """One rule carried through all steps of a plan."""
    _fields_ = [
        ('velocity', POINTER(c_double)),
        ('shift', POINTER(c_double)),
        ('impulse', POINTER(c_double)),
        ('first_inelastic', POINTER(c_double)),
        ('energy_before', c_double),
        ('energy_after', c_double),
        ('steps', c_size_t),
        ('passes', c_size_t),
        ('pair_collisions', c_size_t),
        ('unconverged', c_size_t),
    ]

class carom_chain_courses(Structure):
    """All rules on one row. Owns its memory."""
    _fields_ = [
        ('bodies', c_size_t),
        ('contacts', c_size_t),
        ('course', carom_chain_course * 4),
    ]

class carom_chain_sweep(Structure):
    """Velocities after runs with different gaps. Owns its memory."""
    _fields_ = [
        ('count', c_size_t),
        ('bodies', c_size_t),
        ('gap', POINTER(c_double)),
        ('velocity', POINTER(c_double)),
        ('distance', POINTER(c_double)),
        ('complete', c_bool),
        ('work', c_double),
    ]

class carom_chain_report(Structure):
    """What a picture or a page shows. Everything but the chain may be null."""
    _fields_ = [
        ('title', c_char_p),
        ('names', POINTER(c_char_p)),
        ('chain', POINTER(carom_chain)),
        ('result', POINTER(carom_chain_result)),
        ('exact', POINTER(carom_chain_result)),
        ('courses', POINTER(carom_chain_courses)),
        ('sweep', POINTER(carom_chain_sweep)),
    ]

class carom_option(Structure):
    """One option of a law; the same entry feeds the parser, the defaults, `carom laws` and the manual."""
    _fields_ = [
        ('name', c_char_p),
        ('summary', c_char_p),
        ('kind', c_int),
        ('initial', c_double),
        ('min', c_double),
        ('max', c_double),
        ('choices', c_char_p),
    ]

class carom_law_options(Structure):
    """Values in the order of the law's options. Make it with carom_law_defaults."""
    _fields_ = [
        ('value', c_double * 12),
    ]

class carom_impact_body(Structure):
    """A body as the instant sees it. Inverse mass 0 (and inverse inertia 0) means immovable; with a velocity it is driven: it moves as given and nothing changes it."""
    _fields_ = [
        ('inverse_mass', c_double),
        ('inverse_inertia', c_double * 6),
        ('position', c_double * 3),
        ('velocity', c_double * 3),
        ('spin', c_double * 3),
    ]

class carom_impact_contact(Structure):
    """A touching pair."""
    _fields_ = [
        ('a', c_int),
        ('b', c_int),
        ('point', c_double * 3),
        ('normal', c_double * 3),
        ('restitution', c_double),
        ('friction', c_double),
        ('stiffness', c_double),
        ('exponent', c_double),
        ('gap', c_double),
        ('tangential_restitution', c_double),
    ]

class carom_impact(Structure):
    """One instant. The arrays belong to the caller and are not changed."""
    _fields_ = [
        ('body_count', c_int),
        ('contact_count', c_int),
        ('bodies', POINTER(carom_impact_body)),
        ('contacts', POINTER(carom_impact_contact)),
    ]

class carom_impact_report(Structure):
    """How the resolution went. Laws fill the first group, carom_impact_resolve measures the second."""
    _fields_ = [
        ('end', c_int),
        ('sweeps', c_int),
        ('events', c_int64),
        ('limited', c_int),
        ('limiter', c_double),
        ('solver_residual', c_double),
        ('elastic_error', c_double),
        ('capped_loss', c_double),
        ('islands', c_int),
        ('energy_before', c_double),
        ('energy_after', c_double),
        ('work', c_double),
        ('fastest', c_double),
        ('penetration', c_double),
        ('pull', c_double),
        ('momentum_error', c_double),
        ('hash', c_uint64),
        ('scratch_bytes', c_size_t),
    ]

class carom_impact_outcome(Structure):
    """Where results go. The arrays belong to the caller, in the order of the bodies and contacts."""
    _fields_ = [
        ('velocities', POINTER(c_double * 3)),
        ('spins', POINTER(c_double * 3)),
        ('impulses', POINTER(c_double * 3)),
        ('report', carom_impact_report),
    ]

class carom_impact_observer(Structure):
    """An observer of a law at work: called after every sweep (pass, cycle, block of micro-steps, step of the springs) with the impulses of all contacts so far, normal and along the two tangents (N s). Islands follow one another, each from sweep 1 on; losses and friction that a law adds at its end are in the outcome only."""
    _fields_ = [
        ('context', c_void_p),
        ('after_sweep', CFUNCTYPE(None, c_void_p, c_int, POINTER(c_double * 3))),
        ('after_step', CFUNCTYPE(None, c_void_p, POINTER(c_double * 3), c_double)),
    ]

class carom_desideratum(Structure):
    """One promise on one problem."""
    _fields_ = [
        ('verdict', c_int),
        ('figure', c_double),
        ('bound', c_double),
    ]

class carom_desiderata_figures(Structure):
    """All figures for one instant and one law. Speeds are relative to the fastest |u| before; energy norms |v|_M = sqrt(sum m v^2 + w.I w) to the larger of the instant's own and its impulses'."""
    _fields_ = [
        ('of', carom_desideratum * 8),
        ('end', c_int),
        ('sweeps', c_int),
        ('mirror', c_double),
        ('rotation', c_double),
        ('renumbering', c_double),
        ('linear', c_double),
        ('angular', c_double),
        ('energy_ratio', c_double),
        ('cone', c_double),
        ('distance', c_double),
        ('spin_distance', c_double),
    ]

class carom_world_options(Structure):
    """How the world moves. Make it with carom_world_options_default."""
    _fields_ = [
        ('gravity', c_double * 3),
        ('resting_speed', c_double),
        ('touch', c_double),
        ('events', c_int),
        ('event_work', c_double),
        ('rest_tolerance', c_double),
        ('rest_sweeps', c_int),
        ('impact_residual', c_double),
        ('impact_work', c_double),
        ('slop', c_double),
        ('threads', c_int),
        ('bounce_rule', c_int),
        ('stepping', c_int),
        ('law', POINTER(carom_law)),
        ('law_options', carom_law_options),
    ]

class carom_material(Structure):
    """A surface. Two materials that meet combine by the geometric mean of restitution, of friction and of rolling, unless carom_world_pair says otherwise, and by the mean of tangential restitution."""
    _fields_ = [
        ('restitution', c_double),
        ('fade', c_double),
        ('fade_speed', c_double),
        ('fade_power', c_double),
        ('friction', c_double),
        ('stiffness', c_double),
        ('exponent', c_double),
        ('rolling', c_double),
        ('tangential_restitution', c_double),
    ]

class carom_drive(Structure):
    """How a driven body moves: with its constant velocity and spin, plus amplitude sin(2 pi frequency (t - start) + phase) while the swing lasts."""
    _fields_ = [
        ('amplitude', c_double * 3),
        ('frequency', c_double),
        ('phase', c_double),
        ('start', c_double),
        ('cycles', c_double),
    ]

class carom_body(Structure):
    """What a body is when it is added. Make it with carom_world_body_default."""
    _fields_ = [
        ('kind', c_int),
        ('shape', POINTER(carom_shape)),
        ('density', c_double),
        ('mass', c_double),
        ('inertia', c_double * 6),
        ('position', c_double * 3),
        ('rotation', c_double * 4),
        ('velocity', c_double * 3),
        ('spin', c_double * 3),
        ('material', c_int),
        ('group', c_int),
        ('drive', carom_drive),
        ('restitution', carom_restitution_source),
    ]

class carom_joint(Structure):
    """A joint when it is added."""
    _fields_ = [
        ('kind', c_int),
        ('a', c_int),
        ('b', c_int),
        ('anchor_a', c_double * 3),
        ('anchor_b', c_double * 3),
        ('axis', c_double * 3),
        ('length', c_double),
        ('restitution', c_double),
    ]

class carom_ledger(Structure):
    """Where the energy is and where it went, since the world began. All in J."""
    _fields_ = [
        ('kinetic', c_double),
        ('potential', c_double),
        ('start', c_double),
        ('driven', c_double),
        ('law', c_double),
        ('rest', c_double),
        ('position_correction', c_double),
        ('integrator', c_double),
        ('peak_kinetic', c_double),
        ('min_potential', c_double),
        ('max_potential', c_double),
        ('momentum', c_double * 3),
        ('angular', c_double * 3),
        ('overlap', c_double),
        ('peak_overlap', c_double),
        ('impacts', c_int64),
        ('contacts', c_int64),
        ('sweeps', c_int64),
        ('rest_sweeps', c_int64),
        ('rest_residual', c_double),
        ('limited', c_int64),
        ('capped', c_int64),
        ('endless', c_int64),
        ('steps', c_int64),
        ('time', c_double),
    ]

class carom_audit(Structure):
    """The worst of all impacts since the world began, each relative: round-off is about 1e-15."""
    _fields_ = [
        ('gain', c_double),
        ('penetration', c_double),
        ('pull', c_double),
        ('momentum', c_double),
        ('elastic_sum', c_double),
        ('elastic_most', c_double),
        ('elastic_steps', c_int64),
        ('overlap', c_double),
        ('overlap_a', c_int),
        ('overlap_b', c_int),
    ]

class carom_world_contact(Structure):
    """A contact that carried an impulse."""
    _fields_ = [
        ('a', c_int),
        ('b', c_int),
        ('impact', c_int),
        ('time', c_double),
        ('point', c_double * 3),
        ('normal', c_double * 3),
        ('impulse', c_double * 3),
    ]

class carom_resting(Structure):
    """Approach speeds below which contacts rest instead of bouncing."""
    _fields_ = [
        ('chosen', c_int),
        ('plain', c_double),
        ('pile', c_double),
    ]

class carom_overlap(Structure):
    """Two bodies that overlap."""
    _fields_ = [
        ('a', c_int),
        ('b', c_int),
        ('depth', c_double),
    ]

class carom_times(Structure):
    """Where the time of the last step went, by the clock on the wall, summed over its intervals. For benchmarks: not part of snapshots or hashes."""
    _fields_ = [
        ('collide', c_double),
        ('locate', c_double),
        ('impact', c_double),
        ('rest', c_double),
        ('move', c_double),
    ]

class carom_profile(Structure):
    """What the steps since the world was made have cost, and why: not part of snapshots or hashes, as times depend on the machine."""
    _fields_ = [
        ('times', carom_times),
        ('steps', c_int64),
        ('intervals', c_int64),
        ('thrifty', c_int64),
        ('instants', c_int64),
        ('calls', c_int64),
        ('repeated', c_int64),
        ('widest', c_int64),
        ('contacts', c_int64),
        ('unsettled', c_int64),
    ]

class carom_scene_look(Structure):
    """How a body looks in a picture. All zero: unknown, to be guessed from its contacts."""
    _fields_ = [
        ('radius', c_double),
        ('size', c_double * 3),
    ]

class carom_scene_output(Structure):
    """What a run writes."""
    _fields_ = [
        ('every', c_double),
        ('checkpoint', c_double),
        ('checkpoint_steps', c_int64),
        ('contacts', c_int),
    ]

class carom_scene_mesh(Structure):
    """A mesh that the file names, as it was read from its own file: with these a scene needs no other file any more."""
    _fields_ = [
        ('name', c_char_p),
        ('scale', c_double),
        ('source', carom_mesh_source),
    ]

class carom_scene_contents(Structure):
    """What a file holds."""
    _fields_ = [
        ('kind', c_int),
        ('words', c_char * 160),
    ]

class carom_compare_row(Structure):
    """One law's result."""
    _fields_ = [
        ('law', POINTER(carom_law)),
        ('options', carom_law_options),
        ('status', c_int),
        ('error', carom_error),
        ('outcome', carom_impact_outcome),
        ('figures', carom_desiderata_figures),
        ('seconds', c_double),
    ]

class carom_text(Structure):
    """Zero-initialise; free with carom_text_free."""
    _fields_ = [
        ('bytes', POINTER(c_char)),
        ('length', c_size_t),
        ('capacity', c_size_t),
        ('failed', c_bool),
    ]

class carom_svg(Structure):
    """A picture in the making."""
    _fields_ = [
        ('text', POINTER(carom_text)),
        ('width', c_double),
        ('height', c_double),
    ]

class carom_svg_style(Structure):
    """How a mark looks. Null roles mean: no stroke, no fill. Zero width means 1, zero opacity means 1."""
    _fields_ = [
        ('stroke', c_char_p),
        ('fill', c_char_p),
        ('width', c_double),
        ('opacity', c_double),
        ('dash', c_char_p),
    ]

class carom_svg_words(Structure):
    """How words look."""
    _fields_ = [
        ('size', c_double),
        ('anchor', c_char_p),
        ('role', c_char_p),
        ('angle', c_double),
        ('bold', c_int),
    ]

class carom_plot_series(Structure):
    """One series of a plot."""
    _fields_ = [
        ('name', c_char_p),
        ('x', POINTER(c_double)),
        ('y', POINTER(c_double)),
        ('count', c_int),
        ('kind', c_int),
        ('role', c_char_p),
        ('dash', c_char_p),
        ('width', c_double),
    ]

class carom_plot_axis(Structure):
    """One axis. Range: found from the data where min == max. A label without a unit says "(-)"."""
    _fields_ = [
        ('label', c_char_p),
        ('unit', c_char_p),
        ('min', c_double),
        ('max', c_double),
        ('log', c_bool),
    ]

class carom_plot(Structure):
    """A plot: axes, and series over them."""
    _fields_ = [
        ('title', c_char_p),
        ('x', carom_plot_axis),
        ('y', carom_plot_axis),
        ('series', POINTER(carom_plot_series)),
        ('count', c_int),
        ('names', POINTER(c_char_p)),
        ('corner', c_double * 2),
        ('size', c_double * 2),
    ]

class carom_record(Structure):
    """One record, inside the memory of the trajectory."""
    _fields_ = [
        ('kind', c_int),
        ('payload', c_void_p),
        ('size', c_size_t),
        ('offset', c_uint64),
    ]

class carom_frame(Structure):
    """One frame, decoded."""
    _fields_ = [
        ('step', c_int64),
        ('time', c_double),
        ('hash', c_uint64),
        ('ledger', carom_ledger),
        ('body_count', c_int),
        ('bodies', POINTER(c_double)),
    ]

class carom_difference(Structure):
    """Where two trajectories part."""
    _fields_ = [
        ('frames', c_int64),
        ('alone_a', c_int64),
        ('alone_b', c_int64),
        ('frame', c_int64),
        ('step', c_int64),
        ('time', c_double),
        ('body', c_int),
        ('what', c_char * 32),
        ('a', c_double),
        ('b', c_double),
        ('largest', c_double),
    ]

class carom_runner_settings(Structure):
    """How to run. Zero-initialise."""
    _fields_ = [
        ('out', c_char_p),
        ('overwrite', c_int),
        ('set', POINTER(c_char_p)),
        ('set_count', c_int),
        ('progress', POINTER(carom_progress)),
    ]

class carom_runner_report(Structure):
    """What a run has kept and lost so far."""
    _fields_ = [
        ('ledger', carom_ledger),
        ('audit', carom_audit),
        ('momentum', c_double * 3),
        ('start_momentum', c_double * 3),
        ('angular', c_double * 3),
        ('start_angular', c_double * 3),
        ('momentum_scale', c_double),
        ('angular_scale', c_double),
        ('promised', c_uint),
        ('broken', c_uint),
        ('added', c_double),
        ('added_broken', c_int),
        ('overlap_broken', c_int),
        ('added_body', c_int),
        ('added_joint', c_int),
        ('done', c_int64),
        ('steps', c_int64),
    ]

class carom_runner_cost(Structure):
    """What a run has cost so far in this process, by the clock on the wall."""
    _fields_ = [
        ('steps', carom_profile),
        ('total', c_double),
        ('write', c_double),
    ]

class carom_export_view(Structure):
    """How pictures are taken. Make it with carom_export_view_default; what is not set is chosen from the moving bodies over the whole recording, so that all its pictures have one camera."""
    _fields_ = [
        ('width', c_int),
        ('height', c_int),
        ('has_from', c_int),
        ('has_to', c_int),
        ('from', c_double * 3),
        ('to', c_double * 3),
        ('up', c_double * 3),
        ('fov', c_double),
        ('fit', c_int),
        ('colour', c_int),
        ('walls', c_int),
        ('dark', c_int),
        ('label', c_int),
        ('threads', c_int),
    ]

class carom_export_pace(Structure):
    """How a video runs."""
    _fields_ = [
        ('rate', c_double),
        ('speed', c_double),
    ]

class carom_measure_options(Structure):
    """What to measure. Zero-initialise; `to` 0 means the end."""
    _fields_ = [
        ('of', c_int),
        ('body', c_char_p),
        ('from', c_double),
        ('to', c_double),
    ]

class carom_measure_column(Structure):
    """One column of a table."""
    _fields_ = [
        ('name', c_char * 48),
        ('unit', c_char_p),
        ('values', POINTER(c_double)),
        ('shown', c_int),
    ]

class carom_measure_number(Structure):
    """A mean or what a fit gives."""
    _fields_ = [
        ('name', c_char * 48),
        ('unit', c_char_p),
        ('value', c_double),
    ]

class carom_measure_table(Structure):
    """A result: columns over the first one, and numbers."""
    _fields_ = [
        ('title', c_char * 96),
        ('label', c_char_p),
        ('unit', c_char_p),
        ('rows', c_int),
        ('column_count', c_int),
        ('number_count', c_int),
        ('axis', c_int),
        ('log_x', c_int),
        ('log_y', c_int),
        ('columns', carom_measure_column * 16),
        ('numbers', carom_measure_number * 16),
    ]

class carom_measure_wave(Structure):
    """The solitary wave of a chain of beads without gaps or load, F = k compression^n and equal masses m, in the units bead, m and k: a wave whose fastest bead has the speed v moves on by one bead every 1 / (speed v^((n - 1) / (n + 1)) (k / m)^(1 / (n + 1))) seconds."""
    _fields_ = [
        ('speed', c_double),
        ('continuum', c_double),
        ('width', c_double),
        ('momentum', c_double),
    ]

class carom_pattern(Structure):
    """What a layer looks like."""
    _fields_ = [
        ('kind', c_int),
        ('peaks', c_int),
        ('wavelength', c_double),
        ('box_wavelength', c_double),
        ('mean_wavelength', c_double),
        ('ring', c_double * 17),
        ('ring_wave', c_double),
        ('mean', c_double),
        ('rms', c_double),
        ('contrast', c_double),
        ('fold', c_double * 3),
        ('local', c_double * 3),
        ('area', c_double * 4),
        ('cells', c_int * 2),
        ('height', c_double * 4096),
        ('wave', c_double * 60),
        ('power', c_double * 60 * 60),
    ]

class carom_random(Structure):
    """A place in a stream."""
    _fields_ = [
        ('seed', c_uint64),
        ('stream', c_uint64),
        ('counter', c_uint64),
    ]

class carom_repose(Structure):
    """Slopes are positive where the heap falls along its longer side, towards larger coordinates."""
    _fields_ = [
        ('line', c_double * 8),
        ('lines', c_int),
        ('mean', c_double),
        ('min', c_double),
        ('max', c_double),
        ('error', c_double),
        ('top', c_double * 16 * 8),
    ]

class carom_repose_point(Structure):
    """One point of a series, for a picture: the mean of one or more heaps."""
    _fields_ = [
        ('series', c_char_p),
        ('friction', c_double),
        ('angle', c_double),
        ('low', c_double),
        ('high', c_double),
    ]

class carom_tower_body(Structure):
    """A body: a convex polygon with corners counter-clockwise around its origin, which is placed at (x, y) and turned by angle."""
    _fields_ = [
        ('corners', POINTER(c_double)),
        ('corner_count', c_int),
        ('width', c_double),
        ('height', c_double),
        ('mass', c_double),
        ('spread', c_int),
        ('x', c_double),
        ('y', c_double),
        ('angle', c_double),
        ('fixed', c_bool),
    ]

class carom_tower_force(Structure):
    """A contact and the force it carries."""
    _fields_ = [
        ('a', c_int),
        ('b', c_int),
        ('point', c_double * 2),
        ('normal', c_double * 2),
        ('force', c_double),
        ('tangent', c_double),
        ('opening', c_double),
    ]

class carom_tower_tie(Structure):
    """The force in a bar (positive: tension) or one coordinate of the force in a pin."""
    _fields_ = [
        ('a', c_int),
        ('b', c_int),
        ('point', c_double * 2),
        ('direction', c_double * 2),
        ('force', c_double),
        ('bar', c_bool),
    ]

class carom_tower_instant(Structure):
    """What happens at the first instant: Gauss's principle [Collapse, (Q), (L2), (S2)]."""
    _fields_ = [
        ('stable', c_bool),
        ('bodies', c_int),
        ('accelerations', POINTER(c_double)),
        ('force_count', c_int),
        ('forces', POINTER(carom_tower_force)),
        ('tie_count', c_int),
        ('ties', POINTER(carom_tower_tie)),
        ('sum_m_a2', c_double),
        ('support_force', c_double),
        ('power', c_double),
        ('largest', c_double),
        ('kkt', c_double),
        ('asymmetry', c_double),
        ('method', c_char_p),
        ('rows', c_int),
    ]

class carom_tower_proof(Structure):
    """The answer of the first instant in exact rational arithmetic."""
    _fields_ = [
        ('stable', c_bool),
        ('certificate', POINTER(c_char)),
        ('sum_m_a2', POINTER(c_char)),
        ('support', POINTER(c_char)),
        ('tolerance', c_double),
        ('bits', c_int),
        ('contacts', c_int),
    ]

class carom_tower_verdict(Structure):
    """What an independent reader found in a certificate."""
    _fields_ = [
        ('stable', c_bool),
        ('valid', c_bool),
        ('accelerations', c_bool),
        ('of_the_scene', c_bool),
        ('bodies', c_int),
        ('forces', c_int),
        ('contacts', c_int),
        ('reason', c_char * 200),
        ('where', c_char * 96),
        ('fix', c_char * 160),
        ('tolerance', c_double),
    ]

class carom_tower_motion_options(Structure):
    """How a tower moves."""
    _fields_ = [
        ('dt', c_double),
        ('variant', c_int),
        ('sidedness', c_int),
        ('plain_start', c_bool),
        ('acceleration', c_bool),
        ('ignore_symmetry', c_bool),
        ('all_corners', c_bool),
        ('cold', c_bool),
        ('stop_early', c_double),
        ('penalty', c_double),
    ]

class carom_tower_step(Structure):
    """What one step found; the audit is always on."""
    _fields_ = [
        ('time', c_double),
        ('kinetic', c_double),
        ('potential', c_double),
        ('energy_gain', c_double),
        ('penetration', c_double),
        ('size_error', c_double),
        ('asymmetry', c_double),
        ('kkt', c_double),
        ('qp_ms', c_double),
        ('rows', c_int),
        ('active', c_int),
        ('factorisations', c_int),
        ('corrections', c_int),
        ('interior', c_bool),
        ('collision', c_bool),
    ]

class carom_tower_audit(Structure):
    """Extremes over all steps so far."""
    _fields_ = [
        ('steps', c_long),
        ('penetration', c_double),
        ('size_error', c_double),
        ('asymmetry', c_double),
        ('kkt', c_double),
        ('energy_gain_step', c_double),
        ('energy_gain_total', c_double),
        ('energy_start', c_double),
        ('qp_ms', c_double),
        ('rows', c_int),
        ('symmetric', c_bool),
        ('first_contact_with_support', c_double),
        ('interior_calls', c_long),
        ('corrections', c_long),
        ('fixed_point_rounds', c_long),
    ]

class carom_tower_recording(Structure):
    """A recorded motion."""
    _fields_ = [
        ('bodies', c_int),
        ('frames', c_int),
        ('time', POINTER(c_double)),
        ('place', POINTER(c_double)),
        ('kinetic', POINTER(c_double)),
        ('potential', POINTER(c_double)),
        ('penetration', POINTER(c_double)),
        ('audit', carom_tower_audit),
        ('qp_ms_most', c_double),
        ('bitwise', c_bool),
        ('hash', c_ulonglong),
        ('options', carom_tower_motion_options),
    ]

class carom_tower_overhang(Structure):
    """A stack of bricks that reaches over the edge of a table at x = 0."""
    _fields_ = [
        ('bricks', c_int),
        ('place', c_double * 32),
        ('reach', c_double),
        ('rows', c_int * 16),
        ('row_count', c_int),
        ('tried', c_long),
        ('proved', c_bool),
    ]

class carom_tower_space_body(Structure):
    """A body: mass and inertia; what it looks like is added with the functions below."""
    _fields_ = [
        ('name', c_char_p),
        ('mass', c_double),
        ('centre', c_double * 3),
        ('inertia', c_double * 6),
        ('size', c_double),
        ('fixed', c_bool),
        ('group', c_int),
    ]

class carom_tower_space_piece(Structure):
    """A convex polyhedron in world coordinates. Face f has the corners loop[first[f]] .. loop[first[f + 1] - 1], counter-clockwise from outside."""
    _fields_ = [
        ('corners', POINTER(c_double)),
        ('corner_count', c_int),
        ('first', POINTER(c_int)),
        ('loop', POINTER(c_int)),
        ('face_count', c_int),
    ]

class carom_tower_space_force(Structure):
    """A contact and the force it carries."""
    _fields_ = [
        ('a', c_int),
        ('b', c_int),
        ('point', c_double * 3),
        ('normal', c_double * 3),
        ('force', c_double),
        ('opening', c_double),
    ]

class carom_tower_space_instant(Structure):
    """What happens at the first instant."""
    _fields_ = [
        ('stable', c_bool),
        ('bodies', c_int),
        ('accelerations', POINTER(c_double)),
        ('force_count', c_int),
        ('forces', POINTER(carom_tower_space_force)),
        ('sum_m_a2', c_double),
        ('support_force', c_double),
        ('power', c_double),
        ('largest', c_double),
        ('kkt', c_double),
        ('method', c_char_p),
        ('rows', c_int),
    ]

class carom_validate_options(Structure):
    """What to validate on, and how. Make it with carom_validate_options_default."""
    _fields_ = [
        ('data', c_char_p),
        ('fit', c_char_p),
        ('seed', c_uint64),
        ('laws', POINTER(POINTER(carom_law))),
        ('law_count', c_int),
        ('threads', c_int),
        ('gyration', c_double),
        ('width', c_double),
        ('mass', c_double),
        ('inertia', c_double),
        ('gravity', c_double),
        ('rate', c_double),
        ('progress', POINTER(carom_progress)),
    ]

class carom_validate_row(Structure):
    """What one law makes of the data it was not fitted on."""
    _fields_ = [
        ('law', POINTER(carom_law)),
        ('restitution', c_double),
        ('friction', c_double),
        ('mean', c_double),
        ('median', c_double),
        ('position', c_double),
        ('angle', c_double),
        ('errors', POINTER(c_double)),
        ('angles', POINTER(c_double)),
    ]

class carom_validation(Structure):
    """Results, one row per law. Belongs to the caller: carom_validate_destroy."""
    _fields_ = [
        ('fitted', c_int),
        ('judged', c_int),
        ('bound', c_double),
        ('bounds', POINTER(c_double)),
        ('rows', POINTER(carom_validate_row)),
        ('row_count', c_int),
    ]

class carom_view_tower(Structure):
    """A tower with what was computed of it; nothing is kept of the parts, which the caller frees."""
    _fields_ = [
        ('tower', POINTER(carom_tower)),
        ('instant', POINTER(carom_tower_instant)),
        ('recording', POINTER(carom_tower_recording)),
        ('title', c_char_p),
    ]

class carom_view_options(Structure):
    """How pages are served."""
    _fields_ = [
        ('listen', c_char_p),
        ('port', c_int),
    ]

FUNCTIONS = {
    'carom_status_name': (c_char_p, [c_int]),
    'carom_status_sentence': (c_char_p, [c_int]),
    'carom_error_no_memory': (c_int, [POINTER(carom_error), c_char_p]),
    'carom_error_body': (c_int, [POINTER(carom_error), c_int]),
    'carom_error_contact': (c_int, [POINTER(carom_error), c_int]),
    'carom_sphere_create': (c_int, [c_double, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_box_create': (c_int, [POINTER(c_double), POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_capsule_create': (c_int, [c_double, c_double, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_cylinder_create': (c_int, [c_double, c_double, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_plane_create': (c_int, [POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_plane_towards': (c_int, [POINTER(c_double), POINTER(c_double), POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_hull_create': (c_int, [POINTER(c_double), c_int, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_mesh_create': (c_int, [POINTER(carom_mesh_source), c_int, POINTER(carom_mesh_report), POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_mesh_surface': (carom_mesh_source, [POINTER(carom_shape)]),
    'carom_mesh_from': (c_int, [POINTER(carom_shape), c_int, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_compound_create': (c_int, [POINTER(carom_part), c_int, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_profile_revolve': (c_int, [POINTER(c_double), c_int, c_int, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_profile_extrude': (c_int, [POINTER(c_double), c_int, c_double, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_profile_sweep': (c_int, [POINTER(c_double), c_int, POINTER(c_double), c_int, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_refine_mesh': (c_int, [POINTER(carom_shape), c_double, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_refine_count': (c_int, [POINTER(carom_shape), c_int, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_decimate_mesh': (c_int, [POINTER(carom_shape), c_int, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_generate_shape': (c_int, [c_char_p, POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_generate_name': (c_char_p, [c_int]),
    'carom_generate_sizes': (c_char_p, [c_int, POINTER(c_char_p), POINTER(c_double)]),
    'carom_shape_retain': (POINTER(carom_shape), [POINTER(carom_shape)]),
    'carom_shape_release': (None, [POINTER(carom_shape)]),
    'carom_shape_kind_of': (c_int, [POINTER(carom_shape)]),
    'carom_shape_kind_name': (c_char_p, [c_int]),
    'carom_shape_mass': (carom_mass, [POINTER(carom_shape)]),
    'carom_shape_shift': (None, [POINTER(carom_shape), POINTER(c_double)]),
    'carom_shape_radius': (c_double, [POINTER(carom_shape)]),
    'carom_shape_distance': (c_double, [POINTER(carom_shape), POINTER(c_double)]),
    'carom_shape_triangles': (None, [POINTER(carom_shape), c_int, c_double, CFUNCTYPE(None, c_void_p, POINTER(c_double)), c_void_p]),
    'carom_restitution_rule_name': (c_char_p, [c_int]),
    'carom_restitution_rule_formula': (c_char_p, [c_int]),
    'carom_restitution_rule_combine': (c_double, [c_int, POINTER(c_double), POINTER(c_double)]),
    'carom_bounce_end_name': (c_char_p, [c_int]),
    'carom_bounce_options_default': (carom_bounce_options, []),
    'carom_bounce_solver_name': (c_char_p, [c_int]),
    'carom_bounce_solve': (c_int, [POINTER(carom_bounce_case), POINTER(carom_bounce_options), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_bounce_exact': (c_int, [POINTER(carom_bounce_case), POINTER(carom_bounce_options), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_bounce_literal': (c_int, [POINTER(carom_bounce_case), POINTER(carom_bounce_options), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_bounce_many': (c_int, [POINTER(carom_bounce_batch), POINTER(carom_bounce_options), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_bounce_trace': (c_int, [POINTER(carom_bounce_case), POINTER(carom_bounce_options), POINTER(carom_bounce_visitor), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_bounce_pair': (c_int, [POINTER(carom_bounce_case), POINTER(carom_bounce_case), POINTER(carom_bounce_options), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_bounce_study_run': (c_int, [POINTER(carom_bounce_batch), POINTER(carom_bounce_batch), POINTER(carom_bounce_options), POINTER(carom_bounce_study), POINTER(carom_error)]),
    'carom_bounce_file_open': (c_int, [c_char_p, POINTER(POINTER(carom_bounce_file)), POINTER(carom_error)]),
    'carom_bounce_file_parse': (c_int, [c_char_p, c_char_p, c_size_t, POINTER(POINTER(carom_bounce_file)), POINTER(carom_error)]),
    'carom_bounce_file_close': (None, [POINTER(carom_bounce_file)]),
    'carom_bounce_file_count': (c_int, [POINTER(carom_bounce_file)]),
    'carom_bounce_file_options': (carom_bounce_options, [POINTER(carom_bounce_file)]),
    'carom_bounce_file_solve': (c_int, [POINTER(carom_bounce_file), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_modal_material_named': (c_int, [c_char_p, POINTER(carom_modal_material), POINTER(carom_error)]),
    'carom_modal_material_count': (c_int, []),
    'carom_modal_material_name': (c_char_p, [c_int]),
    'carom_modal_material_check': (c_int, [POINTER(carom_modal_material), POINTER(carom_error)]),
    'carom_tets_read': (c_int, [c_char_p, c_double, POINTER(POINTER(carom_tets)), POINTER(carom_error)]),
    'carom_tets_parse': (c_int, [c_char_p, POINTER(c_char_p), POINTER(c_size_t), c_double, POINTER(POINTER(carom_tets)), POINTER(carom_error)]),
    'carom_tets_create': (c_int, [POINTER(c_double), c_int, POINTER(c_int), c_int, POINTER(POINTER(carom_tets)), POINTER(carom_error)]),
    'carom_tets_destroy': (None, [POINTER(carom_tets)]),
    'carom_modal_options_default': (carom_modal_options, []),
    'carom_modal_from_surface': (c_int, [POINTER(carom_mesh_source), POINTER(carom_modal_material), POINTER(carom_modal_options), POINTER(carom_progress), POINTER(POINTER(carom_modes)), POINTER(carom_error)]),
    'carom_modal_from_tets': (c_int, [POINTER(carom_tets), POINTER(carom_modal_material), POINTER(carom_modal_options), POINTER(carom_progress), POINTER(POINTER(carom_modes)), POINTER(carom_error)]),
    'carom_modal_destroy': (None, [POINTER(carom_modes)]),
    'carom_modal_about': (POINTER(carom_modal_info), [POINTER(carom_modes)]),
    'carom_modal_shapes_at': (c_int, [POINTER(carom_modes), POINTER(c_double), POINTER(c_double), POINTER(carom_error)]),
    'carom_modal_participation': (c_int, [POINTER(carom_modes), POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(carom_error)]),
    'carom_modal_response': (c_double, [POINTER(carom_modes), POINTER(c_double), POINTER(c_double)]),
    'carom_modal_boundary': (carom_mesh_source, [POINTER(carom_modes)]),
    'carom_modal_rescale': (c_int, [POINTER(carom_modes), POINTER(carom_modal_material), POINTER(carom_error)]),
    'carom_modal_key': (c_uint64, [POINTER(carom_mesh_source), POINTER(carom_modal_material), POINTER(carom_modal_options)]),
    'carom_modal_key_tets': (c_uint64, [POINTER(carom_tets), POINTER(carom_modal_material), POINTER(carom_modal_options)]),
    'carom_modal_save': (c_int, [POINTER(carom_modes), c_char_p, POINTER(carom_error)]),
    'carom_modal_load': (c_int, [c_char_p, c_uint64, POINTER(POINTER(carom_modes)), POINTER(carom_error)]),
    'carom_bounce_map_options_default': (carom_bounce_map_options, []),
    'carom_bounce_map_bake': (c_int, [POINTER(carom_shape), POINTER(carom_modes), POINTER(carom_bounce_map_options), POINTER(carom_progress), POINTER(POINTER(carom_bounce_map)), POINTER(carom_error)]),
    'carom_bounce_map_destroy': (None, [POINTER(carom_bounce_map)]),
    'carom_bounce_map_about': (POINTER(carom_bounce_map_info), [POINTER(carom_bounce_map)]),
    'carom_bounce_map_lookup': (carom_bounce_value, [POINTER(carom_bounce_map), POINTER(c_double), POINTER(c_double)]),
    'carom_bounce_map_response': (c_double, [POINTER(carom_bounce_map), POINTER(c_double), POINTER(c_double)]),
    'carom_bounce_map_mesh': (POINTER(carom_shape), [POINTER(carom_bounce_map)]),
    'carom_bounce_map_sample_count': (c_int, [POINTER(carom_bounce_map)]),
    'carom_bounce_map_sample': (carom_bounce_value, [POINTER(carom_bounce_map), c_int, POINTER(c_double), POINTER(c_double)]),
    'carom_bounce_map_statistics': (carom_bounce_statistics, [POINTER(carom_bounce_map), c_int]),
    'carom_bounce_map_save': (c_int, [POINTER(carom_bounce_map), c_char_p, POINTER(carom_error)]),
    'carom_bounce_map_is': (c_int, [c_char_p]),
    'carom_bounce_map_load': (c_int, [c_char_p, POINTER(POINTER(carom_bounce_map)), POINTER(carom_error)]),
    'carom_bounce_map_encode': (c_int, [POINTER(carom_bounce_map), POINTER(POINTER(c_ubyte)), POINTER(c_size_t), POINTER(carom_error)]),
    'carom_bounce_map_decode': (c_int, [c_char_p, POINTER(c_ubyte), c_size_t, POINTER(POINTER(carom_bounce_map)), POINTER(carom_error)]),
    'carom_bounce_map_check': (c_int, [POINTER(carom_bounce_map), POINTER(carom_shape), POINTER(carom_error)]),
    'carom_bounce_map_restitution': (carom_restitution_source, [POINTER(carom_bounce_map)]),
    'carom_bounce_direct_create': (c_int, [POINTER(carom_shape), POINTER(carom_modes), POINTER(c_double), POINTER(POINTER(carom_bounce_direct)), POINTER(carom_error)]),
    'carom_bounce_direct_destroy': (None, [POINTER(carom_bounce_direct)]),
    'carom_bounce_direct_modes': (c_int, [POINTER(carom_bounce_direct), POINTER(POINTER(c_double))]),
    'carom_bounce_direct_case': (carom_bounce_case, [POINTER(carom_bounce_direct), POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'carom_bounce_direct_solve': (c_int, [POINTER(carom_bounce_direct), POINTER(c_double), POINTER(c_double), POINTER(carom_bounce_options), POINTER(carom_bounce_result), POINTER(carom_error)]),
    'carom_bounce_direct_restitution': (carom_restitution_source, [POINTER(carom_bounce_direct)]),
    'carom_bounce_direct_check': (c_int, [POINTER(carom_bounce_direct), POINTER(carom_shape), POINTER(carom_error)]),
    'carom_bounce_recipe_default': (carom_bounce_recipe, []),
    'carom_bounce_cache_folder': (c_int, [POINTER(c_char), c_size_t]),
    'carom_bounce_cache_modes': (c_int, [c_char_p, POINTER(carom_mesh_source), POINTER(carom_modal_material), POINTER(carom_modal_options), POINTER(carom_progress), POINTER(POINTER(carom_modes)), POINTER(carom_error)]),
    'carom_bounce_cache_tets': (c_int, [c_char_p, POINTER(carom_tets), POINTER(carom_modal_material), POINTER(carom_modal_options), POINTER(carom_progress), POINTER(POINTER(carom_modes)), POINTER(carom_error)]),
    'carom_bounce_cache_map': (c_int, [c_char_p, POINTER(carom_shape), POINTER(carom_bounce_recipe), POINTER(carom_progress), POINTER(POINTER(carom_bounce_map)), POINTER(carom_error)]),
    'carom_bounce_cache_direct': (c_int, [c_char_p, POINTER(carom_shape), POINTER(carom_bounce_recipe), POINTER(carom_progress), POINTER(POINTER(carom_bounce_direct)), POINTER(carom_error)]),
    'carom_bounce_picture_svg': (c_int, [POINTER(carom_bounce_map), c_char_p, POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_bounce_figure_make': (c_int, [c_int, c_int, c_char_p, POINTER(carom_progress), POINTER(POINTER(carom_bounce_figure)), POINTER(carom_error)]),
    'carom_bounce_figure_free': (None, [POINTER(carom_bounce_figure)]),
    'carom_bounce_figure_svg': (c_int, [POINTER(carom_bounce_figure), POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_json_create': (POINTER(carom_json), []),
    'carom_json_destroy': (None, [POINTER(carom_json)]),
    'carom_json_text': (c_char_p, [POINTER(carom_json)]),
    'carom_json_object': (None, [POINTER(carom_json), c_char_p]),
    'carom_json_array': (None, [POINTER(carom_json), c_char_p]),
    'carom_json_end': (None, [POINTER(carom_json)]),
    'carom_json_number': (None, [POINTER(carom_json), c_char_p, c_double]),
    'carom_json_integer': (None, [POINTER(carom_json), c_char_p, c_int64]),
    'carom_json_bool': (None, [POINTER(carom_json), c_char_p, c_int]),
    'carom_json_string': (None, [POINTER(carom_json), c_char_p, c_char_p]),
    'carom_json_null': (None, [POINTER(carom_json), c_char_p]),
    'carom_json_numbers': (None, [POINTER(carom_json), c_char_p, POINTER(c_double), c_int]),
    'carom_json_raw': (None, [POINTER(carom_json), c_char_p, c_char_p]),
    'carom_chain_check': (c_int, [POINTER(carom_chain), POINTER(carom_error)]),
    'carom_chain_run': (c_int, [POINTER(carom_chain), POINTER(POINTER(carom_chain_result)), POINTER(carom_error)]),
    'carom_chain_waves': (c_int, [POINTER(carom_chain), POINTER(POINTER(carom_chain_result)), POINTER(carom_error)]),
    'carom_chain_result_destroy': (None, [POINTER(carom_chain_result)]),
    'carom_chain_exit_word': (c_char_p, [c_int]),
    'carom_chain_exit_sentence': (c_char_p, [c_int]),
    'carom_chain_body_mass': (c_double, [POINTER(carom_chain_body)]),
    'carom_chain_body_length': (c_double, [POINTER(carom_chain_body)]),
    'carom_chain_body_sound': (c_double, [POINTER(carom_chain_body)]),
    'carom_chain_stepper_create': (c_int, [POINTER(carom_chain_row), POINTER(POINTER(carom_chain_stepper)), POINTER(carom_error)]),
    'carom_chain_stepper_destroy': (None, [POINTER(carom_chain_stepper)]),
    'carom_chain_stepper_step': (c_int, [POINTER(carom_chain_stepper), c_double, c_double, c_int, POINTER(carom_chain_step_report), POINTER(carom_error)]),
    'carom_chain_stepper_velocity': (POINTER(c_double), [POINTER(carom_chain_stepper)]),
    'carom_chain_stepper_shift': (POINTER(c_double), [POINTER(carom_chain_stepper)]),
    'carom_chain_stepper_gap': (POINTER(c_double), [POINTER(carom_chain_stepper)]),
    'carom_chain_stepper_inelastic_impulse': (POINTER(c_double), [POINTER(carom_chain_stepper)]),
    'carom_chain_stepper_impulse': (POINTER(c_double), [POINTER(carom_chain_stepper)]),
    'carom_chain_stepper_rule_word': (c_char_p, [c_int]),
    'carom_chain_file_open': (c_int, [c_char_p, POINTER(POINTER(carom_chain_file)), POINTER(carom_error)]),
    'carom_chain_file_close': (None, [POINTER(carom_chain_file)]),
    'carom_chain_file_chain': (POINTER(carom_chain), [POINTER(carom_chain_file)]),
    'carom_chain_file_title': (c_char_p, [POINTER(carom_chain_file)]),
    'carom_chain_file_names': (POINTER(c_char_p), [POINTER(carom_chain_file)]),
    'carom_chain_file_has_springs': (c_bool, [POINTER(carom_chain_file)]),
    'carom_chain_file_plan': (POINTER(carom_chain_plan), [POINTER(carom_chain_file)]),
    'carom_chain_file_sweep': (POINTER(c_double), [POINTER(carom_chain_file), POINTER(c_size_t)]),
    'carom_chain_file_schema': (None, [POINTER(carom_json)]),
    'carom_chain_plan_run': (c_int, [POINTER(carom_chain), POINTER(carom_chain_plan), POINTER(POINTER(carom_chain_courses)), POINTER(carom_error)]),
    'carom_chain_plan_destroy': (None, [POINTER(carom_chain_courses)]),
    'carom_chain_sweep_run': (c_int, [POINTER(carom_chain), POINTER(c_double), c_size_t, POINTER(POINTER(carom_chain_sweep)), POINTER(carom_error)]),
    'carom_chain_sweep_destroy': (None, [POINTER(carom_chain_sweep)]),
    'carom_chain_picture_svg': (c_int, [POINTER(carom_chain_report), POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_chain_picture_waves': (c_int, [POINTER(carom_chain_report), POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_chain_picture_html': (c_int, [POINTER(carom_chain_report), POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_chain_space_svg': (c_int, [POINTER(carom_chain), POINTER(carom_chain_result), c_double, POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_law_count': (c_int, []),
    'carom_law_at': (POINTER(carom_law), [c_int]),
    'carom_law_find': (POINTER(carom_law), [c_char_p, POINTER(carom_error)]),
    'carom_law_default': (POINTER(carom_law), []),
    'carom_law_name': (c_char_p, [POINTER(carom_law)]),
    'carom_law_summary': (c_char_p, [POINTER(carom_law)]),
    'carom_law_reference': (c_char_p, [POINTER(carom_law)]),
    'carom_law_promises': (c_uint, [POINTER(carom_law)]),
    'carom_law_has_friction': (c_int, [POINTER(carom_law)]),
    'carom_law_has_tangential': (c_int, [POINTER(carom_law)]),
    'carom_law_bounces': (c_int, [POINTER(carom_law)]),
    'carom_law_option_count': (c_int, [POINTER(carom_law)]),
    'carom_law_option': (POINTER(carom_option), [POINTER(carom_law), c_int]),
    'carom_law_defaults': (carom_law_options, [POINTER(carom_law)]),
    'carom_law_set': (c_int, [POINTER(carom_law), POINTER(carom_law_options), c_char_p, c_char_p, POINTER(carom_error)]),
    'carom_law_option_text': (None, [POINTER(carom_option), c_double, POINTER(c_char), c_size_t]),
    'carom_law_promise_name': (c_char_p, [c_int]),
    'carom_law_promise_sentence': (c_char_p, [c_int]),
    'carom_impact_body_default': (carom_impact_body, []),
    'carom_impact_contact_default': (carom_impact_contact, []),
    'carom_impact_report_default': (carom_impact_report, []),
    'carom_workspace_create': (POINTER(carom_workspace), []),
    'carom_workspace_destroy': (None, [POINTER(carom_workspace)]),
    'carom_workspace_set_threads': (None, [POINTER(carom_workspace), c_int]),
    'carom_workspace_set_observer': (None, [POINTER(carom_workspace), POINTER(carom_impact_observer)]),
    'carom_workspace_set_limit': (None, [POINTER(carom_workspace), c_size_t]),
    'carom_workspace_set_accuracy': (None, [POINTER(carom_workspace), c_double]),
    'carom_workspace_set_work': (None, [POINTER(carom_workspace), c_double]),
    'carom_workspace_set_progress': (None, [POINTER(carom_workspace), POINTER(carom_progress)]),
    'carom_impact_check': (c_int, [POINTER(carom_impact), POINTER(carom_error)]),
    'carom_impact_resolve': (c_int, [POINTER(carom_workspace), POINTER(carom_impact), POINTER(carom_law), POINTER(carom_law_options), POINTER(carom_impact_outcome), POINTER(carom_error)]),
    'carom_impact_tangents': (None, [POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'carom_impact_end_word': (c_char_p, [c_int]),
    'carom_impact_end_sentence': (c_char_p, [c_int]),
    'carom_desiderata_create': (POINTER(carom_desiderata), [POINTER(carom_impact), POINTER(carom_error)]),
    'carom_desiderata_destroy': (None, [POINTER(carom_desiderata)]),
    'carom_desiderata_select': (None, [POINTER(carom_desiderata), c_uint]),
    'carom_desiderata_yardstick': (POINTER(carom_law), []),
    'carom_desiderata_set_yardstick': (None, [POINTER(carom_desiderata), POINTER(carom_law_options)]),
    'carom_desiderata_set_progress': (None, [POINTER(carom_desiderata), POINTER(carom_progress)]),
    'carom_desiderata_measure': (c_int, [POINTER(carom_desiderata), POINTER(carom_law), POINTER(carom_law_options), POINTER(carom_desiderata_figures), POINTER(carom_error)]),
    'carom_desiderata_word': (c_char_p, [c_int]),
    'carom_desiderata_sentence': (c_char_p, [c_int]),
    'carom_world_options_default': (carom_world_options, []),
    'carom_resting_speeds': (carom_resting, [POINTER(carom_world_options), c_double]),
    'carom_world_material_default': (carom_material, []),
    'carom_world_body_default': (carom_body, []),
    'carom_world_create': (c_int, [POINTER(carom_world_options), POINTER(POINTER(carom_world)), POINTER(carom_error)]),
    'carom_world_destroy': (None, [POINTER(carom_world)]),
    'carom_world_add_material': (c_int, [POINTER(carom_world), POINTER(carom_material), POINTER(c_int), POINTER(carom_error)]),
    'carom_world_pair': (c_int, [POINTER(carom_world), c_int, c_int, c_double, c_double, POINTER(carom_error)]),
    'carom_world_pair_rolling': (c_int, [POINTER(carom_world), c_int, c_int, c_double, POINTER(carom_error)]),
    'carom_world_add_body': (c_int, [POINTER(carom_world), POINTER(carom_body), POINTER(c_int), POINTER(carom_error)]),
    'carom_world_add_joint': (c_int, [POINTER(carom_world), POINTER(carom_joint), POINTER(c_int), POINTER(carom_error)]),
    'carom_world_body_count': (c_int, [POINTER(carom_world)]),
    'carom_world_step': (c_int, [POINTER(carom_world), c_double, POINTER(carom_error)]),
    'carom_world_set_progress': (None, [POINTER(carom_world), POINTER(carom_progress)]),
    'carom_world_body': (None, [POINTER(carom_world), c_int, POINTER(c_double), POINTER(c_double), POINTER(c_double), POINTER(c_double)]),
    'carom_world_set_velocity': (c_int, [POINTER(carom_world), c_int, POINTER(c_double), POINTER(c_double)]),
    'carom_world_remove': (c_int, [POINTER(carom_world), c_int]),
    'carom_world_change_velocity': (c_int, [POINTER(carom_world), c_int, POINTER(c_double), POINTER(c_double)]),
    'carom_world_overlaps': (c_int, [POINTER(carom_world), POINTER(carom_overlap), POINTER(c_int), POINTER(carom_error)]),
    'carom_world_touching': (c_int, [POINTER(carom_world), c_int, POINTER(c_double)]),
    'carom_world_separate': (c_int, [POINTER(carom_world), POINTER(carom_error)]),
    'carom_world_record_contacts': (None, [POINTER(carom_world), c_int]),
    'carom_world_contacts': (POINTER(carom_world_contact), [POINTER(carom_world), POINTER(c_int)]),
    'carom_world_contacts_clear': (None, [POINTER(carom_world)]),
    'carom_world_contacts_add': (c_int, [POINTER(carom_world), POINTER(carom_world_contact), c_int]),
    'carom_world_audit': (carom_audit, [POINTER(carom_world)]),
    'carom_world_set_audit': (None, [POINTER(carom_world), POINTER(carom_audit)]),
    'carom_world_kind': (c_int, [POINTER(carom_world), c_int]),
    'carom_world_shape': (POINTER(carom_shape), [POINTER(carom_world), c_int]),
    'carom_world_mass': (c_double, [POINTER(carom_world), c_int]),
    'carom_world_ledger': (carom_ledger, [POINTER(carom_world)]),
    'carom_world_energy_gain': (c_double, [POINTER(carom_world), POINTER(c_int), POINTER(c_int)]),
    'carom_world_times': (carom_times, [POINTER(carom_world)]),
    'carom_world_profile': (carom_profile, [POINTER(carom_world)]),
    'carom_world_snapshot_size': (c_size_t, [POINTER(carom_world)]),
    'carom_world_snapshot': (None, [POINTER(carom_world), c_void_p]),
    'carom_world_restore': (c_int, [POINTER(carom_world), c_void_p, c_size_t, POINTER(carom_error)]),
    'carom_world_hash': (c_uint64, [POINTER(carom_world)]),
    'carom_scene_impact_open': (c_int, [c_char_p, POINTER(POINTER(carom_scene_impact)), POINTER(carom_error)]),
    'carom_scene_impact_parse': (c_int, [c_char_p, c_char_p, c_size_t, POINTER(POINTER(carom_scene_impact)), POINTER(carom_error)]),
    'carom_scene_impact_create': (c_int, [POINTER(carom_impact), POINTER(carom_law), POINTER(carom_law_options), POINTER(POINTER(carom_scene_impact)), POINTER(carom_error)]),
    'carom_scene_impact_close': (None, [POINTER(carom_scene_impact)]),
    'carom_scene_impact_problem': (POINTER(carom_impact), [POINTER(carom_scene_impact)]),
    'carom_scene_impact_law': (POINTER(carom_law), [POINTER(carom_scene_impact)]),
    'carom_scene_impact_options': (POINTER(carom_law_options), [POINTER(carom_scene_impact)]),
    'carom_scene_impact_title': (c_char_p, [POINTER(carom_scene_impact)]),
    'carom_scene_impact_note': (c_char_p, [POINTER(carom_scene_impact)]),
    'carom_scene_impact_body_name': (c_char_p, [POINTER(carom_scene_impact), c_int]),
    'carom_scene_impact_look': (carom_scene_look, [POINTER(carom_scene_impact), c_int]),
    'carom_scene_impact_write': (None, [POINTER(carom_scene_impact), POINTER(carom_json)]),
    'carom_scene_world_open': (c_int, [c_char_p, POINTER(POINTER(carom_scene_world)), POINTER(carom_error)]),
    'carom_scene_world_open_sample': (c_int, [c_char_p, c_uint64, POINTER(POINTER(carom_scene_world)), POINTER(carom_error)]),
    'carom_scene_world_parse': (c_int, [c_char_p, c_char_p, c_size_t, POINTER(POINTER(carom_scene_world)), POINTER(carom_error)]),
    'carom_scene_world_parse_with': (c_int, [c_char_p, c_char_p, c_size_t, POINTER(carom_scene_mesh), c_int, POINTER(POINTER(carom_scene_world)), POINTER(carom_error)]),
    'carom_scene_world_close': (None, [POINTER(carom_scene_world)]),
    'carom_scene_world_meshes': (POINTER(carom_scene_mesh), [POINTER(carom_scene_world), POINTER(c_int)]),
    'carom_scene_world_title': (c_char_p, [POINTER(carom_scene_world)]),
    'carom_scene_world_note': (c_char_p, [POINTER(carom_scene_world)]),
    'carom_scene_world_text': (c_char_p, [POINTER(carom_scene_world), POINTER(c_size_t)]),
    'carom_scene_world_step': (c_double, [POINTER(carom_scene_world)]),
    'carom_scene_world_duration': (c_double, [POINTER(carom_scene_world)]),
    'carom_scene_world_output': (carom_scene_output, [POINTER(carom_scene_world)]),
    'carom_scene_world_options': (carom_world_options, [POINTER(carom_scene_world)]),
    'carom_scene_world_body_count': (c_int, [POINTER(carom_scene_world)]),
    'carom_scene_world_body_name': (None, [POINTER(carom_scene_world), c_int, POINTER(c_char), c_size_t]),
    'carom_scene_world_find': (c_int, [POINTER(carom_scene_world), c_char_p]),
    'carom_scene_world_colour': (c_int, [POINTER(carom_scene_world), c_int]),
    'carom_scene_world_body': (carom_body, [POINTER(carom_scene_world), c_int]),
    'carom_scene_world_bake': (c_int, [POINTER(carom_scene_world), c_char_p, POINTER(carom_progress), POINTER(carom_error)]),
    'carom_scene_world_build': (c_int, [POINTER(carom_scene_world), POINTER(carom_world_options), POINTER(POINTER(carom_world)), POINTER(carom_error)]),
    'carom_scene_world_examine': (c_int, [POINTER(carom_scene_world), POINTER(carom_world), POINTER(carom_error)]),
    'carom_scene_world_steps': (c_int64, [POINTER(carom_scene_world)]),
    'carom_scene_world_first_change': (c_int64, [POINTER(carom_scene_world)]),
    'carom_scene_world_change': (c_int, [POINTER(carom_scene_world), POINTER(carom_world), c_int64]),
    'carom_scene_world_present': (c_int, [POINTER(carom_scene_world), c_int, c_double]),
    'carom_scene_world_set': (c_int, [POINTER(carom_scene_world), c_char_p, c_char_p, POINTER(carom_error)]),
    'carom_scene_world_friction': (c_int, [POINTER(carom_scene_world), c_double, POINTER(carom_error)]),
    'carom_scene_kinds': (c_char_p, []),
    'carom_scene_kind_name': (c_char_p, [c_int]),
    'carom_scene_check': (c_int, [c_char_p, POINTER(carom_scene_contents), POINTER(carom_error)]),
    'carom_scene_schema': (c_int, [c_char_p, POINTER(carom_json)]),
    'carom_scene_manual': (POINTER(c_char), [c_char_p]),
    'carom_compare_create': (c_int, [POINTER(carom_scene_impact), c_uint, POINTER(POINTER(carom_compare)), POINTER(carom_error)]),
    'carom_compare_destroy': (None, [POINTER(carom_compare)]),
    'carom_compare_add': (c_int, [POINTER(carom_compare), POINTER(carom_law), POINTER(carom_law_options), POINTER(carom_error)]),
    'carom_compare_count': (c_int, [POINTER(carom_compare)]),
    'carom_compare_at': (POINTER(carom_compare_row), [POINTER(carom_compare), c_int]),
    'carom_compare_scene': (POINTER(carom_scene_impact), [POINTER(carom_compare)]),
    'carom_compare_refer': (None, [POINTER(carom_compare), POINTER(carom_law_options)]),
    'carom_compare_set_progress': (None, [POINTER(carom_compare), POINTER(carom_progress)]),
    'carom_compare_broken': (c_uint, [POINTER(carom_compare), POINTER(carom_compare_row)]),
    'carom_compare_frictionless': (c_int, [POINTER(carom_compare), POINTER(carom_compare_row)]),
    'carom_compare_end': (c_char_p, [POINTER(carom_compare_row)]),
    'carom_compare_row_json': (None, [POINTER(carom_compare), POINTER(carom_compare_row), c_char_p, POINTER(carom_json)]),
    'carom_compare_json': (None, [POINTER(carom_compare), c_char_p, POINTER(carom_json)]),
    'carom_compare_csv': (POINTER(c_char), [POINTER(POINTER(carom_compare)), c_int]),
    'carom_compare_svg': (POINTER(c_char), [POINTER(carom_compare)]),
    'carom_compare_html': (POINTER(c_char), [POINTER(POINTER(carom_compare)), c_int, c_char_p]),
    'carom_text_free': (None, [POINTER(carom_text)]),
    'carom_text_add_bytes': (None, [POINTER(carom_text), c_char_p, c_size_t]),
    'carom_text_add_escaped': (None, [POINTER(carom_text), c_char_p]),
    'carom_text_add_quoted': (None, [POINTER(carom_text), c_char_p]),
    'carom_text_add_number': (None, [POINTER(carom_text), c_double]),
    'carom_text_digits': (None, [c_double, POINTER(c_char)]),
    'carom_text_ends_with': (c_bool, [c_char_p, c_char_p]),
    'carom_text_status': (c_int, [POINTER(carom_text), POINTER(carom_error)]),
    'carom_svg_begin': (carom_svg, [POINTER(carom_text), c_double, c_double, c_char_p]),
    'carom_svg_end': (None, [POINTER(carom_svg)]),
    'carom_svg_line': (None, [POINTER(carom_svg), POINTER(c_double), POINTER(c_double), carom_svg_style]),
    'carom_svg_circle': (None, [POINTER(carom_svg), POINTER(c_double), c_double, carom_svg_style]),
    'carom_svg_box': (None, [POINTER(carom_svg), POINTER(c_double), POINTER(c_double), carom_svg_style]),
    'carom_svg_path': (None, [POINTER(carom_svg), POINTER(c_double), c_int, carom_svg_style]),
    'carom_svg_polygon': (None, [POINTER(carom_svg), POINTER(c_double), c_int, carom_svg_style]),
    'carom_svg_arrow': (None, [POINTER(carom_svg), POINTER(c_double), POINTER(c_double), carom_svg_style]),
    'carom_svg_words_at': (None, [POINTER(carom_svg), POINTER(c_double), carom_svg_words, c_char_p]),
    'carom_svg_group': (None, [POINTER(carom_svg), POINTER(c_double)]),
    'carom_svg_group_end': (None, [POINTER(carom_svg)]),
    'carom_svg_series': (c_char_p, [c_int]),
    'carom_svg_ramp': (c_uint, [c_double]),
    'carom_plot_draw': (None, [POINTER(carom_svg), POINTER(carom_plot)]),
    'carom_page_begin': (None, [POINTER(carom_text), c_char_p, c_char_p]),
    'carom_page_section': (None, [POINTER(carom_text), c_char_p, c_char_p]),
    'carom_page_picture': (None, [POINTER(carom_text), POINTER(carom_text), c_char_p]),
    'carom_page_table': (None, [POINTER(carom_text), POINTER(c_char_p), c_int, c_int]),
    'carom_page_verbatim': (None, [POINTER(carom_text), c_char_p]),
    'carom_page_end': (None, [POINTER(carom_text)]),
    'carom_recorder_create': (c_int, [c_char_p, c_int, POINTER(POINTER(carom_recorder)), POINTER(carom_error)]),
    'carom_recorder_resume': (c_int, [c_char_p, POINTER(POINTER(carom_recorder)), POINTER(c_void_p), POINTER(c_size_t), POINTER(carom_error)]),
    'carom_recorder_add': (c_int, [POINTER(carom_recorder), c_int, c_void_p, c_size_t, POINTER(carom_error)]),
    'carom_recorder_frame': (c_int, [POINTER(carom_recorder), POINTER(carom_world), POINTER(carom_error)]),
    'carom_recorder_checkpoint': (c_int, [POINTER(carom_recorder), POINTER(carom_world), POINTER(carom_error)]),
    'carom_recorder_contacts': (c_int, [POINTER(carom_recorder), POINTER(carom_world), POINTER(carom_error)]),
    'carom_recorder_mesh': (c_int, [POINTER(carom_recorder), POINTER(carom_scene_mesh), POINTER(carom_error)]),
    'carom_recorder_size': (c_uint64, [POINTER(carom_recorder)]),
    'carom_recorder_close': (None, [POINTER(carom_recorder)]),
    'carom_trajectory_open': (c_int, [c_char_p, POINTER(POINTER(carom_trajectory)), POINTER(carom_error)]),
    'carom_trajectory_close': (None, [POINTER(carom_trajectory)]),
    'carom_trajectory_count': (c_int64, [POINTER(carom_trajectory)]),
    'carom_trajectory_at': (carom_record, [POINTER(carom_trajectory), c_int64]),
    'carom_trajectory_damage': (c_char_p, [POINTER(carom_trajectory)]),
    'carom_trajectory_ended': (c_int, [POINTER(carom_trajectory)]),
    'carom_trajectory_frame_count': (c_int64, [POINTER(carom_trajectory)]),
    'carom_trajectory_frame': (c_int, [POINTER(carom_trajectory), c_int64, POINTER(carom_frame), POINTER(carom_error)]),
    'carom_trajectory_contact_count': (c_int, [POINTER(carom_trajectory), c_int64]),
    'carom_trajectory_contact': (carom_world_contact, [POINTER(carom_trajectory), c_int64, c_int]),
    'carom_trajectory_first': (carom_record, [POINTER(carom_trajectory), c_int]),
    'carom_trajectory_scene': (c_int, [POINTER(carom_trajectory), POINTER(POINTER(carom_scene_world)), POINTER(carom_error)]),
    'carom_trajectory_is': (c_int, [c_char_p]),
    'carom_trajectory_version': (c_int, [POINTER(carom_trajectory)]),
    'carom_trajectory_check': (c_int, [c_char_p, POINTER(c_char), c_size_t, POINTER(carom_error)]),
    'carom_trajectory_compare': (c_int, [POINTER(carom_trajectory), POINTER(carom_trajectory), c_double, POINTER(carom_difference), POINTER(carom_error)]),
    'carom_runner_create': (c_int, [c_char_p, POINTER(carom_runner_settings), POINTER(POINTER(carom_runner)), POINTER(carom_error)]),
    'carom_runner_resume': (c_int, [c_char_p, POINTER(POINTER(carom_runner)), POINTER(carom_error)]),
    'carom_runner_advance': (c_int, [POINTER(carom_runner), c_int64, POINTER(carom_progress), POINTER(carom_error)]),
    'carom_runner_done': (c_int64, [POINTER(carom_runner)]),
    'carom_runner_steps': (c_int64, [POINTER(carom_runner)]),
    'carom_runner_world': (POINTER(carom_world), [POINTER(carom_runner)]),
    'carom_runner_scene': (POINTER(carom_scene_world), [POINTER(carom_runner)]),
    'carom_runner_destroy': (None, [POINTER(carom_runner)]),
    'carom_runner_energy_json': (None, [POINTER(carom_ledger), POINTER(carom_json)]),
    'carom_runner_judge': (carom_runner_report, [POINTER(carom_runner)]),
    'carom_runner_profile': (carom_runner_cost, [POINTER(carom_runner)]),
    'carom_runner_profile_phase': (c_char_p, [POINTER(carom_runner_cost), c_int, POINTER(c_double)]),
    'carom_runner_profile_advice': (c_int, [POINTER(carom_runner), POINTER(c_char), c_size_t]),
    'carom_runner_profile_json': (None, [POINTER(carom_runner), POINTER(carom_json)]),
    'carom_runner_report_json': (None, [POINTER(carom_runner_report), POINTER(carom_runner), POINTER(carom_json)]),
    'carom_recording_open': (c_int, [c_char_p, POINTER(POINTER(carom_recording)), POINTER(carom_error)]),
    'carom_recording_damage': (c_char_p, [POINTER(carom_recording)]),
    'carom_recording_create': (c_int, [POINTER(carom_world), POINTER(POINTER(carom_recording)), POINTER(carom_error)]),
    'carom_recording_set_trajectory': (c_int, [POINTER(carom_recording), POINTER(carom_trajectory), POINTER(carom_error)]),
    'carom_recording_append': (c_int, [POINTER(carom_recording), POINTER(carom_world), POINTER(carom_error)]),
    'carom_recording_truncate': (None, [POINTER(carom_recording), c_int64]),
    'carom_recording_decimate': (None, [POINTER(carom_recording), c_int64]),
    'carom_recording_set_body': (c_int, [POINTER(carom_recording), c_int, c_char_p, c_int, POINTER(carom_error)]),
    'carom_recording_destroy': (None, [POINTER(carom_recording)]),
    'carom_recording_title': (c_char_p, [POINTER(carom_recording)]),
    'carom_recording_body_count': (c_int, [POINTER(carom_recording)]),
    'carom_recording_frame_count': (c_int64, [POINTER(carom_recording)]),
    'carom_recording_frame': (c_int, [POINTER(carom_recording), c_int64, POINTER(carom_frame), POINTER(carom_error)]),
    'carom_recording_nearest': (c_int64, [POINTER(carom_recording), c_double]),
    'carom_export_view_default': (carom_export_view, []),
    'carom_export_png': (c_int, [POINTER(carom_recording), POINTER(carom_export_view), c_int64, POINTER(FILE), POINTER(carom_progress), POINTER(carom_error)]),
    'carom_export_sheet': (c_int, [POINTER(carom_recording), POINTER(carom_export_view), c_int, POINTER(FILE), POINTER(carom_progress), POINTER(carom_error)]),
    'carom_export_csv': (c_int, [POINTER(carom_recording), POINTER(FILE), POINTER(carom_progress), POINTER(carom_error)]),
    'carom_export_csv_ledger': (c_int, [POINTER(carom_recording), POINTER(FILE), POINTER(carom_error)]),
    'carom_export_npz': (c_int, [POINTER(carom_recording), POINTER(FILE), POINTER(carom_progress), POINTER(carom_error)]),
    'carom_export_glb': (c_int, [POINTER(carom_recording), POINTER(carom_export_view), POINTER(FILE), POINTER(carom_progress), POINTER(carom_error)]),
    'carom_export_vtp': (c_int, [POINTER(carom_recording), c_int64, POINTER(FILE), POINTER(carom_error)]),
    'carom_export_vtp_index': (c_int, [POINTER(carom_recording), c_char_p, POINTER(FILE), POINTER(carom_error)]),
    'carom_export_vtp_name': (None, [c_char_p, c_int64, POINTER(c_char), c_size_t]),
    'carom_export_svg': (c_int, [POINTER(carom_recording), POINTER(carom_export_view), c_int64, c_int, POINTER(FILE), POINTER(carom_error)]),
    'carom_export_plot': (c_int, [POINTER(carom_recording), c_int, c_double, c_double, POINTER(FILE), POINTER(carom_error)]),
    'carom_export_mp4': (c_int, [POINTER(carom_recording), POINTER(carom_export_view), POINTER(carom_export_pace), c_char_p, POINTER(carom_progress), POINTER(carom_error)]),
    'carom_export_size': (c_double, [POINTER(carom_recording), c_int, POINTER(carom_export_view), POINTER(carom_export_pace)]),
    'carom_hash_bytes': (c_uint64, [c_uint64, c_void_p, c_size_t]),
    'carom_hash_doubles': (c_uint64, [c_uint64, POINTER(c_double), c_size_t]),
    'carom_import_mesh': (c_int, [c_char_p, c_double, c_int, POINTER(carom_mesh_report), POINTER(POINTER(carom_shape)), POINTER(carom_error)]),
    'carom_import_triangles': (c_int, [c_char_p, c_double, POINTER(carom_mesh_source), POINTER(carom_error)]),
    'carom_import_parse': (c_int, [c_char_p, c_void_p, c_size_t, c_double, POINTER(carom_mesh_source), POINTER(carom_error)]),
    'carom_import_free': (None, [POINTER(carom_mesh_source)]),
    'carom_measure_create': (c_int, [POINTER(carom_scene_world), POINTER(carom_measure_options), POINTER(POINTER(carom_measure)), POINTER(carom_error)]),
    'carom_measure_destroy': (None, [POINTER(carom_measure)]),
    'carom_measure_look': (c_int, [POINTER(carom_measure), POINTER(carom_world), c_double, POINTER(carom_error)]),
    'carom_measure_trajectory': (c_int, [POINTER(carom_measure), POINTER(carom_trajectory), POINTER(carom_error)]),
    'carom_measure_finish': (c_int, [POINTER(carom_measure), POINTER(POINTER(carom_measure_table)), POINTER(carom_error)]),
    'carom_measure_chain': (c_int, [POINTER(carom_chain), POINTER(carom_chain_result), POINTER(carom_measure_options), POINTER(POINTER(carom_measure)), POINTER(carom_error)]),
    'carom_measure_value': (c_double, [POINTER(carom_measure_table), c_char_p]),
    'carom_measure_csv': (c_int, [POINTER(carom_measure_table), POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_measure_svg': (c_int, [POINTER(carom_measure_table), POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_measure_wave_exact': (c_int, [c_double, POINTER(carom_measure_wave), POINTER(carom_error)]),
    'carom_pattern_measure': (c_int, [POINTER(c_double * 3), c_int, c_double, POINTER(carom_pattern), POINTER(carom_error)]),
    'carom_pattern_frame': (c_int, [POINTER(carom_frame), POINTER(carom_world), POINTER(carom_pattern), POINTER(carom_error)]),
    'carom_pattern_average': (None, [POINTER(carom_pattern), c_int, POINTER(carom_pattern)]),
    'carom_pattern_word': (c_char_p, [c_int]),
    'carom_pattern_svg': (c_int, [POINTER(carom_pattern), c_char_p, POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_random_at': (c_uint64, [c_uint64, c_uint64, c_uint64]),
    'carom_random_next': (c_uint64, [POINTER(carom_random)]),
    'carom_random_unit': (c_double, [POINTER(carom_random)]),
    'carom_random_between': (c_double, [POINTER(carom_random), c_double, c_double]),
    'carom_random_below': (c_int, [POINTER(carom_random), c_int]),
    'carom_random_normal': (c_double, [POINTER(carom_random)]),
    'carom_random_direction': (None, [POINTER(carom_random), POINTER(c_double)]),
    'carom_repose_measure': (c_int, [POINTER(carom_world), POINTER(c_double), POINTER(carom_repose), POINTER(carom_error)]),
    'carom_repose_svg': (c_int, [POINTER(carom_repose_point), c_int, POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_suggest_nearest': (c_char_p, [c_char_p, POINTER(c_char_p), c_int]),
    'carom_tower_create': (POINTER(carom_tower), [c_double]),
    'carom_tower_destroy': (None, [POINTER(carom_tower)]),
    'carom_tower_add_body': (c_int, [POINTER(carom_tower), POINTER(carom_tower_body), POINTER(c_int), POINTER(carom_error)]),
    'carom_tower_add_ground': (c_int, [POINTER(carom_tower), POINTER(c_double), POINTER(c_double), POINTER(carom_error)]),
    'carom_tower_add_table': (c_int, [POINTER(carom_tower), c_double, c_double, c_double, POINTER(carom_error)]),
    'carom_tower_add_point': (c_int, [POINTER(carom_tower), c_double, c_double, c_double, POINTER(c_int), POINTER(carom_error)]),
    'carom_tower_framework_add': (c_int, [POINTER(carom_tower), POINTER(carom_tower_body), c_int, POINTER(c_int), POINTER(carom_error)]),
    'carom_tower_add_pin': (c_int, [POINTER(carom_tower), c_int, c_int, c_double, c_double, POINTER(carom_error)]),
    'carom_tower_add_bar': (c_int, [POINTER(carom_tower), c_int, POINTER(c_double), c_int, POINTER(c_double), POINTER(carom_error)]),
    'carom_tower_set_friction': (c_int, [POINTER(carom_tower), c_double, POINTER(carom_error)]),
    'carom_tower_check_overlap': (c_int, [POINTER(carom_tower), c_double, POINTER(carom_error)]),
    'carom_tower_bodies': (c_int, [POINTER(carom_tower)]),
    'carom_tower_gravity': (c_double, [POINTER(carom_tower)]),
    'carom_tower_friction': (c_double, [POINTER(carom_tower)]),
    'carom_tower_body_mass': (c_double, [POINTER(carom_tower), c_int]),
    'carom_tower_body_inertia': (c_double, [POINTER(carom_tower), c_int]),
    'carom_tower_body_place': (None, [POINTER(carom_tower), c_int, POINTER(c_double)]),
    'carom_tower_body_fixed': (c_bool, [POINTER(carom_tower), c_int]),
    'carom_tower_build': (c_int, [c_char_p, POINTER(POINTER(carom_tower)), POINTER(carom_error)]),
    'carom_tower_build_text': (c_int, [c_char_p, POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_tower_file_load': (c_int, [c_char_p, POINTER(POINTER(carom_tower)), POINTER(carom_error)]),
    'carom_tower_initial': (c_int, [POINTER(carom_tower), c_int, POINTER(carom_tower_instant), POINTER(carom_error)]),
    'carom_tower_initial_free': (None, [POINTER(carom_tower_instant)]),
    'carom_tower_prove': (c_int, [POINTER(carom_tower), POINTER(carom_tower_proof), POINTER(carom_error)]),
    'carom_tower_prove_free': (None, [POINTER(carom_tower_proof)]),
    'carom_tower_checker_check': (c_int, [c_char_p, POINTER(carom_tower_verdict), POINTER(carom_error)]),
    'carom_tower_scene_check': (c_int, [c_char_p, POINTER(carom_tower), POINTER(carom_tower_verdict), POINTER(carom_error)]),
    'carom_tower_motion_default': (carom_tower_motion_options, []),
    'carom_tower_motion_create': (c_int, [POINTER(carom_tower), POINTER(carom_tower_motion_options), POINTER(POINTER(carom_tower_motion)), POINTER(carom_error)]),
    'carom_tower_motion_destroy': (None, [POINTER(carom_tower_motion)]),
    'carom_tower_motion_set_velocity': (c_int, [POINTER(carom_tower_motion), c_int, POINTER(c_double), POINTER(carom_error)]),
    'carom_tower_motion_step': (c_int, [POINTER(carom_tower_motion), POINTER(carom_tower_step), POINTER(carom_error)]),
    'carom_tower_motion_place': (None, [POINTER(carom_tower_motion), c_int, POINTER(c_double)]),
    'carom_tower_motion_velocity': (None, [POINTER(carom_tower_motion), c_int, POINTER(c_double)]),
    'carom_tower_motion_audit': (carom_tower_audit, [POINTER(carom_tower_motion)]),
    'carom_tower_motion_is_symmetric': (c_bool, [POINTER(carom_tower_motion)]),
    'carom_tower_motion_hash': (c_ulonglong, [POINTER(carom_tower_motion)]),
    'carom_tower_penalty_initial': (c_int, [POINTER(carom_tower), c_double, POINTER(carom_tower_instant), POINTER(c_double), POINTER(carom_error)]),
    'carom_tower_record': (c_int, [POINTER(carom_tower), POINTER(carom_tower_motion_options), c_long, c_int, POINTER(carom_tower_recording), POINTER(carom_error)]),
    'carom_tower_recording_free': (None, [POINTER(carom_tower_recording)]),
    'carom_tower_picture_svg': (c_int, [POINTER(carom_tower), POINTER(carom_tower_instant), POINTER(carom_tower_recording), c_char_p, POINTER(POINTER(c_char)), POINTER(carom_error)]),
    'carom_tower_overhang_search': (c_int, [c_int, c_int, c_ulonglong, POINTER(carom_tower_overhang), POINTER(carom_error)]),
    'carom_tower_space_create': (POINTER(carom_tower_space), [POINTER(c_double)]),
    'carom_tower_space_destroy': (None, [POINTER(carom_tower_space)]),
    'carom_tower_space_add_body': (c_int, [POINTER(carom_tower_space), POINTER(carom_tower_space_body), POINTER(c_int), POINTER(carom_error)]),
    'carom_tower_space_add_piece': (c_int, [POINTER(carom_tower_space), c_int, POINTER(carom_tower_space_piece), POINTER(carom_error)]),
    'carom_tower_space_add_box': (c_int, [POINTER(carom_tower_space), POINTER(c_double), POINTER(c_double), POINTER(c_double), c_double, c_bool, POINTER(c_int), POINTER(carom_error)]),
    'carom_tower_space_add_half': (c_int, [POINTER(carom_tower_space), c_int, POINTER(c_double), POINTER(c_double), POINTER(carom_error)]),
    'carom_tower_space_add_contact': (c_int, [POINTER(carom_tower_space), c_int, c_int, POINTER(c_double), POINTER(c_double), POINTER(carom_error)]),
    'carom_tower_space_bodies': (c_int, [POINTER(carom_tower_space)]),
    'carom_tower_space_name': (c_char_p, [POINTER(carom_tower_space), c_int]),
    'carom_tower_space_fixed': (c_bool, [POINTER(carom_tower_space), c_int]),
    'carom_tower_space_gravity': (None, [POINTER(carom_tower_space), POINTER(c_double)]),
    'carom_tower_space_centre': (None, [POINTER(carom_tower_space), c_int, POINTER(c_double)]),
    'carom_tower_space_pieces': (c_int, [POINTER(carom_tower_space)]),
    'carom_tower_space_piece_at': (carom_tower_space_piece, [POINTER(carom_tower_space), c_int, POINTER(c_int)]),
    'carom_tower_space_file_load': (c_int, [c_char_p, POINTER(POINTER(carom_tower)), POINTER(POINTER(carom_tower_space)), POINTER(carom_error)]),
    'carom_tower_space_file_parse': (c_int, [c_char_p, c_char_p, c_size_t, POINTER(POINTER(carom_tower)), POINTER(POINTER(carom_tower_space)), POINTER(carom_error)]),
    'carom_tower_space_initial': (c_int, [POINTER(carom_tower_space), c_int, POINTER(carom_tower_space_instant), POINTER(carom_error)]),
    'carom_tower_space_initial_free': (None, [POINTER(carom_tower_space_instant)]),
    'carom_tower_space_prove': (c_int, [POINTER(carom_tower_space), POINTER(carom_tower_proof), POINTER(carom_error)]),
    'carom_tower_scene_check_space': (c_int, [c_char_p, POINTER(carom_tower_space), POINTER(carom_tower_verdict), POINTER(carom_error)]),
    'carom_validate_options_default': (carom_validate_options, []),
    'carom_validate_impacts': (c_int, [POINTER(carom_validate_options), POINTER(POINTER(carom_validation)), POINTER(carom_error)]),
    'carom_validate_tosses': (c_int, [POINTER(carom_validate_options), POINTER(POINTER(carom_validation)), POINTER(carom_error)]),
    'carom_validate_destroy': (None, [POINTER(carom_validation)]),
    'carom_version': (c_char_p, []),
    'carom_version_compiler': (c_char_p, []),
    'carom_view_available': (c_int, []),
    'carom_view_source_open': (c_int, [c_char_p, c_char_p, POINTER(POINTER(carom_view_source)), POINTER(carom_error)]),
    'carom_view_source_recording': (c_int, [POINTER(carom_recording), POINTER(POINTER(carom_view_source)), POINTER(carom_error)]),
    'carom_view_source_tower': (c_int, [POINTER(carom_view_tower), POINTER(POINTER(carom_view_source)), POINTER(carom_error)]),
    'carom_view_source_bounce': (c_int, [POINTER(carom_bounce_map), c_char_p, POINTER(POINTER(carom_view_source)), POINTER(carom_error)]),
    'carom_view_source_close': (None, [POINTER(carom_view_source)]),
    'carom_view_open': (c_int, [POINTER(POINTER(carom_view_source)), c_int, POINTER(carom_view_options), POINTER(POINTER(carom_view)), POINTER(carom_error)]),
    'carom_view_link': (c_char_p, [POINTER(carom_view)]),
    'carom_view_close': (None, [POINTER(carom_view)]),
    'carom_view_page': (c_int, [POINTER(POINTER(carom_view_source)), c_int, c_char_p, POINTER(POINTER(c_char)), POINTER(c_size_t), POINTER(carom_error)]),
}

SAID = {'carom_bounce_case': 'One contact as the modes see it.', 'carom_bounce_end': 'What ended the computation of a bounce.', 'carom_bounce_end_name': '"left", "capped".', 'carom_bounce_result': 'What came out of one contact.', 'carom_bounce_solver': 'The solvers of the scalar problem.', 'carom_bounce_options': 'How a contact is solved.', 'carom_bounce_options_default': 'The defaults of every option.', 'carom_bounce_solver_name': 'The solver as written in files.', 'carom_bounce_solve': 'One contact by the solver that the options name.', 'carom_bounce_exact': 'The judge: free flights in free modes, contacts in constrained modes, roots located, no time step. Undamped.', 'carom_bounce_literal': 'The symplectic Euler scheme of the paper (algorithm 1) in its own words, position and speed of every mode, one contact at a time.', 'carom_bounce_batch': 'Many contacts of one body at once: the same frequencies, other participations.', 'carom_bounce_many': 'All samples in vector lanes: production (exact modal rotation, impulses that end each step without overlap, first touch of a micro-collision interpolated) or literal, as the options say. The event solver has no lanes: it is called sample by sample.', 'carom_bounce_frame': 'One instant of a contact: fig 8 of the paper.', 'carom_bounce_visitor': 'Who is told every step.', 'carom_bounce_trace': 'One contact by the production or the literal scheme, telling the visitor every step.', 'carom_bounce_pair': 'Two bodies that meet (section 5.1 of the paper): the same scalar problem with both responses added and both lists of modes side by side. A body with w = 0 and no modes is immovable; at least one must move.', 'carom_bounce_study': 'How well each rule predicts the value of a pair (table 1 of the paper).', 'carom_bounce_study_run': 'Computes all pairs of contacts of two bodies (twice the same batch: self collisions).', 'carom_bounce_file': 'A file of kind "bounce-kernel": bare scalar problems and how to solve them.', 'carom_bounce_file_open': 'Reads a file ("-" is the standard input) or a text; errors say file, line and column.', 'carom_bounce_file_parse': 'The same from a text; `name` is used in errors.', 'carom_bounce_file_close': 'Frees the file; null is allowed.', 'carom_bounce_file_count': 'How many contacts it holds, and what it says about solving them.', 'carom_bounce_file_options': 'How the file wants its contacts solved.', 'carom_bounce_file_solve': 'Solves all of them; `results` holds one per contact.', 'carom_bounce_figure': 'A table of numbers: the first column is what the others are drawn over.', 'carom_bounce_figure_make': 'Computes a figure; `modes` 0 means as many as in the paper. Modes of the bodies are kept in `folder` (carom_bounce_cache_folder; null or empty: nowhere).', 'carom_bounce_figure_free': 'Frees what a figure holds.', 'carom_bounce_figure_svg': 'Draws it; the text belongs to the caller (free).', 'carom_bounce_symmetry_choice': 'Which symmetry baking and lookup use.', 'carom_bounce_reading': 'How a value is taken from the samples.', 'carom_bounce_map_options': 'How a map is computed and read.', 'carom_bounce_map_options_default': 'The defaults of every option.', 'carom_bounce_map': 'Immutable; any number of threads may read it.', 'carom_bounce_map_bake': 'Computes the map of a mesh shape from its modes. Long: tells its progress.', 'carom_bounce_map_destroy': 'Frees the map; null is allowed.', 'carom_bounce_map_info': 'What a map was made from and what it holds.', 'carom_bounce_map_about': 'What the map holds; belongs to the map.', 'carom_bounce_place': 'Which feature of the surface a value belongs to.', 'carom_bounce_value': 'What is known about one contact.', 'carom_bounce_map_lookup': 'The value at a point of the surface (body frame, m) for an outward unit normal (the direction in which the body meets its partner). Points off the surface take the nearest.', 'carom_bounce_map_response': 'The response w of the rigid body (1/kg) for the same contact: what combining two bodies needs.', 'carom_bounce_map_mesh': 'The mesh, and one sample of it: faces first, then edges, then vertices. Point and normal (each may be null) get where it was taken.', 'carom_bounce_map_sample_count': 'How many samples the map has.', 'carom_bounce_map_sample': 'One sample by its index; point and normal (m, body frame; each may be null) get where it was taken.', 'carom_bounce_statistics': 'Plain figures over the samples of one place, or of all.', 'carom_bounce_map_statistics': 'Figures over the samples of one place, or of all (-1).', 'carom_bounce_map_save': 'Writes a `.bounce` file (through a temporary name) and reads it back: versioned, checksummed, little endian, with the mesh in it.', 'carom_bounce_map_is': 'Non-zero where the file starts like a bounce map.', 'carom_bounce_map_load': 'Reads a `.bounce` file of this or an older version.', 'carom_bounce_map_encode': 'The same in memory; the bytes of `encode` belong to the caller (free).', 'carom_bounce_map_decode': 'Reads the bytes of such a file; `name` is used in errors.', 'carom_bounce_map_check': 'Fails unless the map was made for this body: a mesh must have the same triangles or at least the same surface (vertices within 1e-6 of the size, mass and inertia alike), other shapes nearly so (0.5 %: polyhedra stand for round shapes).', 'carom_bounce_map_restitution': 'The map as the restitution of a body of a world, scale 1. The map must outlive the world.', 'carom_bounce_direct': 'Modes kept on the surface: restitution computed per contact at run time, for one body or two.', 'carom_bounce_direct_create': 'Keeps 12 bytes per mode and vertex; `origin` as in carom_bounce_map_options (may be null).', 'carom_bounce_direct_destroy': 'Frees the modes; null is allowed.', 'carom_bounce_direct_modes': 'How many modes there are, and their frequencies (rad/s).', 'carom_bounce_direct_case': 'What a contact at this point and normal (body frame) sees: `a` gets the participations.', 'carom_bounce_direct_solve': 'The restitution there.', 'carom_bounce_direct_restitution': 'The modes as the restitution of a body of a world, scale 1: computed at every contact, two such bodies as the pair they are. They must outlive the world.', 'carom_bounce_direct_check': 'As carom_bounce_map_check.', 'carom_bounce_recipe': 'Everything besides the shape that a map is made from.', 'carom_bounce_recipe_default': 'Steel, and the defaults of everything else.', 'carom_bounce_cache_folder': 'The folder where modes and maps are kept: $CAROM_CACHE (empty: nothing is kept), else $XDG_CACHE_HOME/carom, else ~/.cache/carom. Returns 0 where there is none.', 'carom_bounce_cache_modes': "Modes of a surface or of tetrahedra: from the folder's `.cmodes` file of their key, or computed and kept there. A null or empty folder keeps nothing; a damaged file is made again.", 'carom_bounce_cache_tets': 'The same for a mesh of tetrahedra.', 'carom_bounce_cache_map': "The map of any shape but a plane: from the folder's `.bounce` file, or baked and kept there. Round shapes are computed as polyhedra. The same bits either way.", 'carom_bounce_cache_direct': 'The same for direct mode; only the modes are kept.', 'carom_bounce_picture_svg': 'The coloured model from two sides, the histogram of epsilon, and epsilon over contact time (fig 20) as SVG. The text belongs to the caller (free). A page with the body to turn: carom_view_source_bounce and carom_view_page.', 'carom_chain_kind': 'What a body is.', 'carom_chain_body': 'One body. Bodies stand from left to right; a positive velocity moves to the right.', 'carom_chain_contact': 'What acts between two neighbours while they touch: F = stiffness * compression^exponent, never tension.', 'carom_chain': 'A row of bodies. Zero-initialise; zero in an option means its default.', 'carom_chain_exit': 'What ended a run.', 'carom_chain_touch': 'What one contact went through.', 'carom_chain_history': 'Rows of samples over time. Every array is row-major: row s starts at s * its count.', 'carom_chain_result': 'The outcome of carom_chain_run or carom_chain_waves. Owns its memory.', 'carom_chain_check': 'Refuses what no run can use: counts, signs, walls inside the row, contacts without any spring.', 'carom_chain_run': 'Integrates the row through its impacts. On success *out is to be given to carom_chain_result_destroy.', 'carom_chain_waves': 'The same by exact waves: cylinders and walls only, bare faces, no damping ([EC, section 3]).', 'carom_chain_result_destroy': 'Frees the result; null is allowed.', 'carom_chain_exit_word': '"separated", "duration" or "steps"; and the sentence that explains it.', 'carom_chain_exit_sentence': 'What that means, in one sentence.', 'carom_chain_body_mass': 'kg; infinite for a wall.', 'carom_chain_body_length': 'm, from face to face; 0 for a wall.', 'carom_chain_body_sound': 'm/s, sqrt(E / density) of a sliced body ([EC, eq 15]); infinite for the others.', 'carom_chain_rule': 'How a step resolves its impacts.', 'carom_chain_row': 'Rigid bodies in a row for time stepping.', 'carom_chain_step_report': 'What one step did.', 'carom_chain_stepper': 'A row that is stepped. Owns its memory.', 'carom_chain_stepper_create': 'Copies the row. On success *out is to be given to carom_chain_stepper_destroy.', 'carom_chain_stepper_destroy': 'Frees the stepper; null is allowed.', 'carom_chain_stepper_step': 'One step of `dt` seconds with `restitution` in [0, 1]. A step that does not converge is finished and reported, not refused.', 'carom_chain_stepper_velocity': 'm/s, one per body, after the last step.', 'carom_chain_stepper_shift': 'm travelled since creation, one per body.', 'carom_chain_stepper_gap': 'm, one per contact.', 'carom_chain_stepper_inelastic_impulse': 'N s of the inelastic step and of the rule, one per contact, in the last step.', 'carom_chain_stepper_impulse': 'N s of the rule, one per contact, in the last step.', 'carom_chain_stepper_rule_word': '"inelastic", "fixed-point", "newton", "poisson".', 'carom_chain_plan': 'Time stepping as a file asks for it.', 'carom_chain_file': 'A chain read from a JSON file of kind "chain" (see docs/chain.md). Owns everything it gives out.', 'carom_chain_file_open': 'Reads a file ("-": standard input). On success *out is to be given to carom_chain_file_close.', 'carom_chain_file_close': 'Frees the file; null is allowed.', 'carom_chain_file_chain': 'The row of bodies; belongs to the file.', 'carom_chain_file_title': 'The title, or null.', 'carom_chain_file_names': 'Names of the bodies, never null: given, or the number of the body, counted from 1.', 'carom_chain_file_has_springs': 'False: rigid bodies without a contact law, for time stepping only.', 'carom_chain_file_plan': 'The time stepping asked for, or null.', 'carom_chain_file_sweep': 'Gaps (m) to try in turn at all contacts; null and 0 where none.', 'carom_chain_file_schema': 'Writes the JSON Schema of such files.', 'carom_chain_course': 'One rule carried through all steps of a plan.', 'carom_chain_courses': 'All rules on one row. Owns its memory.', 'carom_chain_plan_run': 'Steps the row of `chain` (all bodies rigid) as planned, with every rule. Give *out to carom_chain_plan_destroy.', 'carom_chain_plan_destroy': 'Frees the courses; null is allowed.', 'carom_chain_sweep': 'Velocities after runs with different gaps. Owns its memory.', 'carom_chain_sweep_run': 'Runs the chain once per gap (m, at every contact). Give *out to carom_chain_sweep_destroy.', 'carom_chain_sweep_destroy': 'Frees the sweep; null is allowed.', 'carom_chain_report': 'What a picture or a page shows. Everything but the chain may be null.', 'carom_chain_picture_svg': 'The four panels of the figures of [EC] (positions, compressions, velocities, force over compression) as SVG; where there is a sweep, the velocities over the gap instead. free() *out.', 'carom_chain_picture_waves': 'The bodies at twelve instants, coloured by strain: where the waves are ([EC, figs 9, 10]). UNSUPPORTED without a body that compresses. free() *out.', 'carom_chain_picture_html': 'A self-contained HTML page with tables and pictures. free() *out.', 'carom_chain_space_svg': 'The impulses that are possible when three bodies meet ([EC, fig 2]): energy curve (eqs 8, 9), non-penetration (eqs 6, 7), non-negativity, and where the rules and the springs end (`result` may be null). UNSUPPORTED unless there are three bodies without walls. free() *out.', 'carom_compare_row': "One law's result.", 'carom_compare': 'Several laws on one problem.', 'carom_compare_create': 'Starts a comparison on a scene, which must outlive it. `promises` selects the desiderata that are measured (bits CAROM_BRK ..., see carom_desiderata_select); 0 means: all for up to 300 contacts, without WAV, BRK and the distance to springs above.', 'carom_compare_destroy': 'Frees it; null is allowed.', 'carom_compare_add': "Resolves and judges by one law; null options mean the scene's own where it names this law, else the law's defaults. A law that fails becomes a row with its error; only the lack of memory is returned.", 'carom_compare_count': 'How many rows there are.', 'carom_compare_at': 'One row, by its index from 0; belongs to the comparison.', 'carom_compare_scene': 'The scene that is compared on.', 'carom_compare_refer': 'Options of the law `springs` that distances are measured to, for laws added from now on: those of the row that is shown. Null: the defaults.', 'carom_compare_set_progress': 'Who may stop carom_compare_add with CAROM_INTERRUPTED; as carom_workspace_set_progress.', 'carom_compare_broken': "Bits of the promises that the row's result breaks although its law makes them for this kind of problem. SYM, BRK and WAV are promised without friction and with one restitution, and are about the law's own process: they do not count where another rule had to finish it (report.end is not CAROM_IMPACT_SETTLED).", 'carom_compare_frictionless': 'Non-zero where contacts have friction and the law does not use it.', 'carom_compare_end': 'The result in one word: "settled", "capped", ... or the name of the failure.', 'carom_compare_row_json': 'One result as an object, bodies and contacts in the order of the file.', 'carom_compare_json': 'The whole comparison as an object.', 'carom_compare_csv': 'One line per law and body, figures of the law repeated. Null without memory; free() it.', 'carom_compare_svg': 'A picture: the instant before, and one panel per law with velocities and impulses. Null without memory; free() it.', 'carom_compare_html': 'A self-contained page with the picture and the tables of all comparisons. Null without memory; free() it.', 'carom_verdict': 'Whether a law keeps a promise on one problem.', 'carom_desideratum': 'One promise on one problem.', 'carom_desiderata_figures': "All figures for one instant and one law. Speeds are relative to the fastest |u| before; energy norms |v|_M = sqrt(sum m v^2 + w.I w) to the larger of the instant's own and its impulses'.", 'carom_desiderata': 'One instant to be judged under many laws. Holds a copy of the problem and what all laws are compared with.', 'carom_desiderata_create': 'Null with an error where the problem is refused or memory is short.', 'carom_desiderata_destroy': 'Frees it; null is allowed.', 'carom_desiderata_select': 'Which desiderata to measure, as bits CAROM_BRK ...; default all. The others stay unasked. SYM, BRK and WAV stay unasked where the law did not settle. SYM costs three resolves, WAV one per contact and one of `springs`, BRK one of `springs`.', 'carom_desiderata_yardstick': 'The law that distances are measured to: `springs`.', 'carom_desiderata_set_yardstick': 'Its options from now on; null: its defaults.', 'carom_desiderata_set_progress': 'Who may stop a measurement; as carom_workspace_set_progress.', 'carom_desiderata_measure': "Measures a law. Null options mean the law's defaults.", 'carom_desiderata_word': '"holds", "broken" or "-".', 'carom_desiderata_sentence': 'The sentence behind the word.', 'carom_svg': 'A picture in the making.', 'carom_svg_style': 'How a mark looks. Null roles mean: no stroke, no fill. Zero width means 1, zero opacity means 1.', 'carom_svg_words': 'How words look.', 'carom_svg_begin': 'Starts and ends a picture on a background of its own. The title is for screen readers and tooltips.', 'carom_svg_end': 'Ends the picture.', 'carom_svg_line': 'A straight line between two points (px).', 'carom_svg_circle': 'A circle (px).', 'carom_svg_box': 'A box with its upper left corner there (px).', 'carom_svg_path': '`points` holds count pairs x, y.', 'carom_svg_polygon': 'The same, closed.', 'carom_svg_arrow': 'A line with a filled head; drawn as a dot where it is shorter than a pixel.', 'carom_svg_words_at': 'Words whose anchor is at a point (px).', 'carom_svg_group': 'Everything until the end of the group is moved by the offset.', 'carom_svg_group_end': 'Ends the group begun last.', 'carom_svg_series': 'The role of the i-th series: "s0" ... "s7", then again.', 'carom_svg_ramp': 'A colour for a value from 0 to 1, as 0xrrggbb: evenly spaced for the eye, in order also in grey and for colour-blind eyes (viridis, van der Walt and Smith 2015).', 'carom_plot_kind': 'How a series is drawn.', 'carom_plot_series': 'One series of a plot.', 'carom_plot_axis': 'One axis. Range: found from the data where min == max. A label without a unit says "(-)".', 'carom_plot': 'A plot: axes, and series over them.', 'carom_plot_draw': 'Draws it into a picture.', 'carom_page_begin': 'Starts a page with a heading and an introduction (plain words, may be null).', 'carom_page_section': 'A section heading with a paragraph below (may be null).', 'carom_page_picture': 'A picture (an SVG made with carom_svg_*) with a caption.', 'carom_page_table': 'A table, cells row by row; the first row is the heading. Numbers are set to the right.', 'carom_page_verbatim': 'Words set in a fixed-width font, kept as they are.', 'carom_page_end': 'Ends the page.', 'carom_export_colour': 'What colours tell.', 'carom_export_fit': 'Which frames the chosen camera has to show.', 'carom_export_view': 'How pictures are taken. Make it with carom_export_view_default; what is not set is chosen from the moving bodies over the whole recording, so that all its pictures have one camera.', 'carom_export_view_default': 'The defaults, camera chosen.', 'carom_export_png': 'Writes one frame as a PNG file.', 'carom_export_sheet': "Writes a sheet of `count` frames (or as many as there are), evenly spread from the first to the last, as one PNG file of the view's size.", 'carom_export_csv': 'Tables as CSV with a heading that names the units: one row per body and frame; and one row per frame with the ledger.', 'carom_export_csv_ledger': 'One row per frame with the ledger.', 'carom_export_npz': 'A NumPy archive: time, step, hash and ledger_* per frame; position, rotation (w x y z), velocity and spin per frame and body; mass, kind (carom_body_kind) and name per body. SI units.', 'carom_export_glb': 'A glTF 2.0 binary file: every body a node, equal shapes share their mesh, and one animation moves all bodies that are not fixed. The view gives the colours.', 'carom_export_vtp': 'One frame for ParaView, as points with velocity, spin, rotation, mass, radius, body, kind and shape; planes are left out.', 'carom_export_vtp_index': 'The PVD file that lists the files of all frames by time, and the name each of them must have.', 'carom_export_vtp_name': 'The name that the file of a frame must have.', 'carom_export_side': 'From where a drawing is made.', 'carom_export_svg': 'One frame as a drawing to scale (SVG), with plots of energy, momentum and overlap below where the recording has several frames.', 'carom_export_graph': 'What a plot shows over time.', 'carom_export_plot': 'A plot of the ledger (SVG) with axes, units and legend; px per plot.', 'carom_export_pace': 'How a video runs.', 'carom_export_mp4': 'Draws the whole run as an MP4 file (H.264) by piping pictures to the program ffmpeg; the error says what to do where it is missing. Width and height must be even.', 'carom_export_format': 'The kinds of files.', 'carom_export_size': 'About how many bytes an export will have, known before it is written. The pace is that of an MP4 video, and may be null otherwise.', 'carom_hash_bytes': 'The hash so far, continued by these bytes.', 'carom_hash_doubles': 'The hash so far, continued by these numbers.', 'carom_impact_body': 'A body as the instant sees it. Inverse mass 0 (and inverse inertia 0) means immovable; with a velocity it is driven: it moves as given and nothing changes it.', 'carom_impact_contact': 'A touching pair.', 'carom_impact': 'One instant. The arrays belong to the caller and are not changed.', 'carom_impact_body_default': 'A body of mass 1 kg, inertia 0.1 kg m^2 about every axis, at rest at the origin.', 'carom_impact_contact_default': "A frictionless elastic contact with Hertz's exponent 1.5 between bodies 0 and 1, along x at the origin.", 'carom_impact_end': 'What ended the loop of a law, from the best to the worst.', 'carom_impact_report': 'How the resolution went. Laws fill the first group, carom_impact_resolve measures the second.', 'carom_impact_report_default': 'A report to start from: settled, nothing limited, no elastic step.', 'carom_impact_outcome': 'Where results go. The arrays belong to the caller, in the order of the bodies and contacts.', 'carom_workspace': 'Memory and threads for resolving. One workspace serves one caller at a time; after the largest problem has been seen, resolving allocates nothing.', 'carom_workspace_create': 'An empty workspace with one thread; null without memory.', 'carom_workspace_destroy': 'Frees it; null is allowed.', 'carom_workspace_set_threads': 'Threads to use, at least 1; the result is the same bits for any number. Default 1.', 'carom_impact_observer': 'An observer of a law at work: called after every sweep (pass, cycle, block of micro-steps, step of the springs) with the impulses of all contacts so far, normal and along the two tangents (N s). Islands follow one another, each from sweep 1 on; losses and friction that a law adds at its end are in the outcome only.', 'carom_workspace_set_observer': 'Null ends it. A law that is observed uses one thread; its result is the same bits.', 'carom_workspace_set_limit': 'Bytes of scratch memory this workspace may hold; 0 (default) means as much as there is.', 'carom_workspace_set_accuracy': 'Relative residual at which solves with friction or partial restitution may end in islands of more than 32 contacts, from 1e-3 on in those of more than 3 (sweeps instead of exact solves; promises hold all the same); 0 (default): as exact as they come.', 'carom_workspace_set_work': 'Contacts that the sweeps of one such solve may look at in all, the same one each time anew; 0 (default): 4e6. A deep pile that is struck needs more: what the sweeps have not carried through it is lost.', 'carom_workspace_set_progress': 'Who may stop a resolve: queried about ten times a second of work or more often, from the calling thread; a resolve that is stopped fails with CAROM_INTERRUPTED. Null ends it.', 'carom_impact_check': 'Checks every number of the problem. A failure names the body or contact by its index.', 'carom_impact_resolve': "Resolves the impact by a law. A null law is refused and leaves in `err` what carom_law_find said; null options mean the law's defaults. On failure `out` is left as it was. A result that the law could only finish by its fallback is CAROM_OK with report.end telling so.", 'carom_impact_tangents': 'The two tangents that impulse components 1 and 2 refer to, for a unit normal.', 'carom_impact_end_word': '"settled", "capped", ...', 'carom_impact_end_sentence': 'The sentence behind the word.', 'carom_import_mesh': 'Reads all surfaces of a file, multiplies by `scale` (m per file unit) and continues as carom_mesh_create.', 'carom_import_triangles': 'The first half of carom_import_mesh: the triangles of a file as they stand in it, scaled. Free them with carom_import_free.', 'carom_import_parse': 'The same from bytes in memory: OBJ, PLY, STL or OFF, by the ending of `name`, which errors show.', 'carom_import_free': 'Frees what the two above gave, and empties the source.', 'carom_json': 'A JSON text in the making.', 'carom_json_create': 'An empty text. Null without memory; every function below takes null and does nothing.', 'carom_json_destroy': 'Frees the writer and its text; null is allowed.', 'carom_json_text': 'The text so far, ending with a zero; null when memory ran out. Owned by the writer.', 'carom_json_object': 'Opens an object; carom_json_end closes it.', 'carom_json_array': 'Opens an array; carom_json_end closes it.', 'carom_json_end': 'Closes the object or array opened last.', 'carom_json_number': 'A number, with the fewest digits that read back as the same double.', 'carom_json_integer': 'A whole number.', 'carom_json_bool': 'true where `value` is not 0, else false.', 'carom_json_string': 'A text; null is written as null.', 'carom_json_null': 'The value null.', 'carom_json_numbers': '`count` numbers on one line.', 'carom_json_raw': 'A text that is JSON already.', 'carom_option_kind': 'What an option takes.', 'carom_option': 'One option of a law; the same entry feeds the parser, the defaults, `carom laws` and the manual.', 'carom_law_options': "Values in the order of the law's options. Make it with carom_law_defaults.", 'carom_law': 'An impact law. The descriptions are public; how it resolves is not.', 'carom_law_count': 'How many laws there are.', 'carom_law_at': 'The law at an index from 0 in the order of the manual; null outside.', 'carom_law_find': 'The law of that name as written in files ("qce"), or null with an error that suggests the nearest name.', 'carom_law_default': 'The law used where none is named.', 'carom_law_name': 'The name as written in files: "qce".', 'carom_law_summary': 'What it does, in one sentence.', 'carom_law_reference': 'Key of the source in docs/references.bib.', 'carom_law_promises': 'Bits CAROM_BRK ... CAROM_RES, held by the conformance test on seeded families with the default options. KIN, MOM, ONE, NOP and RES are promised for every problem: any friction, restitution that differs from contact to contact (an energy limiter takes out what these would add, see carom_impact_report), any masses, driven bodies that do not close in on one another. Where every contact is elastic, KIN is broken too by energy lost at a cap on work, which takes ratios of masses beyond 1e10 (etm: 1e4). BRK, SYM and WAV are promised without friction and with one restitution: SYM where the process settles (a capped or endless one is cut where round-off has grown, as it has after some hundred sweeps), BRK and WAV where the restitution is 1 and no two masses are equal (equal balls can hand a wave back so that every contact gets its own speed). A law that does not promise something breaks it somewhere.', 'carom_law_has_friction': "Non-zero where the law uses the contacts' friction; others leave tangential speeds alone.", 'carom_law_has_tangential': "Non-zero where the law uses the contacts' tangential restitution; to others it is 0.", 'carom_law_bounces': 'Zero where the law takes every restitution for zero: nothing bounces.', 'carom_law_option_count': 'How many options the law has.', 'carom_law_option': 'One of them, by its index from 0; null outside.', 'carom_law_defaults': 'All options at their defaults.', 'carom_law_set': 'Sets an option from text, for instance ("theta", "1e-3") or ("reading", "convex").', 'carom_law_option_text': 'A value of an option as carom_law_set takes it: "0.001", "convex".', 'carom_law_promise_name': '"BRK" ... for a bit index from 0; null outside.', 'carom_law_promise_sentence': 'What that promise means, in one sentence; null outside.', 'carom_measure_kind': 'What is measured.', 'carom_measure_options': 'What to measure. Zero-initialise; `to` 0 means the end.', 'carom_measure_column': 'One column of a table.', 'carom_measure_number': 'A mean or what a fit gives.', 'carom_measure_table': 'A result: columns over the first one, and numbers.', 'carom_measure': 'A measurement in the making.', 'carom_measure_create': 'A measurement of the bodies of a scene, which must outlive it.', 'carom_measure_destroy': 'Frees it; null is allowed.', 'carom_measure_look': 'Takes the state of a world after a step of `dt` seconds and the contacts noted since they were last cleared, and clears them. The world has to be watched (carom_world_record_contacts) where forces are measured. Where the step was divided at times of impact only the last interval of what rests is known: forces want scenes with "events": 0.', 'carom_measure_trajectory': 'The same for every frame of a trajectory of that scene. Forces need "contacts" in the scene\'s output; what rests counts as lasting from frame to frame.', 'carom_measure_finish': 'What was found so far; belongs to the measurement, until the next look.', 'carom_measure_chain': 'The wave in a chain that was run: one row per sample. Destroy the measurement as the others.', 'carom_measure_value': 'A number of a table by its name; not a number where there is none.', 'carom_measure_csv': 'The table as CSV, with units in the heading. free() *text.', 'carom_measure_svg': 'The plot as SVG, with units on its axes. free() *text.', 'carom_measure_wave': 'The solitary wave of a chain of beads without gaps or load, F = k compression^n and equal masses m, in the units bead, m and k: a wave whose fastest bead has the speed v moves on by one bead every 1 / (speed v^((n - 1) / (n + 1)) (k / m)^(1 / (n + 1))) seconds.', 'carom_measure_wave_exact': 'Exact, from c^2 r = L * r^n (L: the tent of half width 1), by iteration; n above 1.', 'carom_modal_material': 'An isotropic linear elastic solid.', 'carom_modal_material_named': 'The preset of this name; an unknown name is refused with the nearest known one.', 'carom_modal_material_count': 'The number of presets, and the name of each (null beyond the last).', 'carom_modal_material_name': 'The name of a preset; null beyond the last.', 'carom_modal_material_check': 'Refuses numbers no solid can have: young or density not positive, poisson outside (-1, 0.5).', 'carom_tets': 'Tetrahedra with 10 nodes: 4 corners, then the middles of the edges 01 12 02 03 13 23.', 'carom_tets_read': 'Reads tetrahedra from a gmsh file (.msh, version 2 or 4, text or binary, 4 or 10 nodes) or a TetGen pair (.node and .ele; either name may be given) and multiplies by `scale` (m per file unit). Damage is reported with file and line (text) or byte (binary).', 'carom_tets_parse': 'The same from memory: `format` "msh"; or "node" with the .ele text in `more`.', 'carom_tets_create': 'Makes 10-node tetrahedra from 4-node ones (`corners`, 4 numbers each).', 'carom_tets_destroy': 'Frees the mesh; null is allowed.', 'carom_modal_options': 'How modes are computed.', 'carom_modal_options_default': 'The defaults of every option.', 'carom_modes': 'Modes of one body. Immutable; any number of threads may read it.', 'carom_modal_from_surface': 'Modes of the solid inside a closed surface (counter-clockwise from outside, welded vertices; as carom_mesh_surface gives it). Open, non-manifold, inverted and empty surfaces are refused, as is a solid too thin for the cells that `unknowns_most` allows.', 'carom_modal_from_tets': 'Modes of a mesh of tetrahedra; `cell`, `across` and `unknowns_most` do not apply.', 'carom_modal_destroy': 'Frees the modes; null is allowed.', 'carom_modal_info': 'What is known about the body and the computation. Pointers belong to the modes.', 'carom_modal_about': 'What is known; belongs to the modes.', 'carom_modal_shapes_at': "The shapes at a point of the surface through the elements' own functions (not a nearest vertex): shapes[3 i + k] is component k of mode i, 1/sqrt(kg). A point farther from every cell than half a cell is refused.", 'carom_modal_participation': 'What a contact at a surface point with the outward unit normal sees: a[i] = normal times shape i (1/sqrt(kg), mode_count of them) and w = 1/mass + (X x N) I^-1 (X x N) (1/kg): the input of carom_bounce_case.', 'carom_modal_response': 'w alone.', 'carom_modal_boundary': 'The boundary of tetrahedra as a surface of corner triangles, outward; empty for a lattice body. Belongs to the modes.', 'carom_modal_rescale': "The same modes for another stiffness and density (and the same Poisson's ratio): only scaled.", 'carom_modal_key': 'What modes depend on: the mesh, the material and the options that change results.', 'carom_modal_key_tets': 'The same for a mesh of tetrahedra.', 'carom_modal_save': 'Writes a `.cmodes` file (through a temporary name: a stopped write leaves nothing half done).', 'carom_modal_load': 'Reads a `.cmodes` file. With `key` other than 0, modes of another mesh or material are refused.', 'carom_pattern_kind': 'What a surface shows.', 'carom_pattern': 'What a layer looks like.', 'carom_pattern_measure': 'Measures grains by their centres (m) and mean diameter. The heights are means over the grains of a cell of about two diameters; the spectrum is the Fourier transform of the map on a polar grid.', 'carom_pattern_frame': 'Measures the moving bodies of a frame; `world` tells which they are and how large.', 'carom_pattern_average': 'Several moments of one layer (count at least 1): the mean of their spectra, judged anew, with the map of the last. Take them a cycle of the floor apart: a wave of half its frequency has crests and troughs changed in every other one, but the same spectrum, while noise has not.', 'carom_pattern_word': '"stripes", ...', 'carom_pattern_svg': 'Height map and spectrum side by side. The caller frees the text with free().', 'carom_progress': 'Given by the caller to functions that may take longer than two seconds; null is always allowed.', 'carom_random': 'A place in a stream.', 'carom_random_make': 'The beginning of a stream: streams of one seed are independent of each other.', 'carom_random_at': '64 random bits at position `counter`, without changing any state.', 'carom_random_next': 'Next 64 bits.', 'carom_random_unit': 'Uniform in [0, 1), 53 bits.', 'carom_random_between': 'Uniform in [min, max).', 'carom_random_below': 'Uniform integer in [0, count).', 'carom_random_normal': 'Standard normal.', 'carom_random_direction': 'Uniform on the unit sphere.', 'carom_recording': 'Bodies and frames.', 'carom_recording_open': 'Opens a trajectory, or a scene of kind "world" with its start as the only frame. A trajectory that was cut opens up to its last whole record; carom_recording_damage then says so.', 'carom_recording_damage': 'Null where the file is whole; otherwise a sentence that says where it ends and why.', 'carom_recording_create': 'The bodies of a world with its state now as the only frame. Shapes are shared, everything else is copied: the world may go on or be destroyed.', 'carom_recording_set_trajectory': 'Takes the frames from a trajectory, which must outlive the recording. Fails where it has no frame (the error says what it holds instead) or another number of bodies.', 'carom_recording_append': "Adds the state of a world as the recording's next frame, kept in memory, with the contacts that the world has noted (carom_world_record_contacts). The first one kept replaces the start. Not for recordings with a trajectory.", 'carom_recording_truncate': 'Forgets the frames from number `count` on that were kept in memory.', 'carom_recording_decimate': 'Keeps only every n-th frame from the first one on (n >= 1).', 'carom_recording_set_body': 'Names a body ("body3" otherwise) and gives it a colour (0xrrggbb; -1: chosen).', 'carom_recording_destroy': 'Frees the recording; null is allowed.', 'carom_recording_title': 'The title of the scene, or "world".', 'carom_recording_body_count': 'How many bodies it has.', 'carom_recording_frame_count': 'How many frames it has.', 'carom_recording_frame': 'State at a frame, 0 to the count less one.', 'carom_recording_nearest': 'The frame nearest to a time (s).', 'carom_repose': 'Slopes are positive where the heap falls along its longer side, towards larger coordinates.', 'carom_repose_measure': 'Measures the moving bodies of a world over the floor from (area[0], area[1]) to (area[2], area[3]), m. Nodes are the corners and the middles of edges of the triangles of the surface.', 'carom_repose_point': 'One point of a series, for a picture: the mean of one or more heaps.', 'carom_repose_svg': 'The angle over the friction coefficient, one line per series, each point with its bar, as [ETM, figure 15]. The caller frees the text with free().', 'carom_restitution_rule': 'WEIGHTED is the default: only it knows that a heavy partner (w -> 0) leaves the value of the light one. ARITHMETIC is the choice of [Bounce].', 'carom_restitution_rule_name': 'The rule as written in files.', 'carom_restitution_rule_formula': "The rule's formula, for people.", 'carom_restitution_rule_combine': 'Combines two values in [0, 1]; `w` (1/kg) are the responses of the two rigid bodies along the normal, 0 for an immovable one. Where both are 0, WEIGHTED is ARITHMETIC.', 'carom_restitution_site': 'Where a body is struck, in the frame of its shape.', 'carom_restitution_functions': 'How one kind of source works. The functions are called within a step: they must not allocate, and must give the same bits for the same arguments. Several threads may call them at once.', 'carom_restitution_source': "A body's restitution over its surface.", 'carom_scene_impact': 'One instant of impact with names, a law and pictures\' hints: files of kind "impact".', 'carom_scene_look': 'How a body looks in a picture. All zero: unknown, to be guessed from its contacts.', 'carom_scene_impact_open': 'Reads a file ("-": the standard input). A failure says file:line:column, the value and the fix.', 'carom_scene_impact_parse': 'Reads a text of `size` bytes; `name` is used in errors.', 'carom_scene_impact_create': 'A scene from a problem made in C, for writing and drawing. Copies everything; null law and options mean the defaults; bodies are called body0, body1, ...', 'carom_scene_impact_close': 'Frees the scene; null is allowed.', 'carom_scene_impact_problem': 'The problem; belongs to the scene.', 'carom_scene_impact_law': 'The law that the file names, or the default.', 'carom_scene_impact_options': 'The options of that law.', 'carom_scene_impact_title': "The file's name without folder and ending.", 'carom_scene_impact_note': "The file's note, or null.", 'carom_scene_impact_body_name': 'Null outside the range.', 'carom_scene_impact_look': 'How a body looks; all zero where the file does not say.', 'carom_scene_impact_write': 'Writes the scene as a file that reads back as the same problem, with generators expanded. Masses and principal inertias that came from a file come back bit by bit; a full inertia to round-off.', 'carom_scene_world': 'A scene in time: files of kind "world", which `carom run` runs.', 'carom_scene_output': 'What a run writes.', 'carom_scene_mesh': 'A mesh that the file names, as it was read from its own file: with these a scene needs no other file any more.', 'carom_scene_world_open': 'Reads a file ("-": the standard input), with meshes relative to its folder. A failure says file:line:column, the value and the fix.', 'carom_scene_world_open_sample': 'The same with `sample` added to the seeds of all generators: the scene once more with other random numbers. Sample 0 is the scene itself.', 'carom_scene_world_parse': 'Reads a text of `size` bytes; `name` is used in errors, its folder for meshes.', 'carom_scene_world_parse_with': 'The same with the meshes given; files are not looked at.', 'carom_scene_world_close': 'Frees the scene; null is allowed.', 'carom_scene_world_meshes': 'The meshes that came from files, for keeping them with the scene.', 'carom_scene_world_title': "The file's title, or its name without folder and ending.", 'carom_scene_world_note': "The file's note, or null.", 'carom_scene_world_text': 'The text of the file.', 'carom_scene_world_step': 'Length of a step, s.', 'carom_scene_world_duration': 'Of the run, s.', 'carom_scene_world_output': 'What a run of it writes.', 'carom_scene_world_options': 'How its world moves.', 'carom_scene_world_body_count': 'How many bodies it has, generators expanded.', 'carom_scene_world_body_name': 'The name of a body, "grain[3]" for one of a generator; "world" outside the range.', 'carom_scene_world_find': 'The body of a name, or -1.', 'carom_scene_world_colour': '0xRRGGBB, or -1 where the file gives none.', 'carom_scene_world_body': 'A body as the world gets it: position is the centre of mass. The shape belongs to the scene, as does the bounce map, which is there after carom_scene_world_bake.', 'carom_scene_world_bake': "Gets the bounce maps that the scene's materials ask for: from files, from the cache `folder` (null: carom_bounce_cache_folder; empty: none), or computed, which may take long. Building the world does so without telling its progress, where it was not done before.", 'carom_scene_world_build': "The world of the scene at time 0, not to be used after the scene is closed where it has bounce maps. Null options mean the scene's own.", 'carom_scene_world_examine': 'Refuses a world whose bodies overlap at the start: names, depth and place in the file.', 'carom_scene_world_steps': 'Steps of the whole run.', 'carom_scene_world_first_change': 'Number of the step before which something changes for the first time; -1: nothing ever does.', 'carom_scene_world_change': 'Applies what changes before step number `step` (from 0), to be called before every step: bodies removed up to then, bodies pushed just then. Returns how many of the changes are due at just this step.', 'carom_scene_world_present': 'Zero where a change has removed the body by that time (s), for pictures of a recorded run.', 'carom_scene_world_set': 'Changes "law", "bounce_rule", a plain number of the file ("step", "duration", ...) or an option of the law, as `carom run --set key=value` does. Another law starts with its default options.', 'carom_scene_world_friction': 'Gives every material and every pair of materials this friction coefficient (0 to 1e6), before the world is built; for series of runs over friction.', 'carom_scene_kinds': 'The kinds of files, separated by spaces.', 'carom_scene_kind': 'What a file is.', 'carom_scene_kind_name': 'As written in files: "world".', 'carom_scene_contents': 'What a file holds.', 'carom_scene_check': 'Reads the whole of a file of any kind ("-": the standard input) and says what it holds.', 'carom_scene_schema': 'The JSON Schema of the files of a kind ("impact"); false where the kind is unknown.', 'carom_scene_manual': 'The tables of keys of a kind as Markdown, for the manual; null where the kind is unknown or memory ran out. The caller frees it with free().', 'carom_shape': 'A shape: immutable, shared by its owners (carom_shape_retain, carom_shape_release).', 'carom_shape_kind': 'The kinds of shapes.', 'carom_mass': 'Volume, centre and inertia at unit density. Multiply volume and inertia by the density (kg/m^3).', 'carom_sphere_create': 'A ball of this radius (m, > 0).', 'carom_box_create': 'A box with these half edge lengths (m, each > 0).', 'carom_capsule_create': 'All points within `radius` of the segment from -half_length to half_length on the z axis (m, both > 0).', 'carom_cylinder_create': 'A solid cylinder about the z axis, from -half_length to half_length (m, both > 0).', 'carom_plane_create': 'The half space z <= 0 with the outward normal +z. It has no mass and serves immovable bodies only.', 'carom_plane_towards': 'The same for a body that stands with this outward normal (not zero; need not be of length 1): `rotation` becomes the unit quaternion w x y z that the body needs. While it has that rotation, contacts have the normal to the last bit, which a quaternion alone cannot give.', 'carom_hull_create': 'The convex hull of `count` points, x y z each (m). Points inside are dropped and coplanar facets merged. Fewer than four points, or points in one plane, are refused.', 'carom_mesh_report': 'What a triangle mesh is like: counts of everything that keeps it from bounding a solid.', 'carom_mesh_policy': 'What to do about faults of a mesh that can be repaired.', 'carom_mesh_source': 'A closed triangle mesh, possibly not convex: `vertices` holds x y z (m) of each vertex, `triangles` three vertex numbers each, counter-clockwise seen from outside.', 'carom_mesh_create': 'Examines a mesh and makes a shape of it. A surface that is open, crowded or crosses itself is refused whatever the policy. The report (may be null) is filled also when the mesh is refused.', 'carom_mesh_surface': 'The welded surface of a mesh shape in its own frame; the arrays belong to the shape. Other kinds give an empty source.', 'carom_mesh_from': 'A mesh of any shape but a plane; round ones get `segments` sides and the mass of that mesh. The frame is the same up to the shift of that mesh (carom_shape_shift).', 'carom_part': 'One part of a compound: a shape (not a plane, not a compound) and where it sits.', 'carom_compound_create': 'Several shapes that move as one. Parts may touch; where they overlap the overlap counts twice in the mass. The compound keeps its parts alive.', 'carom_profile_revolve': 'A solid of revolution about the z axis. `profile` holds `count` pairs (radius, height), m, along the outline from the lower to the upper end; the first and the last radius are zero, all others positive. `segments` >= 3 flat sides approximate the circle (vertices lie on it).', 'carom_profile_extrude': 'A straight prism over a simple polygon (`count` pairs x y, m, counter-clockwise, not necessarily convex) from -half_height to half_height along z.', 'carom_profile_sweep': 'A polygon (`count` pairs u v, m, counter-clockwise) carried along a path of `stations` points (x y z, m): at each station u is horizontal, to the left of the path, and v completes the frame upwards (z). Ends are capped. For tracks and channels.', 'carom_refine_mesh': 'The same mesh with no edge longer than `longest` (m): edges are halved, new vertices lie on the old surface.', 'carom_refine_count': 'The same with at least this many faces.', 'carom_decimate_mesh': 'The same mesh with at most `triangles` of them (>= 4): edges are collapsed in the order of their quadric error, each keeping the enclosed volume as far as it can. The result is closed and examined like any mesh; coordinates (carom_shape_shift) are those of the original.', 'carom_generate_shape': 'A closed mesh by name: "bar", "bar:200x10x10mm", "rod:20x1cm@0.5mm". Sizes are joined by x and end with their unit (m, cm, mm); after @ stands the longest edge of the mesh (without it, about 20000 triangles). Solids of revolution stand along z, prisms lie in the xy plane.', 'carom_generate_name': 'The names, one by one (null beyond the last), and what their sizes are called and are where they are not given (m, 0 beyond the last).', 'carom_generate_sizes': 'What the sizes of a named mesh are called, a sentence about it (*doc) and the sizes where none are given.', 'carom_shape_retain': 'One more owner of the shape.', 'carom_shape_release': 'One owner less; the last one frees it. Null is allowed.', 'carom_shape_kind_of': 'What kind a shape is.', 'carom_shape_kind_name': 'The kind as written in scene files.', 'carom_shape_mass': 'Volume and inertia at unit density.', 'carom_shape_shift': "Where the centre of mass lies in the coordinates the shape was created with (m): a point p given then is at p - shift in the shape's own frame.", 'carom_shape_radius': 'Radius of the smallest known ball about the centre of mass that holds the shape (m; infinite for a plane).', 'carom_shape_distance': 'Signed distance from a point (shape frame, m) to the surface, negative inside.', 'carom_shape_triangles': 'The surface as triangles for pictures and exports: calls `triangle` with three corners (m, shape frame, counter-clockwise from outside). Round shapes are divided into `segments` sides; a plane gives one square of half width `extent`.', 'carom_status': 'What became of a call.', 'carom_error': 'What went wrong, where, and what to try next. Zero-initialise before the first use; the fields other than status mean something only after a failure.', 'carom_status_name': 'The status as written in the enum without its prefix, for instance "BAD_INPUT".', 'carom_status_sentence': 'One sentence that explains the status.', 'carom_error_set': 'Records status and the fact (printf style), clears everything else, and returns the status. A null `err` is allowed: the caller then wants the status only.', 'carom_error_no_memory': 'The error of an allocation that failed, by what it was for: "the modes". Returns CAROM_NO_MEMORY.', 'carom_error_where': 'Adds the place to an error already set. Returns err->status (or BAD_INPUT if err is null).', 'carom_error_fix': 'Adds the next thing to try. Returns as carom_error_where.', 'carom_error_body': 'Names the body at fault by its index. Returns as carom_error_where.', 'carom_error_contact': 'Names the contact at fault by its index. Returns as carom_error_where.', 'carom_suggest_nearest': 'The name with the smallest edit distance (insert, delete, replace, swap of neighbours), or null when none is closer than about a third of the word.', 'carom_text': 'Zero-initialise; free with carom_text_free.', 'carom_text_free': 'Frees the bytes and empties the text.', 'carom_text_add': "printf style; numbers use the C locale's point.", 'carom_text_add_bytes': 'Appends bytes as they are.', 'carom_text_add_escaped': 'With &, <, >, " and \' written as entities.', 'carom_text_add_quoted': 'As a JSON string with its quotes.', 'carom_text_add_number': 'The shortest decimal that reads back as the same double; null for a number that JSON cannot hold.', 'carom_text_digits': 'The same digits for any finite number, for messages.', 'carom_text_ends_with': 'Whether a name has this ending and more before it: "a.msh" ends with ".msh", ".msh" does not.', 'carom_text_status': 'CAROM_OK, or CAROM_NO_MEMORY where something could not be appended.', 'carom_tower': 'A tower. Create, add, then ask; the questions never change it. Bodies, supports, pins and bars at rest.', 'carom_tower_motion': 'A tower in motion, with its own copy of the positions.', 'carom_tower_mass': 'How the mass of a brick is spread [Collapse, 8.1].', 'carom_tower_body': 'A body: a convex polygon with corners counter-clockwise around its origin, which is placed at (x, y) and turned by angle.', 'carom_tower_create': 'An empty tower with the given gravity (>= 0, downward), or null when there is no memory.', 'carom_tower_destroy': 'Frees the tower; null is allowed.', 'carom_tower_add_body': 'Adds a body and returns its number in *index (null: not wanted). The centre of mass becomes the point whose motion is reported.', 'carom_tower_add_ground': 'Adds the immovable half plane below the line through (x, y) with the upward unit normal (nx, ny).', 'carom_tower_add_table': 'Adds an immovable table: everything left of `right` (or right of `left`) and below `top`. Use -INFINITY or INFINITY for a side without edge.', 'carom_tower_add_point': 'Adds a point mass.', 'carom_tower_framework_add': 'Adds a rectangle as a framework of `points` point masses (4, 5 or 9) and bars [Collapse, 8.1, figure 10]; *index is the number of its first point. The corners come first, counter-clockwise.', 'carom_tower_add_pin': 'Ties body a to body b (b = -1: to the world) at the point (x, y): a hinge.', 'carom_tower_add_bar': 'Holds the distance between the point (ax, ay) of body a and (bx, by) of body b (-1: the world).', 'carom_tower_set_friction': 'Coulomb friction coefficient for the motion and for the equilibrium test; 0 by default.', 'carom_tower_check_overlap': 'Refuses bodies that overlap by more than `tolerance` (a length).', 'carom_tower_bodies': 'Number of bodies (supports that are half planes or tables are no bodies).', 'carom_tower_gravity': 'The acceleration it stands under, downward.', 'carom_tower_friction': "Coulomb's coefficient of all contacts.", 'carom_tower_body_mass': 'Mass, and moment of inertia about the centre of mass.', 'carom_tower_body_inertia': 'Moment of inertia of a body about its centre of mass.', 'carom_tower_body_place': 'Centre of mass and angle: x, y, angle.', 'carom_tower_body_fixed': 'Whether the body is immovable.', 'carom_tower_build': 'Builds a named tower: diamond:n, triangle:n, harmonic:n,eps, parabolic:d, wall:rows,cols, single:d.', 'carom_tower_build_text': 'The scene file text of a named tower (release with free), for `carom tower --build`.', 'carom_tower_file_load': 'Reads a scene file of kind "tower".', 'carom_tower_force': 'A contact and the force it carries.', 'carom_tower_tie': 'The force in a bar (positive: tension) or one coordinate of the force in a pin.', 'carom_tower_solver': 'Which solver answers. AUTO: the active set up to 60 bodies, the interior point above.', 'carom_tower_instant': "What happens at the first instant: Gauss's principle [Collapse, (Q), (L2), (S2)].", 'carom_tower_initial': 'Accelerations and contact forces at the first instant from rest. Release with carom_tower_initial_free also after a failure.', 'carom_tower_initial_free': 'Frees what an instant holds.', 'carom_tower_proof': 'The answer of the first instant in exact rational arithmetic.', 'carom_tower_prove': 'Solves the first instant exactly on the support the floating-point answer suggests, repairs the support if needed, verifies the optimality conditions exactly and writes a certificate. Frictionless towers without pins and bars only. The coordinates are taken as the doubles they are.', 'carom_tower_prove_free': 'Frees what a proof holds.', 'carom_tower_verdict': 'What an independent reader found in a certificate.', 'carom_tower_checker_check': 'Checks a certificate from scratch, in rational arithmetic; shares no code with the solver. The status tells whether the file could be read, the verdict whether its claim holds. Whether the bodies in the file are those of a scene is another question: carom_tower_scene_check.', 'carom_tower_scene_check': 'The same, and the certificate has to be about this tower: gravity, tolerance, masses, corners, centres, supports and the contacts that carry forces are compared exactly with what the tower gives.', 'carom_tower_variant': 'How lengths are kept [Collapse, sections 5 and 8.3].', 'carom_tower_motion_options': 'How a tower moves.', 'carom_tower_motion_default': 'dt = 1/128, unit variant, second-order start.', 'carom_tower_step': 'What one step found; the audit is always on.', 'carom_tower_audit': 'Extremes over all steps so far.', 'carom_tower_motion_create': 'Starts from rest with a copy of the tower.', 'carom_tower_motion_destroy': 'Frees the motion; null is allowed.', 'carom_tower_motion_set_velocity': 'Gives a body a velocity (vx, vy, omega) before the first step.', 'carom_tower_motion_step': 'One step. On failure the motion stays as it was.', 'carom_tower_motion_place': 'x, y, angle of a body now, and its velocity over the last step.', 'carom_tower_motion_velocity': 'Velocity and angular velocity of a body over the last step.', 'carom_tower_motion_audit': 'The worst of all steps so far.', 'carom_tower_motion_is_symmetric': 'Whether every body is the mirror image of its partner to the last bit.', 'carom_tower_motion_hash': 'A hash of all positions, for comparisons between builds.', 'carom_tower_penalty_initial': "The first instant as [Collapse, 8.4] would have it: every brick a framework of point masses (9 points and 16 bars, figure 10; with corner masses 4 points and 5 bars, figure 4) whose bars are no equations but the terms M (<a_i - a_j, e>)^2 of the objective, e = p_i - p_j. `out` is as carom_tower_initial fills it, for the bricks: the motion that the masses of a framework have in common. *stretch (null: not wanted) becomes the largest acceleration of a bar's length over the length. Rectangles without pins and bars only. Release out with carom_tower_initial_free.", 'carom_tower_recording': 'A recorded motion.', 'carom_tower_record': 'Runs `steps` steps and keeps every `every`-th state and the last. Release with carom_tower_recording_free also after a failure: what was recorded before it stays.', 'carom_tower_recording_free': 'Frees what a recording holds.', 'carom_tower_picture_svg': 'A picture (SVG): the tower with its force diagram (line width = force), where it starts to move, and, with a recording, frames of the collapse. `instant` and `recording` may be null. Release with free.', 'carom_tower_overhang': 'A stack of bricks that reaches over the edge of a table at x = 0.', 'carom_tower_overhang_search': 'Searches the stable stack of 1 to 8 bricks (1 x 1/4, one brick on the table) that reaches farthest; the same seed gives the same answer. `effort` is the number of random starts per shape of stack.', 'carom_tower_space': 'Bodies and contacts in space, at rest.', 'carom_tower_space_body': 'A body: mass and inertia; what it looks like is added with the functions below.', 'carom_tower_space_piece': 'A convex polyhedron in world coordinates. Face f has the corners loop[first[f]] .. loop[first[f + 1] - 1], counter-clockwise from outside.', 'carom_tower_space_create': 'An empty tower under this gravity; null without memory.', 'carom_tower_space_destroy': 'Frees the tower; null is allowed.', 'carom_tower_space_add_body': 'Bodies are numbered from 0 in the order they are added.', 'carom_tower_space_add_piece': 'Makes the polyhedron part of a body.', 'carom_tower_space_add_box': 'A box about `centre` with these half edges, turned by the rotation matrix (rows one after another; null: not turned): a body with the mass spread evenly.', 'carom_tower_space_add_half': 'Gives a fixed body the half space behind the plane through `point` with the unit normal.', 'carom_tower_space_add_contact': 'A contact that is known from elsewhere (round shapes): b is pushed along the unit normal.', 'carom_tower_space_bodies': 'How many bodies it has.', 'carom_tower_space_name': 'The name of a body.', 'carom_tower_space_fixed': 'Whether a body is immovable.', 'carom_tower_space_gravity': 'The acceleration it stands under.', 'carom_tower_space_centre': 'The centre of mass of a body.', 'carom_tower_space_pieces': 'How many polyhedra all bodies have.', 'carom_tower_space_piece_at': 'One of them, and its body; the arrays belong to the tower.', 'carom_tower_space_file_load': 'Reads a file of kind "tower" or "world" ("-": the standard input): exactly one of *flat and *space is set. Of a world, joints, driven and moving bodies are refused; friction, restitution and changes in time are left out.', 'carom_tower_space_file_parse': 'The same from a text; `name` is used in errors.', 'carom_tower_space_force': 'A contact and the force it carries.', 'carom_tower_space_instant': 'What happens at the first instant.', 'carom_tower_space_initial': 'Accelerations and contact forces at the first instant from rest. Contacts are found here: the corners of the common polygon, segment or point of two polyhedra that touch within 1e-9 sizes. Bodies that overlap by more are refused. Release with carom_tower_space_initial_free also after a failure.', 'carom_tower_space_initial_free': 'Frees what an instant holds.', 'carom_tower_space_prove': 'The first instant in exact rational arithmetic: carom_tower_prove in space. Masses, centres, inertia tensors, contact points and normals are taken as the doubles they are. `support` is empty where gravity does not run along an axis. Release with carom_tower_prove_free.', 'carom_tower_scene_check_space': "Checks a certificate, and compares its bodies, gravity and contacts exactly with this tower's. In space carom_tower_checker_check alone takes the listed contacts as given.", 'carom_record_kind': 'The kinds of records.', 'carom_recorder': 'Writes a trajectory. One writer per file: the file is locked while it is open.', 'carom_recorder_create': 'A new file. An existing one is refused unless `overwrite`.', 'carom_recorder_resume': "Continues a file after its last whole checkpoint: what follows that checkpoint is cut off. The checkpoint's payload is returned for carom_world_restore; the caller frees it with free().", 'carom_recorder_add': 'Appends one record. After a failure (a full disk) the file ends with its last whole record.', 'carom_recorder_frame': 'Appends the state of a world as a frame, or as a checkpoint that is forced to the disk.', 'carom_recorder_checkpoint': 'Appends everything that changes in a run, and forces it to the disk.', 'carom_recorder_contacts': 'Appends the contacts of a world that is watched (carom_world_record_contacts).', 'carom_recorder_mesh': 'Appends a mesh of a scene.', 'carom_recorder_size': 'Bytes written so far.', 'carom_recorder_close': 'Closes the file; null is allowed.', 'carom_trajectory': 'A trajectory opened for reading.', 'carom_record': 'One record, inside the memory of the trajectory.', 'carom_frame': 'One frame, decoded.', 'carom_trajectory_open': 'Opens a file of this or an older version; one that was cut opens up to its last whole record.', 'carom_trajectory_close': 'Closes it; null is allowed.', 'carom_trajectory_count': 'How many whole records it has.', 'carom_trajectory_at': 'One record, by its index from 0.', 'carom_trajectory_damage': 'Null where the file is whole; otherwise a sentence that says where it ends and why.', 'carom_trajectory_ended': 'Non-zero where the run came to its end: a summary, and nothing missing behind it.', 'carom_trajectory_frame_count': 'Frames only, in order.', 'carom_trajectory_frame': 'One frame, by its index from 0; belongs to the trajectory.', 'carom_trajectory_contact_count': "The contacts that carried impulses between the frame before and this one, where the scene's output asks for them: impacts in order, then what rested in the last step. Their number (0 where there are none), and one of them, 0 to the count less one.", 'carom_trajectory_contact': 'One of those contacts.', 'carom_trajectory_first': 'The first record of a kind, or one with a null payload.', 'carom_trajectory_scene': 'The scene of a trajectory, with the settings of its run (law, options, step): bodies with names, shapes and colours. Needs nothing but the trajectory; carom_scene_world_build makes its world.', 'carom_trajectory_is': 'Non-zero where the file starts like a trajectory.', 'carom_trajectory_version': "The version of the file's form.", 'carom_trajectory_check': 'Checks everything that can be checked: records whole, scene sound, every frame with the right bodies, in order, and with numbers that match its state hash. Says in a few words what the file holds.', 'carom_difference': 'Where two trajectories part.', 'carom_trajectory_compare': 'Compares the frames of the same time (to 1e-9 of it). Numbers that differ by at most `tolerance` (m, m/s, rad/s, quaternion units) count as equal; 0 asks for the same bits (zeros may differ in sign).', 'carom_runner': 'A run: steps a scene and writes its trajectory.', 'carom_runner_settings': 'How to run. Zero-initialise.', 'carom_runner_create': 'A new run from a scene file ("-": the standard input).', 'carom_runner_resume': 'Continues the run of a trajectory after its last checkpoint, to the same bits as if it had never stopped.', 'carom_runner_advance': 'At most `steps` more steps (up to the end of the run), with frames and checkpoints. Where the progress asks to stop, or a step or a write fails, what was done is in the file: the run can be resumed.', 'carom_runner_done': 'Steps done and steps in all.', 'carom_runner_steps': 'Steps in all.', 'carom_runner_world': 'The world as it is now; belongs to the run.', 'carom_runner_scene': 'The scene that is run; belongs to the run.', 'carom_runner_destroy': 'Closes the file.', 'carom_runner_report': 'What a run has kept and lost so far.', 'carom_runner_energy_json': 'Writes where the energy is and where it went (J) as members of the present object.', 'carom_runner_judge': 'Where the run stands, and whether it kept its promises.', 'carom_runner_cost': 'What a run has cost so far in this process, by the clock on the wall.', 'carom_runner_profile': 'What it has cost so far.', 'carom_runner_profile_phase': 'The phases by number: name and time (s); null where there is none.', 'carom_runner_profile_advice': 'Which phase took most, what made it dear and what to change, in a line. Non-zero where the run is slow: more than 5 s, and more than 5 times what it simulated.', 'carom_runner_profile_json': 'Writes all of that as the member "profile" of the object that is open.', 'carom_runner_report_json': 'Writes the report as members of the object that is open.', 'carom_validate_options': 'What to validate on, and how. Make it with carom_validate_options_default.', 'carom_validate_row': 'What one law makes of the data it was not fitted on.', 'carom_validation': 'Results, one row per law. Belongs to the caller: carom_validate_destroy.', 'carom_validate_impacts': 'Judges laws on single frictional impacts of one body with an immovable surface.', 'carom_validate_tosses': 'Judges laws on tosses of a cube onto a floor, each from its first frame.', 'carom_version': 'The version of the library that is linked, for instance "0.1.0".', 'carom_version_compiler': 'The compiler the library was built with.', 'carom_view_available': '1 where this build carries the page.', 'carom_view_source': 'Something that can be shown: bodies, their forms, and frames.', 'carom_view_source_open': 'Opens a file: a trajectory, a bounce map, or a scene of kind world (which runs while one watches), impact (sweep by sweep), tower or chain. `law` replaces the law of a scene of kind world or impact; null: its own. A file that changes later is read again.', 'carom_view_source_recording': 'A recording as it is; it must outlive the source and may not change.', 'carom_view_tower': 'A tower with what was computed of it; nothing is kept of the parts, which the caller frees.', 'carom_view_source_tower': 'A tower that falls.', 'carom_view_source_bounce': 'A bounce map over its surface; nothing is kept of it.', 'carom_view_source_close': 'Frees the source; null is allowed.', 'carom_view_options': 'How pages are served.', 'carom_view': 'A server at work.', 'carom_view_open': 'Serves `count` sources side by side until it is closed; they must outlive it. Any number of pages may be open.', 'carom_view_link': 'Where to point the browser. On an address other than the loopback the link carries a token, without which every request is refused.', 'carom_view_close': 'Ends the server and frees it; null is allowed.', 'carom_view_page': 'One HTML file with the same page and the sources inside, to be kept or sent. A scene that runs is run to its end first. `start` is how it opens, as in the address of the page behind the # ("dark=1&colour=speed"); null: as usual. The caller frees the text with free().', 'carom_world': 'Bodies, joints and materials, and their state in time.', 'carom_stepping': 'The ways to meet impacts.', 'carom_world_options': 'How the world moves. Make it with carom_world_options_default.', 'carom_material': 'A surface. Two materials that meet combine by the geometric mean of restitution, of friction and of rolling, unless carom_world_pair says otherwise, and by the mean of tangential restitution.', 'carom_body_kind': 'What makes a body move.', 'carom_drive': 'How a driven body moves: with its constant velocity and spin, plus amplitude sin(2 pi frequency (t - start) + phase) while the swing lasts.', 'carom_body': 'What a body is when it is added. Make it with carom_world_body_default.', 'carom_joint_kind': 'Joints between two bodies, or a body and the world (index -1).', 'carom_joint': 'A joint when it is added.', 'carom_ledger': 'Where the energy is and where it went, since the world began. All in J.', 'carom_audit': 'The worst of all impacts since the world began, each relative: round-off is about 1e-15.', 'carom_world_contact': 'A contact that carried an impulse.', 'carom_resting': 'Approach speeds below which contacts rest instead of bouncing.', 'carom_world_options_default': 'The defaults of every option.', 'carom_resting_speeds': 'Those of a world with these options in steps of so many seconds.', 'carom_world_material_default': "Restitution 0.5, friction 0.5, Hertz's exponent.", 'carom_world_body_default': "A moving body of water's density at the origin, at rest, without a shape.", 'carom_world_create': 'An empty world; refuses options outside their ranges.', 'carom_world_destroy': 'Frees the world and its hold on shapes; null is allowed.', 'carom_world_add_material': 'Returns the index through `index`; material 0 exists from the start.', 'carom_world_pair': 'Restitution and friction of one pair of materials, instead of the geometric means.', 'carom_world_pair_rolling': 'Resistance against rolling (m) of a pair that carom_world_pair has been told of, instead of the geometric mean.', 'carom_world_add_body': 'Adds a body and returns its index (may be null), counted from 0.', 'carom_world_add_joint': 'Bodies joined to each other no longer collide with each other, except by a string.', 'carom_world_body_count': 'How many bodies were added, removed ones counted.', 'carom_world_step': 'One step of dt seconds (> 0). A failure leaves the world as it was before the step. Fails with CAROM_BROKE_PROMISE where the state is no longer a number, where a body turns by more than can be followed, and where energy has come out of nothing: more than the bodies had in motion.', 'carom_world_set_progress': 'Asks `progress` between the pieces of a step whether to go on (null: never); where not, the step ends with CAROM_INTERRUPTED and the world is as it was before it. It is told 0 of 1 steps. The caller keeps what it points to.', 'carom_world_body': 'State of a body now; any pointer may be null. Of a body that is not there nothing is written.', 'carom_world_set_velocity': 'Sets the velocity (m/s) and spin (rad/s) of a body before a run; the ledger begins anew. Refuses a body that is not there with CAROM_BAD_INPUT, as the two functions below.', 'carom_world_remove': 'Takes a body out of the world: it stays where it is and touches nothing any more. Its energy is booked as driven. Not part of a snapshot: whoever restores one removes the same bodies first.', 'carom_world_change_velocity': 'Gives a moving body another velocity (m/s) and spin (rad/s) in the middle of a run; the ledger goes on and books the work as driven. (carom_world_set_velocity starts the ledger anew.)', 'carom_overlap': 'Two bodies that overlap.', 'carom_world_overlaps': "How many pairs of bodies overlap by more than position correction takes out unseen (`slop`, or a thousandth of the smaller one's radius), and the deepest of them.", 'carom_world_touching': 'The body that touches this one most closely, and where (m), for reports; -1: none.', 'carom_world_separate': 'Moves bodies apart until none overlaps by more than `slop`, the lighter ones more. For the start of a run: it changes positions only, and the ledger begins anew.', 'carom_world_record_contacts': 'Starts (or ends) noting the contacts that carry impulses; clears the list.', 'carom_world_contacts': 'Impacts since the list was cleared, in the order they happened, then the contacts that rested in the last step. Valid until the next step.', 'carom_world_contacts_clear': 'Empties the list of contacts.', 'carom_world_contacts_add': 'Puts contacts back (impacts before resting ones), for a run that continues; 0 without memory.', 'carom_world_audit': 'The worst of all impacts so far.', 'carom_world_set_audit': 'For a run that continues: the audit of what was before.', 'carom_world_kind': 'What makes a body move; CAROM_BODY_REMOVED of one that is not there.', 'carom_world_shape': 'The shape of a body; belongs to the world. Null of one that is not there.', 'carom_world_mass': 'kg, of a body: as given, or from its density; 0 of one that is not there.', 'carom_world_ledger': 'Where the energy is and where it went.', 'carom_world_energy_gain': 'What the time stepping itself, resting contact and position correction have added in all, as a share of the energy at stake (the most kinetic energy there was, or the range of the potential energy where that is more; at least the weight of all times 1000 `slop`); 0 where they have added nothing. Of the jointed bodies that gained most since the world was made: one of them and a joint at it (-1: there are none).', 'carom_times': 'Where the time of the last step went, by the clock on the wall, summed over its intervals. For benchmarks: not part of snapshots or hashes.', 'carom_world_times': 'Times of the last step.', 'carom_profile': 'What the steps since the world was made have cost, and why: not part of snapshots or hashes, as times depend on the machine.', 'carom_world_profile': 'What all steps have cost.', 'carom_world_snapshot_size': 'Bytes that carom_world_snapshot needs.', 'carom_world_snapshot': 'Everything that changes in a run (state, ledger, warm starts), for checkpoints.', 'carom_world_restore': 'Puts a snapshot back into a world with the same bodies; goes on to the same bits.', 'carom_world_hash': 'Hash of every position, rotation, velocity and spin, bit by bit.'}

CAROM_OK = 0
CAROM_BAD_INPUT = 1
CAROM_NOT_CONVERGED = 2
CAROM_BROKE_PROMISE = 3
CAROM_NO_MEMORY = 4
CAROM_IO_FAILED = 5
CAROM_INTERRUPTED = 6
CAROM_UNSUPPORTED = 7
CAROM_SHAPE_SPHERE = 0
CAROM_SHAPE_CAPSULE = 1
CAROM_SHAPE_CYLINDER = 2
CAROM_SHAPE_BOX = 3
CAROM_SHAPE_HULL = 4
CAROM_SHAPE_MESH = 5
CAROM_SHAPE_PLANE = 6
CAROM_SHAPE_COMPOUND = 7
CAROM_MESH_STRICT = 0
CAROM_MESH_REPAIR = 1
CAROM_RESTITUTION_WEIGHTED = 0
CAROM_RESTITUTION_ARITHMETIC = 1
CAROM_RESTITUTION_GEOMETRIC = 2
CAROM_RESTITUTION_HARMONIC = 3
CAROM_RESTITUTION_GEOMETRIC_FLIPPED = 4
CAROM_RESTITUTION_HARMONIC_FLIPPED = 5
CAROM_RESTITUTION_LEAST = 6
CAROM_RESTITUTION_MOST = 7
CAROM_RESTITUTION_RULE_COUNT = 8
CAROM_BOUNCE_LEFT = 0
CAROM_BOUNCE_CAPPED = 1
CAROM_BOUNCE_PRODUCTION = 0
CAROM_BOUNCE_LITERAL = 1
CAROM_BOUNCE_EVENT = 2
CAROM_MODAL_WARNINGS = 4
CAROM_BOUNCE_SYMMETRY_FIND = 0
CAROM_BOUNCE_SYMMETRY_NONE = 1
CAROM_BOUNCE_SYMMETRY_BOX = 2
CAROM_BOUNCE_SYMMETRY_TURN_X = 3
CAROM_BOUNCE_SYMMETRY_TURN_Y = 4
CAROM_BOUNCE_SYMMETRY_TURN_Z = 5
CAROM_BOUNCE_NEAREST = 0
CAROM_BOUNCE_LINEAR = 1
CAROM_BOUNCE_FACE = 0
CAROM_BOUNCE_EDGE = 1
CAROM_BOUNCE_VERTEX = 2
CAROM_BOUNCE_BINS = 25
CAROM_BOUNCE_FIGURE_COLUMNS = 8
CAROM_CHAIN_MASS = 0
CAROM_CHAIN_SPHERE = 1
CAROM_CHAIN_CYLINDER = 2
CAROM_CHAIN_WALL = 3
CAROM_CHAIN_EXIT_SEPARATED = 0
CAROM_CHAIN_EXIT_DURATION = 1
CAROM_CHAIN_EXIT_STEPS = 2
CAROM_CHAIN_EXIT_WORK = 3
CAROM_CHAIN_RULE_INELASTIC = 0
CAROM_CHAIN_RULE_FIXED_POINT = 1
CAROM_CHAIN_RULE_NEWTON = 2
CAROM_CHAIN_RULE_POISSON = 3
CAROM_CHAIN_RULE_COUNT = 4
CAROM_BRK = 1
CAROM_SYM = 2
CAROM_KIN = 4
CAROM_MOM = 8
CAROM_ONE = 16
CAROM_WAV = 32
CAROM_NOP = 64
CAROM_RES = 128
CAROM_PROMISE_COUNT = 8
CAROM_OPTION_NUMBER = 0
CAROM_OPTION_INTEGER = 1
CAROM_OPTION_CHOICE = 2
CAROM_LAW_OPTION_MAX = 12
CAROM_IMPACT_SETTLED = 0
CAROM_IMPACT_CAPPED = 1
CAROM_IMPACT_ENDLESS = 2
CAROM_IMPACT_STALLED = 3
CAROM_VERDICT_UNASKED = 0
CAROM_VERDICT_HOLDS = 1
CAROM_VERDICT_BROKEN = 2
CAROM_STEPPING_EVENTS = 0
CAROM_STEPPING_ELASTIC = 1
CAROM_STEPPING_COUNT = 2
CAROM_BODY_MOVING = 0
CAROM_BODY_FIXED = 1
CAROM_BODY_DRIVEN = 2
CAROM_BODY_REMOVED = 3
CAROM_JOINT_BALL = 0
CAROM_JOINT_HINGE = 1
CAROM_JOINT_FIXED = 2
CAROM_JOINT_STRING = 3
CAROM_SCENE_MEGABYTES = 1024
CAROM_SCENE_WORLD_MEGABYTES = 8192
CAROM_SCENE_KIND_IMPACT = 0
CAROM_SCENE_KIND_CHAIN = 1
CAROM_SCENE_KIND_TOWER = 2
CAROM_SCENE_KIND_WORLD = 3
CAROM_SCENE_KIND_BOUNCE_KERNEL = 4
CAROM_SVG_SERIES = 8
CAROM_PLOT_LINE = 0
CAROM_PLOT_DOTS = 1
CAROM_PLOT_BARS = 2
CAROM_RECORD_VERSION = 2
CAROM_RECORD_SCENE = 1
CAROM_RECORD_MANIFEST = 2
CAROM_RECORD_FRAME = 3
CAROM_RECORD_CHECKPOINT = 4
CAROM_RECORD_SUMMARY = 5
CAROM_RECORD_MESH = 6
CAROM_RECORD_CONTACTS = 7
CAROM_RECORD_STATE = 8
CAROM_FRAME_POSITION = 0
CAROM_FRAME_ROTATION = 3
CAROM_FRAME_VELOCITY = 7
CAROM_FRAME_SPIN = 10
CAROM_FRAME_STRIDE = 13
CAROM_EXPORT_COLOUR_AUTO = 0
CAROM_EXPORT_COLOUR_BODY = 1
CAROM_EXPORT_COLOUR_START = 2
CAROM_EXPORT_COLOUR_SPEED = 3
CAROM_EXPORT_COLOUR_MASS = 4
CAROM_EXPORT_FIT_RUN = 0
CAROM_EXPORT_FIT_START = 1
CAROM_EXPORT_FIT_END = 2
CAROM_EXPORT_SIDE_AUTO = 0
CAROM_EXPORT_SIDE_FRONT = 1
CAROM_EXPORT_SIDE_SIDE = 2
CAROM_EXPORT_SIDE_TOP = 3
CAROM_EXPORT_GRAPH_ENERGY = 0
CAROM_EXPORT_GRAPH_MOMENTUM = 1
CAROM_EXPORT_GRAPH_GAP = 2
CAROM_EXPORT_GRAPH_ALL = 3
CAROM_EXPORT_PNG = 0
CAROM_EXPORT_CSV = 1
CAROM_EXPORT_NPZ = 2
CAROM_EXPORT_GLB = 3
CAROM_EXPORT_VTP = 4
CAROM_EXPORT_HTML = 5
CAROM_EXPORT_SVG = 6
CAROM_EXPORT_MP4 = 7
CAROM_MEASURE_LOAD = 0
CAROM_MEASURE_PROFILE = 1
CAROM_MEASURE_TEMPERATURE = 2
CAROM_MEASURE_RUNOUT = 3
CAROM_MEASURE_HEIGHT = 4
CAROM_MEASURE_SHOCK = 5
CAROM_MEASURE_COUNT = 6
CAROM_MEASURE_COLUMNS = 16
CAROM_MEASURE_NUMBERS = 16
CAROM_PATTERN_CELLS = 64
CAROM_PATTERN_ANGLES = 60
CAROM_PATTERN_WAVES = 60
CAROM_PATTERN_RINGS = 17
CAROM_PATTERN_FLAT = 0
CAROM_PATTERN_STRIPES = 1
CAROM_PATTERN_SQUARES = 2
CAROM_PATTERN_HEXAGONS = 3
CAROM_PATTERN_DISORDER = 4
CAROM_REPOSE_LINES = 8
CAROM_REPOSE_CELLS = 16
CAROM_TOWER_MOST_BODIES = 20000
CAROM_TOWER_MOST_CORNERS = 64
CAROM_TOWER_HOMOGENEOUS = 0
CAROM_TOWER_CORNERS = 1
CAROM_TOWER_AUTO = 0
CAROM_TOWER_INTERIOR = 1
CAROM_TOWER_ACTIVE = 2
CAROM_TOWER_UNIT = 0
CAROM_TOWER_PROJECTED = 1
CAROM_TOWER_SECOND = 2
CAROM_TOWER_LITERAL = 3
CAROM_TOWER_SPACE_MOST_BODIES = 20000
CAROM_TOWER_SPACE_MOST_CORNERS = 4096
