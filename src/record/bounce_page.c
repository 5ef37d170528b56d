// A bounce map as a page: the coloured model turns under the mouse and tells its values. One file,
// plain WebGL, no libraries, no network.
//
// Data travel as base64: vertices as 16-bit fractions of the bounding box, triangles as 32-bit
// numbers, epsilon as 16 bits, contact times as 32-bit floats.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "draw/page.h"
#include "record/bounce_picture.h"

static const char markup[] =
    "<div class=\"model\"><canvas id=\"model\" width=\"1100\" height=\"620\" tabindex=\"0\" "
    "role=\"img\" aria-label=\"the body coloured by restitution; drag or use the arrow keys to "
    "turn it\"></canvas><canvas id=\"ramp\" width=\"1100\" height=\"34\" role=\"img\" "
    "aria-label=\"colours from restitution 0 to 1\"></canvas>"
    "<p><output id=\"value\">Move over the body to read it; drag to turn, wheel to "
    "zoom.</output></p></div>\n"
    "<style>.model canvas{width:100%;display:block;background:var(--soft);border-radius:4px;"
    "touch-action:none}#ramp{margin-top:.4rem;background:none}output{white-space:pre-wrap;"
    "font-variant-numeric:tabular-nums}</style>\n";

static const char script[] =
    "const bytes=s=>{const b=atob(s),u=new Uint8Array(b.length);for(let i=0;i<b.length;i++)"
    "u[i]=b.charCodeAt(i);return u.buffer;};\n"
    "const V=new Uint16Array(bytes(D.vertex)),T=new Uint32Array(bytes(D.triangle)),"
    "E=new Uint16Array(bytes(D.epsilon)),C=new Float32Array(bytes(D.tau)),n=T.length/3;\n"
    "const ramp=D.ramp.map(h=>[h>>16&255,h>>8&255,h&255]);\n"
    "const colour=e=>{const a=Math.min(1,Math.max(0,e))*(ramp.length-1),k=Math.min(ramp.length-2,"
    "Math.floor(a)),f=a-k;return ramp[k].map((x,i)=>x+f*(ramp[k+1][i]-x));};\n"
    "const P=new Float32Array(V.length);for(let i=0;i<V.length;i++)P[i]=D.low[i%3]+"
    "V[i]/65535*(D.high[i%3]-D.low[i%3]);\n"
    "const pos=new Float32Array(9*n),nor=new Float32Array(9*n),col=new Uint8Array(12*n);\n"
    "for(let t=0;t<n;t++){const q=[0,1,2].map(k=>{const v=T[3*t+k];return "
    "[P[3*v],P[3*v+1],P[3*v+2]];}),u=q[1].map((x,i)=>x-q[0][i]),w=q[2].map((x,i)=>x-q[0][i]),"
    "m=[u[1]*w[2]-u[2]*w[1],u[2]*w[0]-u[0]*w[2],u[0]*w[1]-u[1]*w[0]],l=Math.hypot(...m)||1,"
    "c=colour(E[t]/65535);for(let k=0;k<3;k++){for(let i=0;i<3;i++){pos[9*t+3*k+i]=q[k][i];"
    "nor[9*t+3*k+i]=m[i]/l;col[12*t+4*k+i]=c[i];}col[12*t+4*k+3]=255;}}\n"
    "const size=Math.hypot(...D.high.map((h,i)=>h-D.low[i])),mid=D.high.map((h,i)=>(h+D.low[i])/2);"
    "\n"
    "const "
    "canvas=document.getElementById('model'),gl=canvas.getContext('webgl',{antialias:true});\n"
    // view: rotation rows, zoom
    "let R=[[.8,.6,0],[-.29,.38,.88],[.53,-.7,.48]],zoom=2.6;\n"
    "const mul=(A,B)=>A.map(r=>[0,1,2].map(j=>r[0]*B[0][j]+r[1]*B[1][j]+r[2]*B[2][j]));\n"
    "const turn=(dx,dy)=>{const c=Math.cos(dx),s=Math.sin(dx),a=Math.cos(dy),b=Math.sin(dy);"
    "R=mul([[1,0,0],[0,a,-b],[0,b,a]],mul([[c,0,s],[0,1,0],[-s,0,c]],R));draw();};\n"
    "let prog=null;if(gl){const make=(k,s)=>{const h=gl.createShader(k);gl.shaderSource(h,s);"
    "gl.compileShader(h);return h;};prog=gl.createProgram();gl.attachShader(prog,make("
    "gl.VERTEX_SHADER,'attribute vec3 p,m;attribute vec4 c;uniform mat3 r;uniform vec3 o;uniform "
    "vec2 s;varying vec3 v;void main(){vec3 q=r*(p-o);float l=.55+.45*abs((r*m).z);v=c.rgb*l;"
    "gl_Position=vec4(q.xy*s,-q.z*s.y*.3,1.);}'));gl.attachShader(prog,make(gl.FRAGMENT_SHADER,"
    "'precision mediump float;varying vec3 v;void main(){gl_FragColor=vec4(v,1.);}'));"
    "gl.linkProgram(prog);gl.useProgram(prog);const put=(name,data,k,type,norm)=>{const "
    "b=gl.createBuffer();gl.bindBuffer(gl.ARRAY_BUFFER,b);gl.bufferData(gl.ARRAY_BUFFER,data,"
    "gl.STATIC_DRAW);const a=gl.getAttribLocation(prog,name);gl.enableVertexAttribArray(a);"
    "gl.vertexAttribPointer(a,k,type,norm,0,0);};put('p',pos,3,gl.FLOAT,false);put('m',nor,3,"
    "gl.FLOAT,false);put('c',col,4,gl.UNSIGNED_BYTE,true);gl.enable(gl.DEPTH_TEST);}\n"
    "const flat=gl?null:canvas.getContext('2d');\n"
    "const scale=()=>zoom*canvas.height/2/(size/2)*.55;\n"
    "function draw(){const k=scale(),W=canvas.width,H=canvas.height;if(gl){gl.viewport(0,0,W,H);"
    "gl.clearColor(0,0,0,0);gl.clear(gl.COLOR_BUFFER_BIT|gl.DEPTH_BUFFER_BIT);"
    "gl.uniformMatrix3fv(gl.getUniformLocation(prog,'r'),false,[0,1,2].flatMap(j=>R.map(r=>r[j])));"
    "gl.uniform3fv(gl.getUniformLocation(prog,'o'),mid);gl.uniform2f(gl.getUniformLocation(prog,"
    "'s'),k*2/W,k*2/H);gl.drawArrays(gl.TRIANGLES,0,3*n);return;}\n"
    // without WebGL: painter's order
    "flat.clearRect(0,0,W,H);const S=screen2d(),order=[...Array(n).keys()].filter(t=>area(S,t)<0)"
    ".sort((a,b)=>S.z[T[3*a]]-S.z[T[3*b]]);for(const t of order){flat.fillStyle='rgb('+"
    "colour(E[t]/65535).map(Math.round)+')';flat.beginPath();for(let i=0;i<3;i++){const v=T[3*t+i];"
    "i?flat.lineTo(S.x[v],S.y[v]):flat.moveTo(S.x[v],S.y[v]);}flat.fill();}}\n"
    "function screen2d(){const k=scale(),m=P.length/3,S={x:new Float32Array(m),y:new "
    "Float32Array(m),z:new Float32Array(m)};for(let v=0;v<m;v++){const q=[P[3*v]-mid[0],"
    "P[3*v+1]-mid[1],P[3*v+2]-mid[2]],d=r=>r[0]*q[0]+r[1]*q[1]+r[2]*q[2];S.x[v]=canvas.width/2+"
    "k*d(R[0]);S.y[v]=canvas.height/2-k*d(R[1]);S.z[v]=d(R[2]);}return S;}\n"
    "const area=(S,t)=>{const [a,b,c]=[T[3*t],T[3*t+1],T[3*t+2]];return (S.x[b]-S.x[a])*(S.y[c]-"
    "S.y[a])-(S.y[b]-S.y[a])*(S.x[c]-S.x[a]);};\n"
    "function pick(x,y){const S=screen2d();let best=-1,depth=-1e30;for(let t=0;t<n;t++){if("
    "area(S,t)>=0)continue;let inside=true,z=0;for(let i=0;i<3&&inside;i++){const a=T[3*t+i],"
    "b=T[3*t+(i+1)%3];inside=(S.x[b]-S.x[a])*(y-S.y[a])-(S.y[b]-S.y[a])*(x-S.x[a])<=0;z+=S.z[a];}"
    "if(inside&&z>depth){depth=z;best=t;}}return best;}\n"
    "let held=null;const at=e=>{const b=canvas.getBoundingClientRect();return [(e.clientX-b.left)*"
    "canvas.width/b.width,(e.clientY-b.top)*canvas.height/b.height];};\n"
    "canvas.onpointerdown=e=>{held=at(e);canvas.setPointerCapture(e.pointerId);};"
    "canvas.onpointerup=()=>held=null;\n"
    "canvas.onpointermove=e=>{const p=at(e);if(held){turn((p[0]-held[0])*.008,(p[1]-held[1])*.008);"
    "held=p;return;}const t=pick(p[0],p[1]),o=document.getElementById('value');if(t<0){"
    "o.textContent='Move over the body to read it; drag to turn, wheel to zoom.';return;}const "
    "c=[0,1,2].map(i=>([0,1,2].reduce((s,k)=>s+P[3*T[3*t+k]+i],0)/3*1e3).toFixed(1));"
    "o.textContent='restitution '+(E[t]/65535).toFixed(4)+'   contact time '+(C[t]*1e6).toFixed(1)+"
    "' us   at ('+c.join(', ')+') mm   face '+t;};\n"
    "canvas.addEventListener('wheel',e=>{e.preventDefault();zoom*=Math.exp(-e.deltaY*.001);draw();}"
    ","
    "{passive:false});\n"
    "canvas.onkeydown=e=>{const k={ArrowLeft:[-.1,0],ArrowRight:[.1,0],ArrowUp:[0,-.1],"
    "ArrowDown:[0,.1]}[e.key];if(k){e.preventDefault();turn(k[0],k[1]);}else if(e.key=='+'||"
    "e.key=='-'){zoom*=e.key=='+'?1.1:1/1.1;draw();}};\n"
    "{const c=document.getElementById('ramp'),x=c.getContext('2d'),ink=getComputedStyle("
    "document.documentElement).getPropertyValue('--ink');for(let i=0;i<500;i++){x.fillStyle='rgb('+"
    "colour(i/500).map(Math.round)+')';x.fillRect(300+i,0,1.5,12);}x.fillStyle=ink;x.font='13px "
    "system-ui';x.textAlign='center';for(let "
    "k=0;k<=5;k++)x.fillText((k/5).toFixed(1),300+100*k,28);"
    "x.textAlign='left';x.fillText('restitution',815,11);}\n"
    "window.bouncePick=pick;draw();\n";

// -- data -----------------------------------------------------------------------------------------

static void add_base64(carom_text *text, const void *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *b = data;
    char line[4 * 256];
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        unsigned word = (unsigned)b[i] << 16;
        word |= i + 1 < size ? (unsigned)b[i + 1] << 8 : 0;
        word |= i + 2 < size ? b[i + 2] : 0;
        line[used++] = digits[word >> 18];
        line[used++] = digits[word >> 12 & 63];
        line[used++] = i + 1 < size ? digits[word >> 6 & 63] : '=';
        line[used++] = i + 2 < size ? digits[word & 63] : '=';
        if (used == sizeof line) {
            carom_text_add_bytes(text, line, used);
            used = 0;
        }
    }
    carom_text_add_bytes(text, line, used);
}

static void add_vertices(carom_text *text, const carom_mesh_source *s)
{
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    uint16_t *place = malloc(3 * (size_t)s->vertex_count * sizeof *place);
    if (!place) {
        text->failed = true;
        return;
    }
    for (int i = 0; i < 3 * s->vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], s->vertices[i]);
        high[i % 3] = fmax(high[i % 3], s->vertices[i]);
    }
    for (int i = 0; i < 3 * s->vertex_count; ++i)
        place[i] =
            (uint16_t)((s->vertices[i] - low[i % 3]) / (high[i % 3] - low[i % 3]) * 65535 + 0.5);
    carom_text_add(text, "low:[%.9g,%.9g,%.9g],high:[%.9g,%.9g,%.9g],vertex:\"", low[0], low[1],
                   low[2], high[0], high[1], high[2]);
    add_base64(text, place, 3 * (size_t)s->vertex_count * sizeof *place);
    free(place);
}

static void add_data(carom_text *text, const carom_bounce_map *map)
{
    carom_mesh_source s = carom_mesh_surface(carom_bounce_map_mesh(map));
    size_t n = (size_t)s.triangle_count;
    uint16_t *epsilon = malloc(n * sizeof *epsilon);
    float *tau = malloc(n * sizeof *tau);
    if (!epsilon || !tau) {
        text->failed = true;
    } else {
        for (size_t f = 0; f < n; ++f) {
            carom_bounce_value v = carom_bounce_map_sample(map, (int)f, NULL, NULL);
            epsilon[f] = (uint16_t)(v.epsilon * 65535 + 0.5);
            tau[f] = (float)v.tau;
        }
        carom_text_add(text, "const D={ramp:[");
        for (int k = 0; k < CAROM_BOUNCE_PICTURE_STOPS; ++k)
            carom_text_add(text, "%s%u", k ? "," : "", carom_bounce_picture_ramp[k]);
        carom_text_add(text, "],");
        add_vertices(text, &s);
        carom_text_add(text, "\",triangle:\"");
        add_base64(text, s.triangles, 3 * n * sizeof *s.triangles);
        carom_text_add(text, "\",epsilon:\"");
        add_base64(text, epsilon, n * sizeof *epsilon);
        carom_text_add(text, "\",tau:\"");
        add_base64(text, tau, n * sizeof *tau);
        carom_text_add(text, "\"};\n");
    }
    free(epsilon);
    free(tau);
}

carom_status carom_bounce_picture_html(const carom_bounce_map *map, const char *title, char **out,
                                       carom_error *err)
{
    enum { COLUMNS = 6, ROWS = 4 };
    *out = NULL;
    carom_text text = { 0 }, plots = { 0 };
    char cells[ROWS * COLUMNS][24], words[200];
    const char *pointers[ROWS * COLUMNS];
    const carom_bounce_map_info *info = carom_bounce_map_about(map);
    snprintf(words, sizeof words,
             "Restitution over the surface, from %d vibration modes. Mass %.4g kg; %d contacts "
             "computed.",
             info->modes, info->mass, info->computed);
    carom_page_begin(&text, title, words);
    carom_text_add_bytes(&text, markup, strlen(markup));
    carom_page_section(&text, "What is in the map", NULL);
    int rows = carom_bounce_picture_cells(map, cells, COLUMNS);
    for (int k = 0; k < rows * COLUMNS; ++k)
        pointers[k] = cells[k];
    carom_page_table(&text, pointers, rows, COLUMNS);
    carom_bounce_picture_plots(&plots, map);
    carom_page_picture(&text, &plots,
                       "Histogram over the faces, and restitution over contact time");
    carom_text_free(&plots);
    carom_text_add(&text, "<script>\n");
    add_data(&text, map);
    carom_text_add_bytes(&text, script, strlen(script));
    carom_text_add(&text, "</script>\n");
    carom_page_end(&text);
    carom_status status = carom_text_status(&text, err);
    if (status != CAROM_OK)
        carom_text_free(&text);
    else
        *out = text.bytes;
    return status;
}
