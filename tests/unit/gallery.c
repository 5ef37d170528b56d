// Verdicts of the gallery: they follow from the lines of comparison, and a list notices what got
// worse.
#include "gallery/gallery_result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/check.h"

static carom_gallery_result result;

static void start(void)
{
    carom_gallery_result_free(&result);
    result = (carom_gallery_result){ 0 };
}

static void verdicts(void)
{
    start();
    CHECK(carom_gallery_result_verdict(&result) == CAROM_GALLERY_DIFFERS,
          "nothing compared: no praise");
    carom_gallery_result_number(&result, "a number", "m", 1, 5);
    CHECK(carom_gallery_result_verdict(&result) == CAROM_GALLERY_DIFFERS,
          "a number alone says nothing");
    CHECK(carom_gallery_result_near(&result, "close", "m", 1, 1.05, 0.1), "1.05 is near 1");
    CHECK(carom_gallery_result_verdict(&result) == CAROM_GALLERY_AGREES, "what holds agrees");
    carom_gallery_result_refutes(&result, false, "a statement that stands");
    CHECK(carom_gallery_result_verdict(&result) == CAROM_GALLERY_AGREES, "a statement that stands");
    carom_gallery_result_refutes(&result, true, "a statement that falls");
    CHECK(carom_gallery_result_verdict(&result) == CAROM_GALLERY_PAPER_IN_ERROR,
          "one that is refuted");
    CHECK(!carom_gallery_result_at_most(&result, "too much", "", 3, 2), "3 is more than 2");
    CHECK(carom_gallery_result_verdict(&result) == CAROM_GALLERY_DIFFERS, "one miss decides");
    start();
    CHECK(!carom_gallery_result_near(&result, "not a number", "", 1, NAN, 0.1),
          "NaN is near nothing");
    CHECK(!carom_gallery_result_at_most(&result, "not a number", "", NAN, 1), "nor below anything");
    CHECK(!carom_gallery_result_at_least(&result, "not a number", "", NAN, 1), "nor above");
    start();
    for (int i = 0; i < 2 * CAROM_GALLERY_LINES; ++i)
        carom_gallery_result_near(&result, "one of many", "", 0, 0, 0);
    CHECK(result.line_count == CAROM_GALLERY_LINES, "lines beyond the room are dropped");
    CHECK(carom_gallery_result_verdict(&result) == CAROM_GALLERY_DIFFERS,
          "and then nothing is said");
    for (int i = 0; i < 2 * CAROM_GALLERY_PICTURES; ++i)
        (void)carom_gallery_result_svg(&result, "picture");
    CHECK(result.picture_count == CAROM_GALLERY_PICTURES, "and so are pictures");
    start();
}

static int worse_than(const char *text, const carom_gallery_summary *summary, char **words)
{
    char path[] = "/tmp/carom-verdicts-XXXXXX";
    carom_error err = { 0 };
    int worse = -1, file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    fputs(text, out);
    fclose(out);
    if (carom_gallery_list_compare(path, summary, &worse, words, &err) != CAROM_OK)
        worse = -(int)err.status;
    remove(path);
    return worse;
}

static void lists(void)
{
    carom_gallery_summary summary = { 0 };
    for (int i = 0; i < CAROM_GALLERY_MAX; ++i)
        summary.verdict[i] = CAROM_GALLERY_AGREES;
    char *list = carom_gallery_list_text(&summary), *words = NULL;
    CHECK(worse_than(list, &summary, &words) == 0 && *words == 0, "a list agrees with itself");
    free(words);
    summary.verdict[3] = CAROM_GALLERY_DIFFERS;
    CHECK(worse_than(list, &summary, &words) == 1, "one got worse");
    CHECK(words && strstr(words, carom_gallery_at(3).id), "it is named: %s", words);
    free(words);
    char *other = carom_gallery_list_text(&summary);
    summary.verdict[3] = CAROM_GALLERY_PAPER_IN_ERROR;
    CHECK(worse_than(other, &summary, &words) == 0, "better is not worse");
    CHECK(words && strstr(words, "better"), "but said");
    free(words);
    CHECK(worse_than("# nothing\n", &summary, &words) == carom_gallery_count(),
          "entries that the list does not know count");
    free(words);
    words = NULL;
    CHECK(worse_than("qce-fig-4 splendid\n", &summary, &words) == -(int)CAROM_BAD_INPUT,
          "an unknown verdict is refused");
    free(list);
    free(other);
}

static void entries(void)
{
    carom_error err = { 0 };
    int count = carom_gallery_count();
    CHECK(count > 0 && count <= CAROM_GALLERY_MAX, "%d entries fit", count);
    for (int i = 0; i < count; ++i) {
        carom_gallery_about about = carom_gallery_at(i);
        const carom_gallery_entry *entry = carom_gallery_entry_of(i);
        CHECK(carom_gallery_find(about.id, &err) == i, "%s is found once", about.id);
        CHECK(entry->make && entry->shows && entry->criterion && entry->command && entry->scene,
              "%s is complete", about.id);
        CHECK(entry->cost[0] > 0 && entry->cost[1] > 0, "%s has a cost", about.id);
    }
    CHECK(carom_gallery_find("qce-fig-44", &err) < 0 && strstr(err.fix, "qce-fig-4"),
          "a misspelt id gets the nearest: %s", err.fix);
    CHECK(carom_gallery_at(-1).id == NULL && carom_gallery_at(count).id == NULL, "none outside");
}

int main(void)
{
    verdicts();
    lists();
    entries();
    return check_report();
}
