// No terminal, and so no width of one.
#ifndef CAROM_WEB_SYS_IOCTL_H
#define CAROM_WEB_SYS_IOCTL_H

enum { TIOCGWINSZ = 1 };
struct winsize {
    unsigned short ws_row, ws_col;
};
static inline int ioctl(int file, int request, struct winsize *size)
{
    (void)file, (void)request, (void)size;
    return -1;
}

#endif
