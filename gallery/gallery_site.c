// The pages of the site: one per entry, and the index with a card for each.
//
// Pictures are files beside the pages, so that the index can show them small; everything is
// relative, nothing comes from the network, and light and dark follow the browser.
#include "gallery/gallery_result.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "carom/json.h"
#include "carom/version.h"

static const char style[] =
    "<style>.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem;"
    "margin:1rem 0}.card{border:1px solid var(--line);border-radius:6px;overflow:hidden;color:"
    "inherit;text-decoration:none;display:flex;flex-direction:column}.card:hover,.card:focus{"
    "border-color:var(--mid)}.card .frame{height:10rem;background:var(--soft);display:flex;"
    "align-items:center;justify-content:center;overflow:hidden}.card img{max-width:100%;max-height:"
    "100%;object-fit:contain}.card .words{padding:.6rem .8rem}.card b{display:block;line-height:"
    "1.3;margin:.15rem 0 .4rem}.small{color:var(--mid);font-size:.85rem}.badge{display:"
    "inline-block;padding:.05rem .55rem;border-radius:1rem;font-size:.82rem;font-weight:600;border:"
    "1px solid}.v0{color:#0b6b3a;background:#e3f5ea}.v1{color:#7a4b00;background:#fdf0d5}.v2{color:"
    "#a12318;background:#fde7e4}.v3{color:#fff;background:#a12318}.v4{color:var(--mid);background:"
    "var(--soft)}@media (prefers-color-scheme:dark){.v0{color:#7be0a6;background:#12301f}.v1{color:"
    "#f5c56b;background:#35280d}.v2{color:#ff9c90;background:#3a1a17}}figure img{max-width:100%;"
    "height:auto;border-radius:4px}.quick{border-left:4px solid #d08700;padding:.4rem .9rem;"
    "background:var(--soft)}td.wrap{white-space:normal;min-width:16rem}a{color:#1f6fb2}@media "
    "(prefers-color-scheme:dark){a{color:#6cb6f0}}.no{color:#a12318;font-weight:600}@media "
    "(prefers-color-scheme:dark){.no{color:#ff9c90}}nav{font-size:.9rem;margin-bottom:1rem}"
    "</style>\n";

static void escaped(carom_text *text, const char *before, const char *words, const char *after)
{
    carom_text_add(text, "%s", before);
    carom_text_add_escaped(text, words);
    carom_text_add(text, "%s", after);
}

static void badge(carom_text *text, carom_gallery_verdict verdict)
{
    carom_text_add(text, "<span class=\"badge v%d\">%s</span>", (int)verdict,
                   carom_gallery_word(verdict));
}

// What --quick means for this page; for the index, `smaller` is null.
static void quick_note(carom_text *text, const char *smaller)
{
    carom_text_add(text, "<p class=\"quick\">Made with <code>--quick</code>: ");
    carom_text_add_escaped(text, !smaller   ? "some entries have smaller sizes, which their pages "
                                              "name. Verdicts hold for these sizes."
                                 : *smaller ? smaller
                                            : "nothing is smaller in this entry.");
    carom_text_add(text, "</p>\n");
}

// -- the page of an entry -----------------------------------------------------------------------

static void cell_number(carom_text *text, double number)
{
    if (isnan(number))
        carom_text_add(text, "<td class=\"n\"></td>");
    else
        carom_text_add(text, "<td class=\"n\">%.7g</td>", number);
}

static void cell_wanted(carom_text *text, const carom_gallery_line *line)
{
    switch (line->kind) {
    case CAROM_GALLERY_NEAR:
        carom_text_add(text, "<td>within %.3g</td>", line->allowance);
        break;
    case CAROM_GALLERY_AT_MOST:
        carom_text_add(text, "<td>at most %.6g</td>", line->allowance);
        break;
    case CAROM_GALLERY_AT_LEAST:
        carom_text_add(text, "<td>at least %.6g</td>", line->allowance);
        break;
    case CAROM_GALLERY_TRUTH:
        carom_text_add(text, "<td>true</td>");
        break;
    case CAROM_GALLERY_REFUTES:
        carom_text_add(text, "<td>as the paper states</td>");
        break;
    default:
        carom_text_add(text, "<td class=\"small\">shown only</td>");
    }
}

static void cell_verdict(carom_text *text, const carom_gallery_line *line)
{
    const char *words = line->kind == CAROM_GALLERY_NUMBER ? ""
                        : line->kind == CAROM_GALLERY_REFUTES
                            ? (line->holds ? "refuted" : "stands")
                            : (line->holds ? "holds" : "does not hold");
    bool bad = line->kind == CAROM_GALLERY_REFUTES ? line->holds : !line->holds;
    carom_text_add(text, "<td%s>%s</td></tr>\n", bad ? " class=\"no\"" : "", words);
}

static void comparison(carom_text *text, const carom_gallery_result *result)
{
    carom_text_add(text,
                   "<div class=\"table\"><table><tr><th>quantity or statement</th>"
                   "<th class=\"n\">paper or reference</th><th class=\"n\">Carom</th><th>unit</th>"
                   "<th>wanted</th><th></th></tr>\n");
    for (int i = 0; i < result->line_count; ++i) {
        const carom_gallery_line *line = &result->lines[i];
        escaped(text, "<tr><td class=\"wrap\">", line->what, "</td>");
        cell_number(text, line->paper);
        cell_number(text, line->ours);
        escaped(text, "<td>", isnan(line->ours) ? "" : *line->unit ? line->unit : "-", "</td>");
        cell_wanted(text, line);
        cell_verdict(text, line);
    }
    carom_text_add(text, "</table></div>\n");
}

static void pictures(carom_text *text, const carom_gallery_result *result)
{
    for (int i = 0; i < result->picture_count; ++i) {
        carom_text_add(text, "<figure><img src=\"%s-%d.%s\" alt=\"", result->entry->id, i + 1,
                       result->pictures[i].png ? "png" : "svg");
        escaped(text, "", result->pictures[i].caption, "\"><figcaption>");
        escaped(text, "", result->pictures[i].caption, "</figcaption></figure>\n");
    }
}

static void notes(carom_text *text, const carom_gallery_result *result)
{
    const char *at = result->notes.bytes ? result->notes.bytes : "";
    while (*at) {
        size_t length = strcspn(at, "\n");
        char line[1100];
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        escaped(text, "<p>", line, "</p>\n");
        at += length + (at[length] != 0);
    }
}

static void scene_name(const char *scene, char *out, size_t size)
{
    snprintf(out, size, "%s", scene);
    for (char *c = out; *c; ++c)
        if (*c == '/')
            *c = '-';
}

static void scene_links(carom_text *text, const carom_gallery_result *result)
{
    char list[400], name[120], *rest = list;
    snprintf(list, sizeof list, "%s", result->entry->scene);
    carom_text_add(text, "<h2>Scene</h2>\n<ul>");
    for (char *scene; (scene = strtok_r(rest, " ", &rest));) {
        if (strncmp(scene, "shape:", 6) == 0) {
            escaped(text, "<li><code>", scene, "</code>, a shape that is made by name</li>");
            continue;
        }
        scene_name(scene, name, sizeof name);
        carom_text_add(text, "<li><a href=\"scenes/%s\">scenes/%s</a></li>", name, scene);
    }
    for (int i = 0; i < result->made_count; ++i)
        carom_text_add(text,
                       "<li><a href=\"scenes/%s\">%s</a>, the same at the size used here</li>",
                       result->made[i], result->made[i]);
    carom_text_add(text, "</ul>\n");
}

static void entry_page(carom_text *text, const carom_gallery_site *site, int index,
                       const carom_gallery_result *result, const carom_error *failure)
{
    const carom_gallery_entry *e = result->entry;
    const carom_gallery_paper *paper = carom_gallery_paper_of(index);
    const carom_gallery_card *card = &site->cards[index];
    char title[240];
    snprintf(title, sizeof title, "[%s] %s: %s", paper->key, e->label, e->title);
    carom_page_begin(text, title, NULL);
    carom_text_add(text, "%s<nav><a href=\"index.html\">All entries</a></nav>\n<p>", style);
    badge(text, card->verdict);
    carom_text_add(text, " <span class=\"small\">");
    carom_text_add_escaped(text, paper->title);
    carom_text_add(text, "; computed in %.1f s</span></p>\n", card->seconds);
    if (site->quick)
        quick_note(text, result->smaller);
    carom_page_section(text, "What the paper shows", e->shows);
    carom_page_section(text, "What Carom computes", NULL);
    if (failure) {
        escaped(text, "<p class=\"no\">The computation failed: ", failure->what, "</p>\n");
        escaped(text, "<p>", failure->where, " ");
        escaped(text, "", failure->fix, "</p>\n");
    }
    pictures(text, result);
    notes(text, result);
    carom_page_section(text, "Comparison", NULL);
    escaped(text, "<p><b>Criterion.</b> ", e->criterion, "</p>\n");
    comparison(text, result);
    carom_text_add(text, "<p><b>Verdict:</b> ");
    badge(text, card->verdict);
    carom_text_add(text, "</p>\n");
    if (e->reason && card->verdict != CAROM_GALLERY_AGREES)
        escaped(text, "<p><b>Reason.</b> ", e->reason, "</p>\n");
    carom_page_section(text, "Make it", NULL);
    carom_page_verbatim(text, e->command);
    carom_text_add(text,
                   "<p class=\"small\">This page: <code>carom gallery --only %s%s --out "
                   "DIR</code></p>\n",
                   e->id, site->quick ? " --quick" : "");
    scene_links(text, result);
    carom_page_end(text);
}

// -- files of an entry --------------------------------------------------------------------------

static carom_status copy_scenes(const carom_gallery_site *site, const carom_gallery_entry *entry,
                                carom_error *err)
{
    char list[400], folder[4200], path[4200], name[120], *rest = list;
    snprintf(folder, sizeof folder, "%s/scenes", site->out);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return carom_error_set(err, CAROM_IO_FAILED, "cannot make the folder %.150s: %s", folder,
                               strerror(errno));
    snprintf(list, sizeof list, "%s", entry->scene);
    for (char *scene; (scene = strtok_r(rest, " ", &rest));) {
        if (strncmp(scene, "shape:", 6) == 0)
            continue;
        carom_text bytes = { 0 };
        snprintf(path, sizeof path, "%s/%s", site->scenes, scene);
        scene_name(scene, name, sizeof name);
        carom_status status = CAROM_OK;
        if (carom_gallery_files_read(path, &bytes))
            status = carom_gallery_files_write(folder, name, bytes.bytes, bytes.length, err);
        carom_text_free(&bytes);
        TRY(status);
    }
    return CAROM_OK;
}

static carom_status write_pictures(const carom_gallery_site *site,
                                   const carom_gallery_result *result, carom_gallery_card *card,
                                   carom_error *err)
{
    card->picture[0] = 0;
    for (int i = 0; i < result->picture_count; ++i) {
        const carom_gallery_picture *picture = &result->pictures[i];
        char name[80];
        snprintf(name, sizeof name, "%s-%d.%s", result->entry->id, i + 1,
                 picture->png ? "png" : "svg");
        TRY(carom_text_status(&picture->bytes, err));
        TRY(carom_gallery_files_write(site->out, name, picture->bytes.bytes, picture->bytes.length,
                                      err));
        if (i == 0)
            memcpy(card->picture, name, sizeof name);
    }
    return CAROM_OK;
}

static carom_status write_result(const carom_gallery_site *site, const carom_gallery_result *result,
                                 const carom_gallery_card *card, carom_error *err)
{
    carom_json *json = carom_json_create();
    carom_json_object(json, NULL);
    carom_json_integer(json, "carom", 1);
    carom_json_string(json, "kind", "gallery-entry");
    carom_json_string(json, "id", result->entry->id);
    carom_json_string(json, "key", card->key);
    carom_json_bool(json, "quick", site->quick);
    carom_json_string(json, "verdict", carom_gallery_word(card->verdict));
    carom_json_number(json, "seconds", card->seconds);
    carom_json_string(json, "picture", card->picture);
    carom_json_array(json, "lines");
    for (int i = 0; i < result->line_count; ++i) {
        static const char *const kinds[] = {
            "number", "near", "most", "least", "truth", "refutes"
        };
        const carom_gallery_line *line = &result->lines[i];
        carom_json_object(json, NULL);
        carom_json_string(json, "what", line->what);
        carom_json_string(json, "kind", kinds[line->kind]);
        carom_json_string(json, "unit", line->unit);
        carom_json_number(json, "paper", line->paper);
        carom_json_number(json, "ours", line->ours);
        carom_json_number(json, "allowance", line->allowance);
        carom_json_bool(json, "holds", line->holds);
        carom_json_end(json);
    }
    carom_json_end(json);
    carom_json_end(json);
    char name[80];
    snprintf(name, sizeof name, "%s.json", result->entry->id);
    const char *text = carom_json_text(json);
    carom_status status = text ? carom_gallery_files_write(site->out, name, text, strlen(text), err)
                               : carom_error_set(err, CAROM_NO_MEMORY, "no memory for a result");
    carom_json_destroy(json);
    return status;
}

carom_status carom_gallery_site_entry(carom_gallery_site *site, int index,
                                      const carom_gallery_result *result,
                                      const carom_error *failure, carom_error *err)
{
    carom_gallery_card *card = &site->cards[index];
    char name[80];
    card->verdict = failure ? CAROM_GALLERY_FAILED : carom_gallery_result_verdict(result);
    TRY(copy_scenes(site, result->entry, err));
    TRY(write_pictures(site, result, card, err));
    carom_text page = { 0 };
    entry_page(&page, site, index, result, failure);
    snprintf(name, sizeof name, "%s.html", result->entry->id);
    carom_status status = carom_text_status(&page, err);
    if (status == CAROM_OK)
        status = carom_gallery_files_write(site->out, name, page.bytes, page.length, err);
    carom_text_free(&page);
    return status == CAROM_OK ? write_result(site, result, card, err) : status;
}

// -- the index ----------------------------------------------------------------------------------

static void add_card(carom_text *text, const carom_gallery_site *site, int index)
{
    const carom_gallery_entry *e = carom_gallery_entry_of(index);
    const carom_gallery_card *card = &site->cards[index];
    bool there = card->verdict != CAROM_GALLERY_OPEN;
    if (there)
        carom_text_add(text, "<a class=\"card\" href=\"%s.html\">", e->id);
    else
        carom_text_add(text, "<div class=\"card\">");
    carom_text_add(text, "<span class=\"frame\">");
    if (there && *card->picture)
        carom_text_add(text, "<img src=\"%s\" alt=\"\" loading=\"lazy\">", card->picture);
    carom_text_add(text, "</span><span class=\"words\"><span class=\"small\">[%s] %s</span>",
                   carom_gallery_paper_of(index)->key, e->label);
    escaped(text, "<b>", e->title, "</b>");
    badge(text, card->verdict);
    carom_text_add(text, "</span></%s>\n", there ? "a" : "div");
}

static void overview(carom_text *text, const carom_gallery_site *site)
{
    int count[CAROM_GALLERY_VERDICT_COUNT] = { 0 };
    double seconds = 0;
    static const char *const sentences[] = {
#define SENTENCE(name, word, sentence) sentence,
        CAROM_GALLERY_VERDICT_LIST(SENTENCE)
#undef SENTENCE
    };
    for (int i = 0; i < carom_gallery_count(); ++i) {
        ++count[site->cards[i].verdict];
        seconds += site->cards[i].verdict == CAROM_GALLERY_OPEN ? 0 : site->cards[i].seconds;
    }
    carom_text_add(text, "<div class=\"table\"><table>");
    for (int v = 0; v < CAROM_GALLERY_VERDICT_COUNT; ++v)
        if (count[v]) {
            carom_text_add(text, "<tr><td>");
            badge(text, (carom_gallery_verdict)v);
            carom_text_add(text, "</td><td class=\"n\">%d</td><td>%s</td></tr>\n", count[v],
                           sentences[v]);
        }
    carom_text_add(text,
                   "</table></div>\n<p class=\"small\">%.0f s of computing in all, carom %s "
                   "(%s).</p>\n",
                   seconds, carom_version(), carom_version_compiler());
}

carom_status carom_gallery_site_index(const carom_gallery_site *site, carom_error *err)
{
    carom_text text = { 0 };
    carom_page_begin(&text, "The figures and tables of five papers, computed anew",
                     "Each entry says what the paper shows, what Carom computes, and how the two "
                     "compare by a stated criterion. The verdicts follow from the numbers.");
    carom_text_add(&text, "%s", style);
    if (site->quick)
        quick_note(&text, NULL);
    overview(&text, site);
    const carom_gallery_paper *before = NULL;
    for (int i = 0; i < carom_gallery_count(); ++i) {
        const carom_gallery_paper *paper = carom_gallery_paper_of(i);
        if (paper != before) {
            char heading[240];
            snprintf(heading, sizeof heading, "[%s] %s", paper->key, paper->title);
            carom_text_add(&text, "%s", before ? "</div>\n" : "");
            carom_page_section(&text, heading, NULL);
            carom_text_add(&text, "<div class=\"cards\">\n");
        }
        add_card(&text, site, i);
        before = paper;
    }
    carom_text_add(&text, "</div>\n");
    carom_page_end(&text);
    carom_status status = carom_text_status(&text, err);
    if (status == CAROM_OK)
        status = carom_gallery_files_write(site->out, "index.html", text.bytes, text.length, err);
    carom_text_free(&text);
    return status;
}
