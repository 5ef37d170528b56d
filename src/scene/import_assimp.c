// Surface meshes of every form that assimp reads, in single precision as it holds them. assimp is
// loaded when a mesh first needs it.
#include "scene/import_source.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "base/dynamic_library.h"
#include "built.h"

static __typeof__(aiImportFile) *import_file;
static __typeof__(aiReleaseImport) *release_import;
static __typeof__(aiGetErrorString) *error_string;

static const carom_dynamic_symbol symbols[] = {
    { "aiImportFile", &import_file },
    { "aiReleaseImport", &release_import },
    { "aiGetErrorString", &error_string },
};

static carom_status copy_mesh(const struct aiMesh *mesh, carom_import_source *s, carom_error *err)
{
    carom_cursor nowhere =
        carom_cursor_make("the mesh", "", 0, "export the model as a triangle mesh");
    int base = s->vertex_count;
    for (unsigned v = 0; v < mesh->mNumVertices; ++v) {
        const double at[3] = { (double)mesh->mVertices[v].x, (double)mesh->mVertices[v].y,
                               (double)mesh->mVertices[v].z };
        TRY(carom_import_source_vertex(s, at, err));
    }
    for (unsigned f = 0; f < mesh->mNumFaces; ++f) {
        if (mesh->mFaces[f].mNumIndices != 3)
            continue;
        for (int k = 0; k < 3; ++k)
            TRY(carom_import_source_corner(s, &nowhere,
                                           base + (long long)mesh->mFaces[f].mIndices[k], err));
        TRY(carom_import_source_polygon(s, err));
    }
    return CAROM_OK;
}

carom_status carom_import_assimp_read(const char *path, carom_import_source *s, carom_error *err)
{
    TRY(carom_dynamic_library_load(CAROM_ASSIMP_FILE, symbols, sizeof symbols / sizeof *symbols,
                                   err));
    // Node transformations are applied, points and lines are split off; normals and materials do
    // not matter.
    const struct aiScene *scene = import_file(
        path, aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_SortByPType);
    if (!scene) {
        bool missing = access(path, R_OK) != 0;
        carom_error_set(err, CAROM_IO_FAILED, "the mesh cannot be read: %s",
                        missing ? strerror(errno) : error_string());
        return carom_error_fix(err, missing ? "check the name and that you may read the file"
                                            : "give a mesh that assimp reads: OBJ, PLY, STL, OFF");
    }
    carom_status status = CAROM_OK;
    for (unsigned m = 0; m < scene->mNumMeshes && status == CAROM_OK; ++m)
        if (scene->mMeshes[m]->mPrimitiveTypes & aiPrimitiveType_TRIANGLE)
            status = copy_mesh(scene->mMeshes[m], s, err);
    release_import(scene);
    return status;
}
