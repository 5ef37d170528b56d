#include "gallery/gallery.h"
const carom_gallery_paper carom_gallery_tower = { "Collapse", "Rote and Zwick, Collapse", NULL, 0 };
