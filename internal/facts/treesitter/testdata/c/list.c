#include <stdlib.h>
#include "list.h"

#define LIST_MAX 16
#define list_each(it, l) for (struct node *it = (l)->head; it; it = next_of(it))

/* A node. */
struct node {
	struct node *next;
	int value; // what it holds
	union { int a; float b; } u;
};

typedef struct {
	struct node *head;
	int (*compare)(const void *, const void *);
} list_t;

typedef enum { ASCENDING, DESCENDING = 2 } order;

static int count;
extern const char *const names[];

static struct node *next_of(struct node *n);
int list_sum(const list_t *l);

/*
 * Sums the values.
 */
int list_sum(const list_t *l)
{
	int sum = 0;
	list_each(it, l) {
		sum += it->value;
	}
	return l->compare ? l->compare(l, &sum) : sum;
}

static struct node *next_of(struct node *n) { return n->next; }

int main(int argc, char **argv)
{
	list_t l = { .head = NULL, .compare = compare_ints }, *p = &l;
	struct node *node = malloc(sizeof(struct node) * LIST_MAX);
	order o = argc > 1 && argv[1] ? ASCENDING : DESCENDING;

	node->u.a = count++;
	for (int i = 0; i < 3; i++)
		switch (o) {
		case ASCENDING: list_sum(p); break;
		default: exit(1);
		}
#ifdef DEBUG
	trace("%d", node->value);
#endif
	return (int)list_sum(&l);
}
