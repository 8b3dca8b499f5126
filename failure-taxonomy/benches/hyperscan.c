/* Hyperscan or Vectorscan on one text, for `cargo xtask bench`. The library is loaded when this runs and is no dependency
 * of anything else. Arguments: the needles, one per line; the text. Prints the best time in nanoseconds and the number of
 * occurrences; exit code 3 means that there is no such library. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef int (*on_match)(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *count);
typedef int (*compile_fn)(const char *const *, const unsigned *, const unsigned *, const size_t *, unsigned, unsigned,
                          const void *, void **, void **);
typedef int (*scratch_fn)(const void *, void **);
typedef int (*scan_fn)(const void *, const char *, unsigned, unsigned, void *, on_match, void *);

static int count_one(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *count) {
    (void)id, (void)from, (void)to, (void)flags;
    ++*(unsigned long *)count;
    return 0;
}

static char *contents(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) exit(2);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    if (!text || fread(text, 1, *size, file) != *size) exit(2);
    text[*size] = 0;
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    enum { MOST = 8192, CASELESS = 1, BLOCK_MODE = 1 };
    static const char *needles[MOST];
    static unsigned flags[MOST], ids[MOST];
    static size_t lengths[MOST];
    if (argc != 3) return 2;
    void *library = dlopen("libhs.so.5", RTLD_NOW);
    if (!library) library = dlopen("libhs.so", RTLD_NOW);
    if (!library) return 3;
    compile_fn compile = (compile_fn)dlsym(library, "hs_compile_lit_multi");
    scratch_fn alloc_scratch = (scratch_fn)dlsym(library, "hs_alloc_scratch");
    scan_fn scan = (scan_fn)dlsym(library, "hs_scan");
    if (!compile || !alloc_scratch || !scan) return 3;
    size_t size, text_size;
    char *line = contents(argv[1], &size);
    const char *text = contents(argv[2], &text_size);
    unsigned count = 0;
    while (line && count < MOST) {
        char *next = strchr(line, '\n');
        if (next) *next++ = 0;
        needles[count] = line, lengths[count] = strlen(line), flags[count] = CASELESS, ids[count] = count;
        count++, line = next;
    }
    void *database = NULL, *error = NULL, *scratch = NULL;
    if (compile(needles, flags, ids, lengths, count, BLOCK_MODE, NULL, &database, &error)) return 4;
    if (alloc_scratch(database, &scratch)) return 4;
    unsigned repeats = text_size < 1 << 20 ? (1 << 20) / text_size : 1;
    double best = 1e30;
    unsigned long found = 0;
    for (int round = 0; round < 5; round++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (unsigned i = 0; i < repeats; i++) {
            found = 0;
            if (scan(database, text, (unsigned)text_size, 0, scratch, count_one, &found)) return 4;
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double nanos = ((end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec)) / repeats;
        if (nanos < best) best = nanos;
    }
    printf("%.0f %lu\n", best, found);
    return 0;
}
