#include <stdio.h>
#include "ring.h"
#define LIMIT 16
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define GUARD

typedef struct ring { int len; struct item *head; } ring_t, *ring_p;
typedef int (*callback_t)(void *data, size_t size);
typedef unsigned long word;
enum color { RED, GREEN };
union cell { int i; float f; };
struct forward;

extern int elsewhere;
static const int table[] = { 1, MIN(2, 3) };
int counter, *cursor = &counter;
static struct ops ring_ops = { .open = ring_open, .close = &ring_close };
int proto(ring_t *r);

#ifdef GUARD
static int guarded = LIMIT;
static int only_guarded(void) { return guarded; }
#endif

static inline struct item *ring_open(ring_t *r, callback_t cb)
{
	struct item *it = alloc_item(sizeof(struct item));
	it->next = r->ops->find(r);
	cb(it, LIMIT);
	return (struct item *)it;
}

int (*pick(int n))(int) { return handlers[n]; }
int main(void) { return ring_open(0, 0) != NULL; }
