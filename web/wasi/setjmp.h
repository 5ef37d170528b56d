// qhull leaves by longjmp where it cannot go on. WebAssembly of wasi-libc has no such jump: the
// module ends instead, and the page that holds it begins anew with another. Carom asks qhull only
// for hulls of points it has looked at.
#ifndef CAROM_WEB_SETJMP_H
#define CAROM_WEB_SETJMP_H

typedef int jmp_buf[1];
#define setjmp(place) ((place)[0] = 0)
#define longjmp(place, value) __builtin_trap()

#endif
