// Surface meshes from files, through assimp.
#include "carom/import.h"
#include "shape/shape.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A file may not make us hold more than this.
enum { VERTICES_MOST = 20000000, TRIANGLES_MOST = 20000000 };

typedef struct gathered {
    double *vertex;
    int *triangle;
    int vertex_count, triangle_count;
} gathered;

static carom_status count_all(const struct aiScene *scene, gathered *all, carom_error *err);
static void copy_all(const struct aiScene *scene, double scale, gathered *all);

// assimp looks for the end of the header of a PLY file for ever where there is none.
static carom_status check_ply(const char *path, carom_error *err)
{
    char line[1024], magic[8] = "";
    FILE *file = fopen(path, "rb");
    if (!file)
        return CAROM_OK; // assimp says why
    bool ply = fgets(magic, sizeof magic, file) && strncmp(magic, "ply", 3) == 0, ended = !ply;
    while (!ended && fgets(line, sizeof line, file))
        ended = strncmp(line, "end_header", 10) == 0;
    fclose(file);
    if (ended)
        return CAROM_OK;
    carom_error_set(err, CAROM_BAD_INPUT, "the header of the PLY file has no end");
    carom_error_where(err, "%s", path);
    return carom_error_fix(err, "save the file again; it may be cut short");
}

// A face without corners would end the program inside assimp, when it makes triangles.
static bool has_corners(const struct aiScene *scene)
{
    for (unsigned m = 0; m < scene->mNumMeshes; ++m)
        for (unsigned f = 0; f < scene->mMeshes[m]->mNumFaces; ++f)
            if (scene->mMeshes[m]->mFaces[f].mNumIndices == 0)
                return false;
    return true;
}

// Node transformations are applied, points and lines are split off; normals and materials do not
// matter. Null where assimp refuses the file.
static const struct aiScene *read_scene(const char *path)
{
    const struct aiScene *scene = aiImportFile(path, aiProcess_ValidateDataStructure);
    if (scene && !has_corners(scene)) {
        aiReleaseImport(scene);
        return NULL;
    }
    return scene ? aiApplyPostProcessing(scene, aiProcess_Triangulate |
                                                    aiProcess_PreTransformVertices |
                                                    aiProcess_SortByPType)
                 : NULL;
}

carom_status carom_import_triangles(const char *path, double scale, carom_mesh_source *out,
                                    carom_error *err)
{
    NEED(err, path);
    NEED(err, out);
    *out = (carom_mesh_source){ 0 };
    TRY(carom_shape_positive(scale, "the scale of a mesh file", err));
    TRY(check_ply(path, err));
    const struct aiScene *scene = read_scene(path);
    if (!scene) {
        bool missing = access(path, R_OK) != 0;
        carom_error_set(err, CAROM_IO_FAILED, "the mesh cannot be read: %s",
                        missing               ? strerror(errno)
                        : *aiGetErrorString() ? aiGetErrorString()
                                              : "a face has no corners");
        carom_error_where(err, "%s", path);
        return carom_error_fix(err, missing ? "check the name and that you may read the file"
                                            : "give a mesh that assimp reads: OBJ, PLY, STL, OFF");
    }
    gathered all = { 0 };
    carom_status status = count_all(scene, &all, err);
    if (status == CAROM_OK)
        copy_all(scene, scale, &all);
    aiReleaseImport(scene);
    *out = (carom_mesh_source){ all.vertex, all.triangle, all.vertex_count, all.triangle_count };
    if (status == CAROM_OK)
        return CAROM_OK;
    carom_import_free(out);
    carom_error_where(err, "%s", path);
    return status;
}

void carom_import_free(carom_mesh_source *source)
{
    if (!source)
        return;
    free((void *)source->vertices);
    free((void *)source->triangles);
    *source = (carom_mesh_source){ 0 };
}

carom_status carom_import_mesh(const char *path, double scale, carom_mesh_policy policy,
                               carom_mesh_report *report, carom_shape **out, carom_error *err)
{
    NEED(err, path);
    NEED(err, out);
    carom_mesh_source source;
    *out = NULL;
    if (report)
        *report = (carom_mesh_report){ 0 };
    TRY(carom_import_triangles(path, scale, &source, err));
    carom_status status = carom_mesh_create(&source, policy, report, out, err);
    carom_import_free(&source);
    return status == CAROM_OK ? status : carom_error_where(err, "%s", path);
}

static carom_status count_all(const struct aiScene *scene, gathered *all, carom_error *err)
{
    double vertices = 0, triangles = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
        if (!(scene->mMeshes[m]->mPrimitiveTypes & aiPrimitiveType_TRIANGLE))
            continue;
        vertices += scene->mMeshes[m]->mNumVertices;
        triangles += scene->mMeshes[m]->mNumFaces;
    }
    if (vertices < 1 || triangles < 1) {
        carom_error_set(err, CAROM_BAD_INPUT, "the file holds no triangles");
        return carom_error_fix(err, "export the model as a triangle mesh");
    }
    if (vertices > VERTICES_MOST || triangles > TRIANGLES_MOST) {
        carom_error_set(err, CAROM_NO_MEMORY, "the file holds %.0f triangles, at most %d are read",
                        triangles, TRIANGLES_MOST);
        return carom_error_fix(err, "simplify the model");
    }
    all->vertex = malloc(3 * (size_t)vertices * sizeof *all->vertex);
    all->triangle = malloc(3 * (size_t)triangles * sizeof *all->triangle);
    if (!all->vertex || !all->triangle)
        return carom_error_set(err, CAROM_NO_MEMORY, "no memory for %.0f triangles", triangles);
    return CAROM_OK;
}

static void copy_all(const struct aiScene *scene, double scale, gathered *all)
{
    for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        if (!(mesh->mPrimitiveTypes & aiPrimitiveType_TRIANGLE))
            continue;
        int base = all->vertex_count;
        for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
            double *at = all->vertex + 3 * (size_t)all->vertex_count++;
            at[0] = scale * (double)mesh->mVertices[v].x;
            at[1] = scale * (double)mesh->mVertices[v].y;
            at[2] = scale * (double)mesh->mVertices[v].z;
        }
        for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
            if (mesh->mFaces[f].mNumIndices != 3)
                continue;
            int *corner = all->triangle + 3 * (size_t)all->triangle_count++;
            for (int k = 0; k < 3; ++k)
                corner[k] = base + (int)mesh->mFaces[f].mIndices[k];
        }
    }
}
