#include "gallery/gallery.h"
const carom_gallery_paper carom_gallery_bounce = {
    "Bounce",
    "Wang, Setaluri, James and Pai, Bounce Maps: An Improved Restitution Model for Real-Time "
    "Rigid-Body Impact",
    NULL, 0
};
