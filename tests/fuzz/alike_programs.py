"""Random programs whose threads are alike, or nearly so.

The threads of ``symmetric_programs``, with what might tell them apart: arguments, handles that they leave or
compare, thread-local variables, addresses of their locals, elements of arrays; with loops that try until a
compare-exchange succeeds, sets of threads, and queues of them; and mains that join all of them, some, in
another order, twice, while they hold a lock, or look at what they return.
"""

from tests.fuzz.symmetric_programs import GLOBALS, HEADER, IDIOMS, SymmetricGenerator

MORE_GLOBALS = """\
pthread_t owner, ids[4];
_Thread_local int mine;
unsigned char *_Atomic seen;
pthread_mutex_t r;
pthread_barrier_t bar;
pthread_cond_t cv = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
_Atomic unsigned int crowd;
struct node { struct node *_Atomic next; _Atomic unsigned char waits; };
struct node *_Atomic tail;
unsigned char plain[4];
_Atomic unsigned char atoms[4];
"""

STRONG, WEAK = "atomic_compare_exchange_strong", "atomic_compare_exchange_weak"
RETRIES = (
    f"  int o = v;\n  while (!{STRONG}(&v, &o, (o + 1) & 3)) ;\n",
    f"  int o = v;\n  while (!{STRONG}(&v, &o, o + 1)) ;\n  l = o & 3;\n",
    f"  int o;\n  do o = v; while (!{WEAK}(&v, &o, o ^ 1));\n",
    f"  int o = v;\n  while (!{WEAK}(&v, &o, o ^ 2)) ;\n",
    f"  int o = 0;\n  while (!{STRONG}(&v, &o, 1)) o = 0;\n",
    f"  int o = v;\n  while (o < 2 && !{STRONG}(&v, &o, o + 1)) ;\n  l = o & 1;\n",
    f"  unsigned char o = s, q;\n  do q = v & 3; while (!{STRONG}(&s, &o, q));\n",
    f"  unsigned char o = s;\n  do l = o ^ 1; while (!{STRONG}(&s, &o, l));\n",
    f"  int o = v;\n  while (!{STRONG}(&v, &o, o ^ 1)) assert(o < 3);\n",
    f"  int o = v;\n  while (!{STRONG}(&v, &o, (o + 1) & 3)) k++;\n  l = k & 1;\n",
    f"  int o = v, q;\n  do q = o; while (!{STRONG}(&v, &o, o ^ 1) && q != o);\n",
    f"  int o;\n  do {{ o = v; if (o == 1) return 0; }} while (!{STRONG}(&v, &o, o ^ 1));\n",
    "  int o = __atomic_load_n(&x, 5);\n  while (!__sync_bool_compare_and_swap(&x, o, o ^ 1))\n"
    "    o = __atomic_load_n(&x, 5);\n",
)
"""Loops that try until a compare-exchange succeeds, or something like that."""

SETS = (
    "  pthread_barrier_wait(&bar);\n",
    "  if (pthread_barrier_wait(&bar)) v ^= 1;\n",
    "  s ^= 1;\n  pthread_barrier_wait(&bar);\n  l = s & 1;\n",
    "  pthread_rwlock_rdlock(&rw);\n  l = x & 1;\n  pthread_rwlock_unlock(&rw);\n",
    "  pthread_rwlock_wrlock(&rw);\n  x ^= 1;\n  pthread_rwlock_unlock(&rw);\n",
    "  if (!pthread_rwlock_trywrlock(&rw)) { x = 0; pthread_rwlock_unlock(&rw); }\n",
    "  pthread_rwlock_rdlock(&rw);\n  if (!pthread_rwlock_tryrdlock(&rw)) pthread_rwlock_unlock(&rw);\n"
    "  pthread_rwlock_unlock(&rw);\n",
    "  pthread_mutex_lock(&n);\n  if (k < 2 && !s) pthread_cond_wait(&cv, &n);\n  s = 1;\n"
    "  pthread_cond_signal(&cv);\n  pthread_mutex_unlock(&n);\n",
    "  pthread_mutex_lock(&n);\n  if (s != 1) { s = 1; pthread_cond_wait(&cv, &n); }\n"
    "  pthread_mutex_unlock(&n);\n  pthread_cond_broadcast(&cv);\n",
    "  pthread_mutex_lock(&n);\n  while (!v) pthread_cond_wait(&cv, &n);\n  pthread_mutex_unlock(&n);\n",
    "  v = 1;\n  pthread_cond_signal(&cv);\n",
    "  unsigned own = 1u << pthread_self();\n  crowd |= own;\n  if (crowd != own) v = 1;\n  crowd &= ~own;\n",
    "  unsigned own = 1u << (pthread_self() - 1);\n  crowd ^= own;\n  l = (crowd & own) != 0;\n",
    "  unsigned own = 1u << (pthread_self() - 1);\n  crowd += own;\n  l = crowd & 1;\n",
    "  unsigned own = 1u << (pthread_self() - 1);\n  crowd |= own;\n  l = (crowd & -crowd) == own;\n",
)
"""What keeps sets of threads: barriers, read-write locks, conditions, or the program itself."""

QUEUE = """\
  struct node own, *other, *myself = &own;
  own.next = 0;
  own.waits = 1;
  other = atomic_exchange(&tail, &own);
  if (other) {
    other->next = &own;
    while (own.waits) ;
  }
  x ^= 1;
  if (!atomic_compare_exchange_strong(&tail, &myself, 0)) {
    while (!own.next) ;
    own.next->waits = 0;
  }
"""
LINKS = (
    QUEUE,
    QUEUE.replace("while (own.waits) ;", "if (own.waits) return 0;"),
    QUEUE.replace("while (!own.next) ;", "if (!own.next) return 0;"),
    QUEUE.replace("own.waits = 1;", "own.waits = l & 1;"),
    "  struct node own;\n  own.next = 0;\n  own.waits = l;\n  struct node *other = tail;\n  tail = &own;\n"
    "  if (other) v = 1;\n  if (tail == other) s = 1;\n  tail = 0;\n",
    "  struct node own;\n  own.waits = 1;\n  own.next = tail;\n  tail = &own;\n"
    "  if (own.next == &own) v = 1;\n",
    "  struct node own, *other = tail;\n  tail = &own;\n  if (other > &own) v = 1;\n",
    "  struct node own[2], *other = tail;\n  own[1].waits = 1;\n  tail = &own[1];\n"
    "  if (other) l = other->waits;\n",
)
"""Threads that know local objects of others, as in a queue lock."""

BEFORE = (
    *("", "", "", "  l = (long)arg & 3;\n", "  k = (long)arg & 1;\n", "  mine = l;\n"),
    "  owner = pthread_self();\n",
    "  if (pthread_equal(owner, pthread_self())) v = 1;\n",
    "  if (owner == pthread_self()) return 0;\n",
    "  v = pthread_self() & 3;\n",
    "  unsigned char a[2] = {0, 1};\n  k = a[l & 1];\n",
    "  seen = &l;\n",
    "  unsigned char *p = seen;\n  if (p == &l) v = 2;\n",
    "  plain[(long)arg & 3] = 1;\n",
    "  atoms[(long)arg & 3]++;\n  atoms[l & 1]++;\n",
    "  long own = (long)arg & 3;\n  atoms[own]++;\n  if (atoms[own] > 1) v = 1;\n",
    "  long own = (long)arg & 1;\n  atoms[own]++;\n  own = l & 1;\n  atoms[own]++;\n",
    "  for (int i = 0; i < 2; i++) atoms[i + ((long)arg & 1)] |= 1;\n",
    "  pthread_mutex_lock(&r);\n  pthread_mutex_lock(&r);\n  pthread_mutex_unlock(&r);\n",
    *RETRIES,
    *SETS,
    *LINKS,
)
AFTER = (
    *("", "", "", "  s = mine & 3;\n", "  assert(!seen || l < 4);\n"),
    *("  assert(atoms[(long)arg & 3] < 2);\n", "  plain[(long)arg & 3]++;\n  assert(plain[0] < 2);\n"),
    "  assert(pthread_equal(owner, pthread_self()));\n",
    "  return (void *)(long)(l & 1);\n",
    "  return arg;\n",
    "  pthread_mutex_unlock(&r);\n",
)


class AlikeGenerator(SymmetricGenerator):
    """Writes one program."""

    def program(self, threads: int | None) -> str:
        """The text of the program."""
        assert threads is not None
        bodies = getattr(self, "_" + self.random.choice(IDIOMS))()
        parts = [HEADER, GLOBALS, MORE_GLOBALS]
        for name, body in zip("tu", bodies, strict=False):
            before, after = self.random.choice(BEFORE), self.random.choice(AFTER)
            start = self.random.choice(("0", "0", "1", "__VERIFIER_nondet_bool()"))
            lines = f"  unsigned char l = {start};\n  int k = 0;\n{before}{body}{after}  return 0;\n"
            parts.append(f"void *{name}(void *arg) {{\n{lines}}}\n")
        parts.append(self.alike_main(threads, ["t", "u"][: len(bodies)]))
        return "\n".join(parts)

    def alike_main(self, threads: int, names: list[str]) -> str:
        """Starts the threads, and joins them in some way, or not at all."""
        random = self.random
        ids = random.choice(("ids", "own", "own"))
        lines = ["  unsigned char l = 0;\n  int k = 0;\n  pthread_t own[4];\n  void *got = 0;"]
        lines.append("  pthread_mutexattr_t kind;\n  pthread_mutexattr_init(&kind);")
        lines.append("  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);")
        lines.append("  pthread_mutex_init(&r, &kind);")
        lines.append(f"  pthread_barrier_init(&bar, 0, {threads - (random.random() < 0.2)});")
        given = random.choice(("0", "0", "(void *)(long)i", "(void *)(long)i", "(void *)&s"))
        begin, end = random.choice((("", ""), ("", ""), ("", ""), ("m", "m"), ("", "n")))
        if begin:
            lines.append("  pthread_mutex_lock(&m);")
        if len(names) == 1:
            lines.append(f"  for (int i = 0; i < {threads}; i++) pthread_create(&{ids}[i], 0, t, {given});")
        else:
            for i in range(threads):
                argument = given.replace(")i", f"){i}")
                lines.append(f"  pthread_create(&{ids}[{i}], 0, {random.choice(names)}, {argument});")
        if random.random() < 0.15:
            lines.append(f"  pthread_detach({ids}[{random.randrange(threads)}]);")
        if random.random() < 0.2:
            lines.append(self.assertion(1).rstrip("\n"))
        if end == "n":
            lines.append("  pthread_mutex_lock(&n);")
        joined = list(range(threads))
        how = random.choice(("all", "all", "all", "loop", "loop", "some", "order", "twice", "result", "none"))
        if how == "order":
            random.shuffle(joined)
        elif how == "some":
            joined = joined[: random.randrange(threads)]
        elif how == "twice":
            joined.append(random.choice(joined))
        elif how == "none":
            joined = []
        if how == "loop":
            lines.append(f"  for (int i = 0; i < {threads}; i++) pthread_join({ids}[i], 0);")
        else:
            place = "&got" if how == "result" else "0"
            lines += [f"  pthread_join({ids}[{i}], {place});" for i in joined]
        if how == "result":
            lines.append("  assert((long)got != 1);")
        if begin or end:
            lines.append(f"  pthread_mutex_unlock(&{begin or end});")
        if random.random() < 0.5:
            lines.append(self.assertion(1).rstrip("\n"))
        lines.append(random.choice(("  return 0;", "  return 0;", "  pthread_exit(0);")))
        return "int main(void) {\n" + "\n".join(lines) + "\n}\n"


def alike_program(seed: int) -> str:
    """The program with this seed."""
    generator = AlikeGenerator(seed)
    return generator.program(generator.random.choice((2, 2, 3)))
