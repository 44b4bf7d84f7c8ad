// The part of the parser runtime's interface (version 0.25) that the shim
// calls, declared here because a cgo package cannot include a header of
// another module, and the shim itself.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TSLanguage TSLanguage;
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree, *id; uint32_t context[3]; } TSTreeCursor;
typedef struct { void *payload; uint32_t current_byte_offset; bool has_error; } TSParseState;
typedef struct { void *payload; bool (*progress_callback)(TSParseState *); } TSParseOptions;
typedef struct {
  void *payload;
  const char *(*read)(void *payload, uint32_t byte, TSPoint at, uint32_t *got);
  int encoding; // 0: UTF-8
  void *decode;
} TSInput;

void ts_set_allocator(void *(*)(size_t), void *(*)(size_t, size_t), void *(*)(void *, size_t), void (*)(void *));
TSParser *ts_parser_new(void);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_delete(TSParser *);
TSTree *ts_parser_parse_with_options(TSParser *, const TSTree *, TSInput, TSParseOptions);
void ts_tree_delete(TSTree *);
TSNode ts_tree_root_node(const TSTree *);
uint32_t ts_node_descendant_count(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
uint16_t ts_node_symbol(TSNode);
bool ts_node_is_named(TSNode);
bool ts_node_is_missing(TSNode);
bool ts_node_is_error(TSNode);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
uint32_t ts_language_symbol_count(const TSLanguage *);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
int ts_language_symbol_type(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

// espy_node has the layout of tree.Node.
typedef struct {
  uint32_t start, end;
  int32_t parent, next;
  uint16_t kind;
  uint8_t field, flags;
} espy_node;

enum { espy_missing = 1, espy_error = 2, espy_cut = 4 };

// espy_work is what a parse takes: hundreds of parser operations, the bytes that
// it asks for in all, those that it holds, and how often it reads 4 KiB of text. What recovers from errors copies
// what it has read so far in one operation, so that bytes count beside operations.
typedef struct {
  uint64_t steps, allocated;
  int64_t held;
  uint64_t read;
} espy_work;

// espy_count_memory has the runtime's memory counted. It is called before anything else.
void espy_count_memory(void);

// espy_parse parses text, or returns NULL when that takes more than max. What it
// has taken is stored in *done. The parser is of no more use after NULL.
TSTree *espy_parse(TSParser *, const char *text, uint32_t length, const espy_work *max, espy_work *done);

// espy_flatten writes the nodes of the tree in preorder, those whose kind has
// keep 0 left out, and returns their number. Nodes deeper than max_depth are
// left out too, their parent being flagged espy_cut. It stops after room nodes.
uint32_t espy_flatten(const TSTree *, const uint8_t *keep, uint32_t max_depth, espy_node *nodes, uint32_t room);
