// A page that plays a film of a tower: canvas, slider, energy curve. No network, no libraries.
#include "record/tower_picture.h"
#include "draw/page.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FRAMES = 600 };

static const char markup[] =
    "<div class=\"player\"><canvas id=\"stage\" width=\"1100\" height=\"620\" role=\"img\" "
    "aria-label=\"the tower in motion\"></canvas>\n"
    "<p><button id=\"play\">Play</button> <input id=\"time\" type=\"range\" min=\"0\" value=\"0\" "
    "aria-label=\"time\"> <output id=\"clock\"></output>\n"
    "<label>speed <select id=\"speed\"><option value=\"0.25\">1/4</option><option "
    "value=\"0.5\">1/2</option>"
    "<option value=\"1\" selected>1</option><option value=\"2\">2</option><option "
    "value=\"4\">4</option>"
    "</select></label></p>\n"
    "<canvas id=\"chart\" width=\"1100\" height=\"160\" role=\"img\" aria-label=\"energy over "
    "time\"></canvas>"
    "</div>\n<style>canvas{width:100%;border:1px solid "
    "var(--line);border-radius:4px;background:var(--paper)}"
    "button,select{font:inherit;padding:.15rem "
    ".9rem}#time{width:min(28rem,50%)}output{white-space:pre}</style>\n";

// F: places as whole numbers (x, y in 1e-5 lengths, angle in 1e-5 radians), differences from frame
// to frame.
static const char script[] =
    "const css=n=>getComputedStyle(document.documentElement).getPropertyValue(n).trim();\n"
    "const stage=document.getElementById('stage'),chart=document.getElementById('chart'),"
    "slider=document.getElementById('time'),clock=document.getElementById('clock'),"
    "button=document.getElementById('play'),speed=document.getElementById('speed');\n"
    "const frames=[];{let last=new Array(3*D.bodies).fill(0);for(const f of D.frames)"
    "{last=last.map((v,i)=>v+f[i]);frames.push(last.map(v=>v/1e5));}}\n"
    "slider.max=frames.length-1;slider.step=1;let now=0,playing=false,before=0;\n"
    "const w=D.window;stage.height=Math.max(240,Math.min(620,stage.width*(w[3]-w[2])/(w[1]-w[0])));"
    "const scale=Math.min(stage.width/(w[1]-w[0]),stage.height/(w[3]-w[2]));\n"
    "const px=(x,y)=>[(x-(w[0]+w[1])/2)*scale+stage.width/2,stage.height-(y-w[2])*scale];\n"
    "function path(c,points){c.beginPath();points.forEach((p,i)=>{const q=px(p[0],p[1]);"
    "i?c.lineTo(q[0],q[1]):c.moveTo(q[0],q[1]);});c.closePath();}\n"
    "function draw(){const "
    "k=Math.min(Math.floor(now),frames.length-1),f=frames[k],c=stage.getContext('2d');"
    "c.clearRect(0,0,stage.width,stage.height);const ink=css('--ink'),line=css('--line');\n"
    "c.strokeStyle=ink;c.lineWidth=1.5;for(const g of D.planes){const "
    "a=px(g[0],g[1]),b=px(g[2],g[3]);"
    "c.beginPath();c.moveTo(a[0],a[1]);c.lineTo(b[0],b[1]);c.stroke();}\n"
    "c.fillStyle=line;for(const t of D.tables){path(c,t);c.fill();}\n"
    "D.shapes.forEach((s,b)=>{const x=f[3*b],y=f[3*b+1],a=f[3*b+2],C=Math.cos(a),S=Math.sin(a);"
    "if(s.length<2){const "
    "q=px(x,y);c.beginPath();c.arc(q[0],q[1],6,0,7);c.fillStyle=ink;c.fill();return;}"
    "path(c,s.map(p=>[x+C*p[0]-S*p[1],y+S*p[0]+C*p[1]]));"
    "c.fillStyle='hsl('+(205+40*((b*7)%5)/5)+' 55% 55% / "
    ".55)';c.fill();c.lineWidth=1;c.strokeStyle=ink;"
    "c.stroke();});\n"
    "c.lineWidth=2;c.strokeStyle=ink;for(const r of D.bars){const e=r.map(n=>{if(n[0]<0)return "
    "px(n[1],n[2]);"
    "const x=f[3*n[0]],y=f[3*n[0]+1],a=f[3*n[0]+2],C=Math.cos(a),S=Math.sin(a);"
    "return px(x+C*n[1]-S*n[2],y+S*n[1]+C*n[2]);});"
    "c.beginPath();c.moveTo(e[0][0],e[0][1]);c.lineTo(e[1][0],e[1][1]);c.stroke();}\n"
    "slider.value=k;clock.textContent='t = '+D.time[k].toFixed(3)+'   energy '+"
    "(D.kinetic[k]+D.potential[k]).toFixed(4)+'   overlap "
    "'+D.penetration[k].toExponential(1);plot(k);}\n"
    "function plot(k){const c=chart.getContext('2d'),W=chart.width,H=chart.height,n=D.time.length;"
    "c.clearRect(0,0,W,H);const T=D.time[n-1]||1,E=D.kinetic.map((v,i)=>v+D.potential[i]);"
    "const top=Math.max(...E,...D.kinetic)*1.05||1,bottom=Math.min(0,...D.potential);\n"
    "const at=(t,e)=>[46+(W-60)*t/T,H-18-(H-30)*(e-bottom)/(top-bottom)];\n"
    "const curve=(v,color)=>{c.strokeStyle=color;c.lineWidth=1.8;c.beginPath();v.forEach((e,i)=>{"
    "const p=at(D.time[i],e);i?c.lineTo(p[0],p[1]):c.moveTo(p[0],p[1]);});c.stroke();};\n"
    "curve(E,css('--ink'));curve(D.potential,'#1f6fb2');curve(D.kinetic,'#c4352b');"
    "c.fillStyle=css('--mid');c.font='12px system-ui';c.fillText('energy: all (ink), potential "
    "(blue), kinetic (red)',50,14);"
    "c.fillText(top.toPrecision(3),4,18);c.fillText(bottom.toPrecision(3),4,H-16);const "
    "p=at(D.time[k],bottom);"
    "c.strokeStyle=css('--mid');c.lineWidth=1;c.beginPath();c.moveTo(p[0],10);c.lineTo(p[0],H-18);"
    "c.stroke();}\n"
    "function tick(t){if(!playing)return;const dt=(t-before)/1000*speed.value;before=t;"
    "const length=D.time[frames.length-1]/(frames.length-1||1);now+=length>0?dt/length:1;"
    "if(now>=frames.length-1){now=frames.length-1;playing=false;button.textContent='Play';}"
    "draw();requestAnimationFrame(tick);}\n"
    "button.onclick=()=>{playing=!playing;button.textContent=playing?'Pause':'Play';"
    "if(playing){if(now>=frames.length-1)now=0;before=performance.now();requestAnimationFrame(tick)"
    ";}};\n"
    "slider.oninput=()=>{playing=false;button.textContent='Play';now=+slider.value;draw();};\n"
    "matchMedia('(prefers-color-scheme:dark)').addEventListener('change',draw);draw();\n";

static void add_list(carom_text *text, const char *name, const double *values, int stride,
                     int count)
{
    carom_text_add(text, "%s:[", name);
    for (int n = 0; n < count; ++n)
        carom_text_add(text, "%s%.6g", n ? "," : "", values[n * stride]);
    carom_text_add(text, "],");
}

static void add_shapes(carom_text *text, const carom_tower *t)
{
    carom_text_add(text, "shapes:[");
    for (int b = 0; b < t->public_bodies; ++b) {
        double corner[2 * CAROM_TOWER_MOST_CORNERS];
        int count = carom_tower_picture_corners(t, b, (double[]){ 0, 0, 0 }, corner);
        carom_text_add(text, "%s[", b ? "," : "");
        for (int v = 0; v < count; ++v)
            carom_text_add(text, "%s[%.6g,%.6g]", v ? "," : "", corner[2 * v], corner[2 * v + 1]);
        carom_text_add(text, "]");
    }
    carom_text_add(text, "],");
}

static void add_supports(carom_text *text, const carom_tower *t, const tower_window *w)
{
    carom_text_add(text, "planes:[");
    for (int h = 0; h < t->planes; ++h) {
        const tower_plane *p = &t->plane[h];
        bool wall = fabs(p->nx) > 0.5;
        carom_text_add(text, "%s[%.6g,%.6g,%.6g,%.6g]", h ? "," : "", wall ? p->x : w->low_x,
                       wall ? w->low_y : p->y, wall ? p->x : w->high_x, wall ? w->high_y : p->y);
    }
    carom_text_add(text, "],tables:[");
    for (int s = 0, first = 1; s < t->shapes; ++s) {
        if (t->shape[s].owner >= 0)
            continue;
        carom_text_add(text, "%s[", first ? "" : ",");
        first = 0;
        for (int v = 0; v < t->shape[s].count; ++v) {
            const tower_anchor *a = &t->anchor[tower_corner(t, &t->shape[s], v)];
            carom_text_add(text, "%s[%.6g,%.6g]", v ? "," : "",
                           fmin(fmax(t->body[a->body].x + a->rx, w->low_x), w->high_x),
                           fmin(fmax(t->body[a->body].y + a->ry, w->low_y), w->high_y));
        }
        carom_text_add(text, "]");
    }
    carom_text_add(text, "],bars:[");
    for (int n = 0; n < t->bars; ++n) {
        carom_text_add(text, "%s[", n ? "," : "");
        for (int k = 0; k < 2; ++k) {
            const tower_anchor *a = &t->anchor[k ? t->bar[n].b : t->bar[n].a];
            carom_text_add(text, "%s[%d,%.6g,%.6g]", k ? "," : "",
                           a->body < t->public_bodies ? a->body : -1, a->rx, a->ry);
        }
        carom_text_add(text, "]");
    }
    carom_text_add(text, "],");
}

// Frames as differences of whole numbers: what hardly moves costs two bytes a coordinate.
static void add_frames(carom_text *text, const carom_tower_film *film, int every)
{
    size_t size = 3 * (size_t)film->bodies;
    carom_text_add(text, "frames:[");
    for (int n = 0; n < film->frames; n += every) {
        const double *now = film->place + (size_t)n * size,
                     *before = n ? now - (size_t)every * size : 0;
        carom_text_add(text, "%s[", n ? "," : "");
        for (size_t i = 0; i < size; ++i)
            carom_text_add(text, "%s%lld", i ? "," : "",
                           llround(1e5 * now[i]) - (before ? llround(1e5 * before[i]) : 0));
        carom_text_add(text, "]");
    }
    carom_text_add(text, "],");
}

static void add_player(carom_text *text, const carom_tower *t, const carom_tower_film *film)
{
    tower_window w = carom_tower_picture_window(t, film);
    int every = (film->frames + MOST_FRAMES - 1) / MOST_FRAMES;
    int count = (film->frames + every - 1) / every;
    carom_text_add(text, "%s<script>\nconst D={bodies:%d,window:[%.6g,%.6g,%.6g,%.6g],", markup,
                   film->bodies, w.low_x, w.high_x, w.low_y, w.high_y);
    add_shapes(text, t);
    add_supports(text, t, &w);
    add_frames(text, film, every);
    add_list(text, "time", film->time, every, count);
    add_list(text, "kinetic", film->kinetic, every, count);
    add_list(text, "potential", film->potential, every, count);
    add_list(text, "penetration", film->penetration, every, count);
    carom_text_add(text, "};\n%s</script>\n", script);
}

static void add_table(carom_text *text, const carom_tower_film *film)
{
    const carom_tower_audit *a = &film->audit;
    char cell[10][48];
    const char *rows[2 * 11] = { "audit", "value" };
    static const char *const names[10] = { "steps",
                                           "deepest overlap",
                                           "energy at the start",
                                           "energy gained, all steps",
                                           "largest size error",
                                           "largest residual of the quadratic program",
                                           "raw asymmetry of the solver",
                                           "mirror symmetric to the last bit",
                                           "first touch of a support, t",
                                           "solver time, ms per step" };
    snprintf(cell[0], sizeof cell[0], "%ld", a->steps);
    snprintf(cell[1], sizeof cell[1], "%.2e", a->penetration);
    snprintf(cell[2], sizeof cell[2], "%.6g", a->energy_start);
    snprintf(cell[3], sizeof cell[3], "%.2e", a->energy_gain_total);
    snprintf(cell[4], sizeof cell[4], "%.1e", a->size_error);
    snprintf(cell[5], sizeof cell[5], "%.1e", a->kkt);
    snprintf(cell[6], sizeof cell[6], "%.1e", a->asymmetry);
    snprintf(cell[7], sizeof cell[7], "%s",
             a->symmetric ? (film->bitwise ? "yes" : "no") : "not symmetric");
    snprintf(cell[8], sizeof cell[8], "%.4f", a->first_contact_with_support);
    snprintf(cell[9], sizeof cell[9], "%.3f", a->steps ? a->qp_ms / (double)a->steps : 0);
    for (int n = 0; n < 10; ++n) {
        rows[2 * n + 2] = names[n];
        rows[2 * n + 3] = cell[n];
    }
    carom_page_table(text, rows, 11, 2);
}

carom_status carom_tower_player_html(const carom_tower *t, const carom_tower_instant *instant,
                                     const carom_tower_film *film, const char *title, char **html,
                                     carom_error *err)
{
    carom_text text = { 0 }, svg = { 0 };
    *html = 0;
    carom_page_begin(&text, title ? title : "Tower", 0);
    if (film && film->frames > 1) {
        carom_page_section(&text, "The motion",
                           "Frictionless unless said, totally inelastic impacts.");
        add_player(&text, t, film);
        add_table(&text, film);
    }
    carom_page_section(&text, "The first instant", 0);
    carom_tower_picture_draw(&svg, t, instant, film, title);
    carom_page_picture(
        &text, &svg,
        "Line width: contact force. Dashed: where the bodies start to go, exaggerated. Rings: "
        "contacts that open.");
    carom_page_end(&text);
    carom_text_free(&svg);
    carom_status status = carom_text_status(&text, err);
    if (status == CAROM_OK)
        *html = text.bytes;
    else
        carom_text_free(&text);
    return status;
}
