// The files of a site: a marker that tells a gallery from any other folder, results that are kept,
// and writing whole files or nothing.
//
// The result ID.json is written last: where it is, the page and the pictures of that entry are. Its
// key is a hash of the program's own bytes, the scene files, the id and the size, so that a result
// of another program or scene is computed anew.
#include "gallery/gallery_result.h"

#include <dirent.h>
#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "carom/hash.h"
#include "carom/version.h"

static const char marker[] = "gallery.json";

bool carom_gallery_files_read(const char *path, carom_text *out)
{
    FILE *file = fopen(path, "rb");
    char bytes[8192];
    size_t count;
    if (!file)
        return false;
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0)
        carom_text_add_bytes(out, bytes, count);
    bool whole = !ferror(file) && !out->failed;
    fclose(file);
    return whole;
}

carom_status carom_gallery_files_write(const char *folder, const char *name, const void *bytes,
                                       size_t size, carom_error *err)
{
    char path[4200], temporary[4300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(temporary, sizeof temporary, "%s.part", path);
    FILE *file = fopen(temporary, "wb");
    bool good = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        good = fclose(file) == 0 && good;
    if (good && rename(temporary, path) == 0)
        return CAROM_OK;
    int reason = errno;
    remove(temporary);
    carom_error_set(err, CAROM_IO_FAILED, "cannot write %.150s: %s", path, strerror(reason));
    return carom_error_fix(err, "look for a full disk or missing rights, then run it again: it "
                                "continues");
}

// -- the folder ---------------------------------------------------------------------------------

static bool is_empty(DIR *folder)
{
    for (struct dirent *item; (item = readdir(folder));)
        if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0)
            return false;
    return true;
}

// Reads the marker of a folder that has something in it.
static carom_status check_marker(const carom_gallery_site *site, carom_error *err)
{
    char path[4200];
    json_error_t where;
    snprintf(path, sizeof path, "%s/%s", site->out, marker);
    json_t *root = json_load_file(path, 0, &where);
    const char *kind = json_string_value(json_object_get(root, "kind"));
    bool gallery = kind && strcmp(kind, "gallery") == 0,
         quick = json_is_true(json_object_get(root, "quick"));
    json_decref(root);
    if (!gallery) {
        carom_error_set(err, CAROM_BAD_INPUT, "%.150s has files in it and is no gallery",
                        site->out);
        return carom_error_fix(err, "choose a new or an empty folder with --out");
    }
    if (quick != site->quick) {
        carom_error_set(err, CAROM_BAD_INPUT, "%.150s holds a gallery made %s --quick", site->out,
                        quick ? "with" : "without");
        return carom_error_fix(err, "choose another folder with --out, or %s --quick",
                               quick ? "add" : "leave out");
    }
    return CAROM_OK;
}

carom_status carom_gallery_files_open(const carom_gallery_site *site, carom_error *err)
{
    struct stat about;
    if (stat(site->scenes, &about) != 0 || !S_ISDIR(about.st_mode)) {
        carom_error_set(err, CAROM_BAD_INPUT, "there is no folder of scenes \"%.120s\"",
                        site->scenes);
        return carom_error_fix(err, "run it where the project is, or say where with --scenes");
    }
    if (mkdir(site->out, 0777) != 0 && errno != EEXIST) {
        carom_error_set(err, CAROM_IO_FAILED, "cannot make the folder %.150s: %s", site->out,
                        strerror(errno));
        return carom_error_fix(err, "choose another one with --out");
    }
    DIR *folder = opendir(site->out);
    if (!folder) {
        carom_error_set(err, CAROM_BAD_INPUT, "cannot open the folder %.150s: %s", site->out,
                        strerror(errno));
        return carom_error_fix(err, "choose another one with --out");
    }
    bool empty = is_empty(folder);
    closedir(folder);
    if (!empty)
        return check_marker(site, err);
    char text[160];
    int size = snprintf(text, sizeof text,
                        "{\n  \"carom\": 1,\n  \"kind\": \"gallery\",\n  \"version\": \"%s\",\n  "
                        "\"quick\": %s\n}\n",
                        carom_version(), site->quick ? "true" : "false");
    return carom_gallery_files_write(site->out, marker, text, (size_t)size, err);
}

// -- results ------------------------------------------------------------------------------------

static uint64_t hash_file(uint64_t hash, const char *path)
{
    carom_text bytes = { 0 };
    if (carom_gallery_files_read(path, &bytes))
        hash = carom_hash_bytes(hash, bytes.bytes, bytes.length);
    carom_text_free(&bytes);
    return hash;
}

static uint64_t hash_scenes(uint64_t hash, const carom_gallery_site *site, const char *scenes)
{
    char list[400], path[4200], *rest = list;
    snprintf(list, sizeof list, "%s", scenes);
    for (char *name; (name = strtok_r(rest, " ", &rest));) {
        snprintf(path, sizeof path, "%s/%s", site->scenes, name);
        hash = hash_file(hash, path);
    }
    return hash;
}

static carom_gallery_verdict verdict_of(const char *word)
{
    for (int i = 0; word && i < CAROM_GALLERY_OPEN; ++i)
        if (strcmp(word, carom_gallery_word((carom_gallery_verdict)i)) == 0)
            return (carom_gallery_verdict)i;
    return CAROM_GALLERY_OPEN;
}

// Keeps what the result says where it was made from the same things. A failed one is tried again.
static void read_result(const char *path, carom_gallery_card *card)
{
    json_t *root = json_load_file(path, 0, NULL);
    const char *key = json_string_value(json_object_get(root, "key")),
               *picture = json_string_value(json_object_get(root, "picture"));
    carom_gallery_verdict verdict = verdict_of(json_string_value(json_object_get(root, "verdict")));
    if (key && strcmp(key, card->key) == 0 && verdict < CAROM_GALLERY_FAILED) {
        card->kept = true;
        card->verdict = verdict;
        card->seconds = json_number_value(json_object_get(root, "seconds"));
        snprintf(card->picture, sizeof card->picture, "%s", picture ? picture : "");
    }
    json_decref(root);
}

carom_status carom_gallery_files_scan(carom_gallery_site *site, carom_error *err)
{
    (void)err;
    uint64_t program = hash_file(CAROM_HASH_START, "/proc/self/exe");
    program = carom_hash_bytes(program, carom_version(), strlen(carom_version()));
    for (int i = 0; i < carom_gallery_count(); ++i) {
        const carom_gallery_entry *entry = carom_gallery_entry_of(i);
        carom_gallery_card *card = &site->cards[i];
        uint64_t hash = carom_hash_bytes(program, entry->id, strlen(entry->id) + 1);
        hash = carom_hash_bytes(hash, &site->quick, sizeof site->quick);
        hash = hash_scenes(hash, site, entry->scene);
        snprintf(card->key, sizeof card->key, "%016llx", (unsigned long long)hash);
        char path[4200];
        snprintf(path, sizeof path, "%s/%s.json", site->out, entry->id);
        if (access(path, R_OK) == 0)
            read_result(path, card);
    }
    return CAROM_OK;
}
