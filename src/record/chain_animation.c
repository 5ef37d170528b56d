// A chain as a moving picture in a page: bodies with their strain in colour, forces at the
// contacts.
//
// Bodies of steel move by micrometres; displacements are therefore shown magnified so that the
// farthest is about half of a mean body long, and the factor is written below. All data is in the
// page, the drawing is plain canvas.
#include "record/chain_panels.h"

#include <math.h>

enum { MOST_FRAMES = 240 };

static const char script[] =
    "(function(){const D=JSON.parse(document.getElementById('chain-data').textContent),"
    "cv=document.getElementById('chain-view'),g=cv.getContext('2d'),"
    "sl=document.getElementById('chain-time'),bt=document.getElementById('chain-play'),"
    "lb=document.getElementById('chain-label'),N=D.time.length;let f=0,on=false,last=0;\n"
    "const css=n=>getComputedStyle(document.documentElement).getPropertyValue(n)||'#888';\n"
    // world to canvas
    "let lo=1/0,hi=-1/0;D.frames.forEach(r=>r.forEach(x=>{if(x<lo)lo=x;if(x>hi)hi=x}));"
    "const pad=.04*(hi-lo||1);lo-=pad;hi+=pad;\n"
    "function colour(s){const a=Math.min(1,Math.abs(s)/(D.strain||1));"
    "return s>=0?`rgba(196,53,43,${a})`:`rgba(31,111,178,${a})`}\n"
    "function draw(){const W=cv.width,H=cv.height,X=x=>(x-lo)/(hi-lo)*W,mid=H*.4,"
    "px=W/(hi-lo),R=D.frames[f],ink=css('--ink'),line=css('--mid');g.clearRect(0,0,W,H);"
    "const hMax=Math.max(...D.bodies.map(b=>b.radius)),hs=Math.min(px,H*.3/(hMax||1));\n"
    "D.bodies.forEach((b,i)=>{const "
    "p=R.slice(D.first[i],D.first[i+1]),q=D.frames[0].slice(D.first[i],D.first[i+1]);"
    "g.lineWidth=1.5;g.strokeStyle=ink;g.fillStyle=css('--soft');\n"
    "if(b.kind=='wall'){g.fillStyle=line;const "
    "x=X(p[0]);g.fillRect(i?x:x-10,mid-H*.32,10,H*.64);return}\n"
    "if(b.kind=='mass'){const r=Math.max(4,(p[1]-p[0])/2*px),c=X((p[0]+p[1])/2);g.beginPath();"
    "g.ellipse(c,mid,r,Math.min(r,H*.3),0,0,7);g.fill();g.stroke();return}\n"
    "for(let k=0;k+1<p.length;k++){const x0=X(p[k]),x1=X(p[k+1]),rest=q[k+1]-q[k],"
    "s=rest?D.rest*(1-(p[k+1]-p[k])/rest):0,t=b.kind=='sphere'?((q[k]+q[k+1])/"
    "2-(q[0]+q[p.length-1])/2)/"
    "((q[p.length-1]-q[0])/2||1):0,h=Math.sqrt(Math.max(.02,1-t*t))*b.radius*hs;"
    "g.fillStyle=css('--soft');g.fillRect(x0,mid-h,x1-x0+.6,2*h);g.fillStyle=colour(s);g.fillRect("
    "x0,mid-h,x1-x0+.6,2*h);"
    "if(b.kind=='cylinder'&&k==0)g.strokeRect(X(p[0]),mid-h,X(p[p.length-1])-X(p[0]),2*h)}});\n"
    // contact forces as discs, velocities as arrows below
    "D.force[f].forEach((F,c)=>{if(!(F>0))return;const "
    "x=(X(R[D.first[c+1]-1])+X(R[D.first[c+1]]))/2;"
    "g.fillStyle='#c4352b';g.beginPath();g.arc(x,mid,2+9*Math.sqrt(F/D.peak),0,7);g.fill()});\n"
    "g.font='13px system-ui,sans-serif';g.textAlign='center';"
    "D.bodies.forEach((b,i)=>{if(b.kind=='wall')return;const "
    "x=X((R[D.first[i]]+R[D.first[i+1]-1])/2),"
    "v=D.velocity[f][i],L=v/"
    "D.fastest*W*.07,y=H*(.8+.1*(i%2));g.strokeStyle=g.fillStyle=ink;g.lineWidth=2;g.beginPath();"
    "g.moveTo(x,y);g.lineTo(x+L,y);g.stroke();if(Math.abs(L)>3){const "
    "d=Math.sign(L);g.beginPath();g.moveTo(x+L+4*d,y);"
    "g.lineTo(x+L-4*d,y-4);g.lineTo(x+L-4*d,y+4);g.fill()}g.fillText(b.name+': "
    "'+v.toFixed(3),x,y+17)});\n"
    "lb.textContent='t = '+D.time[f].toPrecision(4)+' s';sl.value=f}\n"
    "function "
    "tick(t){if(!on)return;if(t-last>33){last=t;f=(f+1)%N;draw();if(f==N-1){on=false;bt."
    "textContent='Play';return}}"
    "requestAnimationFrame(tick)}\n"
    "bt.onclick=()=>{on=!on;if(on&&f==N-1)f=0;bt.textContent=on?'Pause':'Play';if(on)"
    "requestAnimationFrame(tick)};"
    "sl.oninput=()=>{f=+sl.value;draw()};sl.max=N-1;"
    "function "
    "size(){cv.width=cv.clientWidth*(window.devicePixelRatio||1);cv.height=cv.width*.28;draw()}"
    "window.onresize=size;size();"
    "const at=location.hash.match(/frame=(\\d+)/);if(at){f=Math.min(N-1,+at[1]);draw()}})();";

static const char *const kind_words[] = { "mass", "sphere", "cylinder", "wall" };

// What the page needs to know about the whole history at once.
typedef struct scales {
    double magnify, peak, strain, fastest;
    size_t stride;
} scales;

// Where point p of body b would be at the start with all gaps closed.
static double closed_place(const carom_chain_report *report, const carom_chain_history *h, size_t b,
                           size_t p)
{
    double gaps = 0;
    for (size_t c = 0; c < b; c++)
        gaps += report->chain->contacts[c].gap;
    return h->point_position[p] - gaps;
}

static scales measure(const carom_chain_report *report, const carom_chain_history *h)
{
    scales s = { .magnify = 1, .peak = 1e-300, .fastest = 1e-300 };
    double length = 0;
    double farthest = 0;
    for (size_t b = 0; b < h->bodies; b++)
        length += carom_chain_body_length(&report->chain->bodies[b]) / (double)h->bodies;
    for (size_t r = 0; r < h->samples; r++) {
        const double *row = h->point_position + r * h->points;
        for (size_t b = 0; b < h->bodies; b++) {
            size_t face = h->first_point[b];
            farthest = fmax(farthest, fabs(row[face] - closed_place(report, h, b, face)));
            for (size_t p = h->first_point[b]; p + 1 < h->first_point[b + 1]; p++) {
                double rest = h->point_position[p + 1] - h->point_position[p];
                if (rest > 0)
                    s.strain = fmax(s.strain, fabs(1 - (row[p + 1] - row[p]) / rest));
            }
        }
    }
    for (size_t i = 0; i < h->samples * h->contacts; i++)
        s.peak = fmax(s.peak, h->force[i]);
    for (size_t i = 0; i < h->samples * h->bodies; i++)
        s.fastest = fmax(s.fastest, fabs(h->velocity[i]));
    if (farthest > 0 && farthest < length / 2)
        s.magnify = length / 2 / farthest;
    s.stride = (h->samples + MOST_FRAMES - 1) / MOST_FRAMES;
    return s;
}

// Rows of an array of the history as a JSON member.
static void write_rows(carom_text *text, const char *key, const carom_chain_history *h,
                       const double *values, size_t width, size_t stride)
{
    carom_text_add(text, ",\"%s\":[", key);
    for (size_t r = 0; r < h->samples; r += stride) {
        carom_text_add(text, r ? ",[" : "[");
        for (size_t i = 0; i < width; i++)
            carom_text_add(text, "%s%.5g", i ? "," : "", values[r * width + i]);
        carom_text_add(text, "]");
    }
    carom_text_add(text, "]");
}

static void write_frames(carom_text *text, const carom_chain_report *report,
                         const carom_chain_history *h, const scales *s)
{
    carom_text_add(text, ",\"frames\":[");
    for (size_t r = 0; r < h->samples; r += s->stride) {
        carom_text_add(text, r ? ",[" : "[");
        for (size_t b = 0; b < h->bodies; b++)
            for (size_t p = h->first_point[b]; p < h->first_point[b + 1]; p++) {
                double place = closed_place(report, h, b, p);
                double shown = place + s->magnify * (h->point_position[r * h->points + p] - place);
                carom_text_add(text, "%s%.6g", p ? "," : "", shown);
            }
        carom_text_add(text, "]");
    }
    carom_text_add(text, "]");
}

static void write_data(const carom_chain_report *report, const carom_chain_history *h,
                       const scales *s, carom_text *text)
{
    carom_text_add(text, "<script type=\"application/json\" id=\"chain-data\">{\"bodies\":[");
    for (size_t b = 0; b < h->bodies; b++) {
        const carom_chain_body *body = &report->chain->bodies[b];
        carom_text_add(text, "%s{\"kind\":\"%s\",\"radius\":%.6g,\"name\":", b ? "," : "",
                       kind_words[body->kind], body->radius);
        // A name may hold "</script>": its "<" is written as an escape that JSON knows.
        carom_text name = { 0 };
        carom_text_add_quoted(&name, report->names ? report->names[b] : "");
        for (size_t i = 0; i < name.length; i++)
            if (name.bytes[i] == '<')
                carom_text_add(text, "\\u003c");
            else
                carom_text_add_bytes(text, name.bytes + i, 1);
        carom_text_free(&name);
        carom_text_add(text, "}");
    }
    carom_text_add(text, "],\"first\":[");
    for (size_t b = 0; b <= h->bodies; b++)
        carom_text_add(text, "%s%zu", b ? "," : "", h->first_point[b]);
    carom_text_add(text,
                   "],\"peak\":%.6g,\"strain\":%.6g,\"fastest\":%.6g,\"rest\":%.6g,\"time\":[",
                   s->peak, s->strain, s->fastest, 1 / s->magnify);
    for (size_t r = 0; r < h->samples; r += s->stride)
        carom_text_add(text, "%s%.6g", r ? "," : "", h->time[r]);
    carom_text_add(text, "]");
    write_frames(text, report, h, s);
    write_rows(text, "force", h, h->force, h->contacts, s->stride);
    write_rows(text, "velocity", h, h->velocity, h->bodies, s->stride);
    carom_text_add(text, "}</script>\n");
}

void carom_chain_animation_write(const carom_chain_report *report, const carom_chain_result *result,
                                 carom_text *text)
{
    scales s = measure(report, &result->history);
    carom_text_add(text,
                   "<figure><canvas id=\"chain-view\" style=\"width:100%%;display:block\"></canvas>"
                   "<div><button id=\"chain-play\">Play</button> <input type=\"range\" "
                   "id=\"chain-time\" min=\"0\" "
                   "value=\"0\" aria-label=\"time\"> <span id=\"chain-label\"></span></div>"
                   "<figcaption>Red is compressed, blue is stretched; red dots are contact forces; "
                   "arrows are the "
                   "velocities of the centres of mass (m/s).");
    if (s.magnify > 1)
        carom_text_add(text, " Displacements are magnified %.3g times.", s.magnify);
    carom_text_add(text, "</figcaption></figure>\n");
    write_data(report, &result->history, &s, text);
    carom_text_add(text, "<script>%s</script>\n", script);
}
