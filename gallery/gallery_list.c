// The list of verdicts that is kept with the project: what was reached once must not get lost.
#include "gallery/gallery_result.h"

#include <stdlib.h>
#include <string.h>

char *carom_gallery_list_text(const carom_gallery_summary *summary)
{
    if (!summary)
        return NULL;
    carom_text text = { 0 };
    for (int i = 0; i < carom_gallery_count(); ++i)
        carom_text_add(&text, "%-22s %s\n", carom_gallery_entry_of(i)->id,
                       carom_gallery_word(summary->verdict[i]));
    if (text.failed)
        carom_text_free(&text);
    return text.bytes;
}

typedef struct wanted {
    int verdict; // -1: not in the list
} wanted;

// One line of the list: "id words of the verdict"; false where it is neither that nor empty.
static bool read_line(char *line, wanted *list, carom_text *unknown, int *worse)
{
    char *remark = strchr(line, '#');
    if (remark)
        *remark = 0;
    line += strspn(line, " \t\r");
    size_t end = strlen(line);
    while (end && strchr(" \t\r", line[end - 1]))
        line[--end] = 0;
    if (!*line)
        return true;
    size_t length = strcspn(line, " \t");
    char *word = line + length;
    word += strspn(word, " \t");
    line[length] = 0;
    int index = carom_gallery_find(line, NULL), verdict = 0;
    while (verdict < CAROM_GALLERY_VERDICT_COUNT &&
           strcmp(carom_gallery_word((carom_gallery_verdict)verdict), word) != 0)
        ++verdict;
    if (verdict == CAROM_GALLERY_VERDICT_COUNT)
        return false;
    if (index >= 0)
        list[index].verdict = verdict;
    else {
        carom_text_add(unknown, "%s is in the list and no longer in the gallery\n", line);
        ++*worse;
    }
    return true;
}

static void judge(const carom_gallery_summary *summary, const wanted *list, carom_text *words,
                  int *worse)
{
    for (int i = 0; i < carom_gallery_count(); ++i) {
        int now = (int)summary->verdict[i], before = list[i].verdict;
        const char *id = carom_gallery_entry_of(i)->id;
        if (now == CAROM_GALLERY_OPEN || now == before)
            continue;
        if (before < 0)
            carom_text_add(words, "%s is not in the list: %s\n", id,
                           carom_gallery_word(summary->verdict[i]));
        else
            carom_text_add(words, "%s is %s: was %s, is %s\n", id,
                           now > before ? "worse" : "better",
                           carom_gallery_word((carom_gallery_verdict)before),
                           carom_gallery_word(summary->verdict[i]));
        *worse += before < 0 || now > before;
    }
}

carom_status carom_gallery_list_compare(const char *path, const carom_gallery_summary *summary,
                                        int *worse, char **words, carom_error *err)
{
    wanted list[CAROM_GALLERY_MAX];
    carom_text text = { 0 }, found = { 0 };
    *worse = 0;
    *words = NULL;
    for (int i = 0; i < CAROM_GALLERY_MAX; ++i)
        list[i].verdict = -1;
    if (!carom_gallery_files_read(path, &text)) {
        carom_text_free(&text);
        carom_error_set(err, CAROM_IO_FAILED, "cannot read the list of verdicts %.150s", path);
        return carom_error_fix(err, "carom gallery --verdicts FILE writes one");
    }
    int number = 1;
    bool good = true;
    char *rest = text.bytes ? text.bytes : NULL;
    for (char *line; good && rest; ++number) {
        line = rest;
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = 0;
        good = read_line(line, list, &found, worse);
        if (!good) {
            carom_error_set(err, CAROM_BAD_INPUT, "this line is no id with a verdict");
            carom_error_where(err, "%.150s:%d", path, number);
            carom_error_fix(err, "write, for instance, \"qce-fig-4 agrees\"");
        }
    }
    carom_text_free(&text);
    if (!good) {
        carom_text_free(&found);
        return CAROM_BAD_INPUT;
    }
    judge(summary, list, &found, worse);
    if (!found.bytes)
        carom_text_add(&found, "%s", "");
    *words = found.bytes;
    return *words ? CAROM_OK : carom_error_set(err, CAROM_NO_MEMORY, "no memory for the report");
}
