// Part of Fathom. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The true defect of [satracer] Fig. 9: realloc frees the path that a field copied before keeps.
// RUN: rm -rf %t.dir && mkdir %t.dir && %fathom-cc -g %s -o %t.dir/p && cd %t.dir
// RUN: python3 %S/Inputs/report.py %s use-after-free p.sarif ACCESS
// RUN: %fathom confirm p --reports p.sarif --callers-time 0 > said && FileCheck %s < said
// CHECK: possible: use-after-free: ACCESS
// CHECK-NEXT: feasible from fts_build for some arguments and memory
// CHECK-NEXT: read of 1 byte at offset 0 of
// CHECK: freed in fts_palloc
// RUN: %fathom confirm p --reports p.sarif --json -q > all.json
// RUN: python3 -c "import json; r = json.load(open('all.json'))['reports'][0]; assert (r['verdict'], r['feasible_from']) == ('confirmed', 'main'), r"
#include <stdlib.h>
#include <string.h>
struct entry { char *accpath, *path; struct entry *link; char name[8]; };
struct fts { char *path; size_t pathlen; struct entry *head; int nochdir; };
static struct entry *fts_alloc(struct fts *sp, const char *name, size_t namelen) {
  struct entry *p = malloc(sizeof *p);
  if (p == NULL) return NULL;
  memset(p, 0, sizeof *p);
  memcpy(p->name, name, namelen < 7 ? namelen : 7);
  p->path = sp->path;
  return p;
}
static int fts_palloc(struct fts *sp, size_t more) {
  if (sp->pathlen + more < more) return 0;
  sp->pathlen += more + 256;
  char *p = realloc(sp->path, sp->pathlen); // ACCESS: source
  if (p == NULL) {
    free(sp->path);
    sp->path = NULL;
    return 0;
  }
  sp->path = p;
  return 1;
}
int fts_build(struct fts *sp, const char *name) {
  struct entry *p = fts_alloc(sp, name, 3);
  if (!p) return -1;
  if (!fts_palloc(sp, 4)) {
    free(p);
    return -1;
  }
  if (sp->nochdir) p->accpath = p->path;
  p->link = sp->head;
  sp->head = p;
  if (p->accpath && p->accpath[0] == '/') // ACCESS
    return 1;
  return 0;
}
int main(int argc, char **argv) {
  struct fts fts = {malloc(8), 8, NULL, argc > 1};
  if (!fts.path) return 1;
  strcpy(fts.path, "/");
  return fts_build(&fts, argv[0]);
}
