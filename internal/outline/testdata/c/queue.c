/* A queue. int not_this(void) { } */
#ifndef QUEUE_H
#define QUEUE_H

#include <stddef.h>

#define MAX_ITEMS 64
#define MIN(a, b) \
  ((a) < (b) ? (a) : (b))

struct item;                      /* forward */
int queue_len(const struct queue *q);
extern int not_defined_here;

typedef unsigned int uint;
typedef int (*compare_fn)(const void *, const void *);

typedef struct item {
  struct item *next;
  int value;
} item, *item_ptr;

typedef enum { RED, GREEN } color_t;

enum state { IDLE, BUSY };

static const int limits[] = { 1, 2, 3 };
struct queue *global_queue = NULL;
int counter, other;

#ifdef DEBUG
static void
trace(const char *s) {
#else
static void
trace_quietly(const char *s) {
#endif
  if (s) { puts("}"); }
}

/* Adds an item. */
static inline int
queue_push(struct queue *q,
           struct item *it)
{
  if (q == NULL) {
    return -1;
  }
  for (;;) { break; }
  return queue_len(q);
}

#if 0
int disabled(void) { return 1; }
#endif

struct queue *queue_new(void) __attribute__((malloc));

struct queue *queue_new(void) {
  char c = '{';
  return malloc(sizeof(struct queue));
}

SYSCALL_DEFINE3(read, unsigned int, fd, char *, buf, size_t, count)
{
  return 0;
}

int main(int argc, char **argv) { return 0; }
#endif
