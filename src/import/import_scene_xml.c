// XML files by their root element.
#include "import/import_scene.h"
#include "import/mjcf.h"
#include "import/scisim.h"
#include "import/urdf.h"
#include "import/xml.h"

carom_status carom_import_scene_xml(const carom_import_scene_source *s, carom_draft *draft,
                                    const char **kind, carom_error *err)
{
    carom_xml_element *root;
    TRY(carom_xml_parse(s->name, s->bytes, s->size, draft->memory, &root, err));
    if (carom_scisim_is(root)) {
        *kind = "SCISim";
        return carom_scisim_read(root, draft, err);
    }
    if (carom_xml_is(root, "mujoco")) {
        *kind = "MuJoCo";
        return carom_mjcf_read(root, draft, err);
    }
    if (carom_xml_is(root, "robot")) {
        *kind = "URDF";
        return carom_urdf_read(root, draft, err);
    }
    return carom_xml_beyond(root, err, "this XML is of no kind that is read: SCISim, MJCF, URDF");
}
