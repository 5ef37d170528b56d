#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <time.h>
#include "carom/carom.h"
#include "scenes.h"
#include "reference_qce.h"
static double now(void){struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);return t.tv_sec+1e-9*t.tv_nsec;}
int main(int argc,char**argv){
  (void)argc;
  scene s; double t0=now();
  if(!scene_packing(&s,25,50,50,201606)) return 1;
  printf("build %g\n",now()-t0);
  int nb=s.impact.body_count,nc=s.impact.contact_count;
  double (*v)[3]=malloc(sizeof*v*nb),(*w)[3]=malloc(sizeof*w*nb),(*p)[3]=malloc(sizeof*p*nc),(*vr)[3]=malloc(sizeof*vr*nb),*pr=malloc(8*nc);
  carom_workspace*ws=carom_workspace_create();
  if(argc>1) carom_workspace_set_threads(ws,atoi(argv[1]));
  const carom_law*law=carom_law_find("qce",NULL);
  carom_law_options o=carom_law_defaults(law);
  carom_law_set(law,&o,"theta","0",NULL);carom_law_set(law,&o,"sweeps","100000",NULL);
  for(int k=0;k<2;++k){ if(k)scene_set_shock(&s);else scene_set_random(&s);
   for(int r=0;r<4;++r){
    carom_impact_outcome out={v,w,p,{0}};
    t0=now(); if(carom_impact_resolve(ws,&s.impact,law,r<3?&o:NULL,&out,NULL))return 2; double t1=now()-t0;
    reference_report rr; t0=now(); reference_qce(&s.impact,1e-9,100000,vr,pr,&rr); double t2=now()-t0;
    double d=0; for(int i=0;i<nb;++i)for(int j=0;j<3;++j)d=fmax(d,fabs(v[i][j]-vr[i][j]));
    printf("carom %.4f (%d %ld) ref %.4f (%d %ld) ratio %.2f dv %.2g dE %.2g hash %016lx bytes %.0f pen %g\n",t1,out.report.sweeps,(long)out.report.events,t2,rr.sweeps,(long)rr.events,t2/t1,d,out.report.energy_after/out.report.energy_before-1,(long)out.report.hash,out.report.scratch_bytes/(double)nc,out.report.penetration);
   }}
}
