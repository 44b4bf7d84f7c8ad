//go:build cgo && !race

#include "shim.h"
#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)
#include <malloc.h>
#define size_of malloc_usable_size
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#define size_of malloc_size
#else
#define size_of(p) ((size_t)0) // what is held is not counted
#endif

typedef struct { const char *text; uint32_t length; uint64_t max; } input;

// What the running parse has asked for: a parse stays on its thread.
static _Thread_local espy_work work;

static void *took(size_t size, void *p) {
  if (!p) { // the runtime cannot go on: the first line is the reason that the file's answer gives
    fputs("the grammar took more memory than the process may have\n", stderr);
    abort();
  }
  work.allocated += size;
  work.held += (int64_t)size_of(p);
  return p;
}

static void *count_malloc(size_t size) { return took(size, malloc(size)); }

static void *count_calloc(size_t n, size_t size) { return took(n * size, calloc(n, size)); }

static void *count_realloc(void *p, size_t size) {
  if (p) work.held -= (int64_t)size_of(p);
  return took(size, realloc(p, size));
}

static void count_free(void *p) {
  if (p) work.held -= (int64_t)size_of(p);
  free(p);
}

void espy_count_memory(void) { ts_set_allocator(count_malloc, count_calloc, count_realloc, count_free); }

enum { piece = 4096 }; // bytes that are read at a time

// read_text gives the text piece by piece, so that a scanner which goes far ahead
// at each token is counted. Beyond the bound the text ends.
static const char *read_text(void *payload, uint32_t byte, TSPoint at, uint32_t *got) {
  const input *in = payload;
  (void)at;
  uint32_t left = byte < in->length ? in->length - byte : 0;
  if (++work.read > in->max) left = 0;
  *got = left < piece ? left : piece;
  return in->text + (byte < in->length ? byte : in->length);
}

static bool over_budget(TSParseState *state) {
  const espy_work *max = state->payload;
  return ++work.steps > max->steps || work.allocated > max->allocated || work.held > max->held ||
         work.read > max->read;
}

TSTree *espy_parse(TSParser *parser, const char *text, uint32_t length, const espy_work *max, espy_work *done) {
  input in = {text, length, max->read};
  work = (espy_work){0};
  TSTree *tree = ts_parser_parse_with_options(parser, NULL, (TSInput){&in, read_text, 0, NULL}, (TSParseOptions){(void *)max, over_budget});
  *done = work;
  if (tree && work.read > max->read) { // of a part of the text
    ts_tree_delete(tree);
    tree = NULL;
  }
  return tree;
}

static uint8_t flags_of(TSNode n) {
  return (ts_node_is_missing(n) ? espy_missing : 0) | (ts_node_is_error(n) ? espy_error : 0);
}

enum { max_hidden = 256 }; // levels between a node and its parent that are walked for its field

// levels is how many the cursor stands below its root, hidden ones counted: the
// runtime keeps their number first (struct TreeCursor of its version 0.25).
static uint32_t levels(const TSTreeCursor *c) { return c->context[0]; }

// field_of asks for the field of the current node, whose parent stands parent levels
// deep. The runtime walks up all hidden levels between the two, which grow with the
// text where a grammar's hidden rule holds itself: a.b.b.b of HCL.
static uint8_t field_of(const TSTreeCursor *c, uint32_t parent) {
  return levels(c) - parent > max_hidden ? 0 : (uint8_t)ts_tree_cursor_current_field_id(c);
}

// written is a node of the output, and how deep the cursor stood there.
typedef struct { int32_t node; uint32_t levels; } written;

uint32_t espy_flatten(const TSTree *tree, const uint8_t *keep, uint32_t max_depth, espy_node *nodes, uint32_t room) {
  // above[d] is the last written node of depth d; a node that is left out has
  // the depth of its parent.
  written *above = malloc((max_depth + 2) * sizeof *above);
  uint32_t count = 0, depth = 0;
  TSTreeCursor c = ts_tree_cursor_new(ts_tree_root_node(tree));
  for (;;) {
    TSNode n = ts_tree_cursor_current_node(&c);
    uint16_t kind = ts_node_symbol(n);
    uint8_t flags = flags_of(n);
    bool kept = kind == UINT16_MAX || keep[kind] || flags;
    if (kept) {
      if (count == room) break;
      nodes[count] = (espy_node){
        .start = ts_node_start_byte(n), .end = ts_node_end_byte(n),
        .parent = depth ? above[depth - 1].node : -1, .next = 0,
        .kind = kind, .field = field_of(&c, depth ? above[depth - 1].levels : 0), .flags = flags,
      };
      above[depth] = (written){(int32_t)count++, levels(&c)};
    }
    // A node that is left out is a token: it has no children worth a visit.
    if (kept && depth < max_depth && ts_tree_cursor_goto_first_child(&c)) {
      depth++;
      continue;
    }
    if (kept && depth == max_depth && ts_tree_cursor_goto_first_child(&c)) {
      nodes[above[depth].node].flags |= espy_cut;
      ts_tree_cursor_goto_parent(&c);
    }
    while (!ts_tree_cursor_goto_next_sibling(&c)) {
      if (!ts_tree_cursor_goto_parent(&c)) goto done;
      depth--;
      nodes[above[depth].node].next = (int32_t)count;
    }
  }
done:
  ts_tree_cursor_delete(&c);
  free(above);
  for (uint32_t i = 0; i < count; i++)
    if (!nodes[i].next) nodes[i].next = (int32_t)i + 1;
  return count;
}
