// Tables as CSV (RFC 4180, lines end with a line feed), numbers with all their digits.
#include <string.h>
#include "base/progress.h"
#include "export/export_columns.h"
#include "export/export_contacts.h"
#include "export/recording.h"

static void add_name(carom_text *text, const char *name)
{
    if (!strpbrk(name, ",\"\r\n")) {
        carom_text_add(text, "%s", name);
        return;
    }
    carom_text_add_bytes(text, "\"", 1);
    for (; *name; ++name)
        carom_text_add_bytes(text, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    carom_text_add_bytes(text, "\"", 1);
}

static void add_number(carom_text *text, double value)
{
    char digits[32];
    carom_text_digits(value, digits);
    carom_text_add(text, ",%s", digits);
}

static carom_status write_bodies(const carom_recording *recording, carom_text *text, FILE *file,
                                 const carom_progress *progress, carom_error *err)
{
    int64_t frames = carom_recording_frame_count(recording);
    carom_text_add(text, "step,time_s,body,name,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_per_s,vy_m_per_s,"
                         "vz_m_per_s,wx_rad_per_s,wy_rad_per_s,wz_rad_per_s\n");
    for (int64_t m = 0; m < frames; ++m) {
        carom_frame frame;
        char time[32], room[32];
        TRY(carom_progress_report(progress, (double)m, (double)frames, "writing", err));
        TRY(carom_recording_frame(recording, m, &frame, err));
        carom_text_digits(frame.time, time);
        for (int i = 0; i < recording->count; ++i) {
            if (carom_recording_gone(recording, &frame, i))
                continue;
            carom_text_add(text, "%lld,%s,%d,", (long long)frame.step, time, i);
            add_name(text, carom_recording_name(recording, i, room, sizeof room));
            for (int k = 0; k < CAROM_FRAME_STRIDE; ++k)
                add_number(text, frame.bodies[CAROM_FRAME_STRIDE * (size_t)i + (size_t)k]);
            carom_text_add_bytes(text, "\n", 1);
            TRY(carom_export_columns_flush(text, file, false, err));
        }
    }
    return carom_export_columns_flush(text, file, true, err);
}

carom_status carom_export_csv(const carom_recording *recording, FILE *file,
                              const carom_progress *progress, carom_error *err)
{
    NEED(err, recording, file);
    carom_text text = { 0 };
    carom_status status = write_bodies(recording, &text, file, progress, err);
    carom_text_free(&text);
    return status;
}

// Units as part of the heading: "kg m^2/s" becomes kg_m2_per_s.
static void add_heading(carom_text *text, const carom_export_column *column)
{
    carom_text_add(text, ",%s%s", column->name, *column->unit && *column->unit != '1' ? "_" : "");
    for (const char *at = column->unit; *at && *at != '1'; ++at)
        if (*at == '/')
            carom_text_add(text, "_per_");
        else if (*at != '^')
            carom_text_add(text, "%c", *at == ' ' ? '_' : *at);
}

static carom_status write_ledger(const carom_recording *recording, carom_text *text, FILE *file,
                                 carom_error *err)
{
    int64_t frames = carom_recording_frame_count(recording);
    carom_text_add(text, "step,time_s");
    for (int c = 0; c < carom_export_column_count; ++c)
        add_heading(text, &carom_export_columns[c]);
    carom_text_add(text, "\n");
    for (int64_t m = 0; m < frames; ++m) {
        carom_frame frame;
        TRY(carom_recording_frame(recording, m, &frame, err));
        carom_text_add(text, "%lld", (long long)frame.step);
        add_number(text, frame.time);
        for (int c = 0; c < carom_export_column_count; ++c) {
            const carom_export_column *column = &carom_export_columns[c];
            if (column->whole)
                carom_text_add(text, ",%lld",
                               (long long)carom_export_columns_integer(column, &frame.ledger));
            else
                add_number(text, carom_export_columns_number(column, &frame.ledger));
        }
        carom_text_add(text, "\n");
        TRY(carom_export_columns_flush(text, file, false, err));
    }
    return carom_export_columns_flush(text, file, true, err);
}

carom_status carom_export_csv_ledger(const carom_recording *recording, FILE *file, carom_error *err)
{
    NEED(err, recording, file);
    carom_text text = { 0 };
    carom_status status = write_ledger(recording, &text, file, err);
    carom_text_free(&text);
    return status;
}

static void add_vector(carom_text *text, vec3 v)
{
    add_number(text, v.x);
    add_number(text, v.y);
    add_number(text, v.z);
}

static void add_contact(carom_text *text, const carom_export_contacts *list,
                        const carom_world_contact *c)
{
    add_number(text, c->time);
    carom_text_add(text, ",%d,%d,%d", c->a, c->b, c->impact);
    add_vector(text, vec3_from(c->point));
    add_vector(text, vec3_from(c->normal));
    add_number(text, c->gap);
    add_vector(text, vec3_from(c->impulse));
    add_vector(text, carom_export_contacts_force(list, c));
    add_vector(text, vec3_from(c->slip));
    add_number(text, c->loss);
    carom_text_add_bytes(text, "\n", 1);
}

static carom_status write_contacts(const carom_recording *recording, carom_text *text, FILE *file,
                                   const carom_progress *progress, carom_error *err)
{
    carom_export_contacts list = { 0 };
    carom_status status = CAROM_OK;
    int64_t frames = carom_recording_frame_count(recording);
    carom_text_add(text, "step,time_s,a,b,impact,x_m,y_m,z_m,nx,ny,nz,gap_m,px_N_s,py_N_s,pz_N_s,"
                         "fx_N,fy_N,fz_N,sx_m_per_s,sy_m_per_s,sz_m_per_s,loss_J\n");
    for (int64_t m = 0; m < frames && status == CAROM_OK; ++m) {
        carom_frame frame;
        status = carom_progress_report(progress, (double)m, (double)frames, "writing", err);
        if (status == CAROM_OK)
            status = carom_recording_frame(recording, m, &frame, err);
        if (status == CAROM_OK)
            status = carom_export_contacts_load(&list, recording, m, err);
        for (int i = 0; i < list.count && status == CAROM_OK; ++i) {
            carom_text_add(text, "%lld", (long long)frame.step);
            add_contact(text, &list, &list.list[i]);
            status = carom_export_columns_flush(text, file, false, err);
        }
    }
    carom_export_contacts_free(&list);
    return status == CAROM_OK ? carom_export_columns_flush(text, file, true, err) : status;
}

carom_status carom_export_csv_contacts(const carom_recording *recording, FILE *file,
                                       const carom_progress *progress, carom_error *err)
{
    NEED(err, recording, file);
    carom_text text = { 0 };
    carom_status status = write_contacts(recording, &text, file, progress, err);
    carom_text_free(&text);
    return status;
}
