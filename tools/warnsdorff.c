/* Warnsdorff's rule counted again, by a program that shares nothing with the package. See docs/warnsdorff.md.

   cc -O2 -o warnsdorff tools/warnsdorff.c
   ./warnsdorff orders 8 8 counted      all 40,320 orders of the moves: how many have how many tours
   ./warnsdorff orders 8 8 uncounted    the start takes nothing off, as in the papers
   ./warnsdorff chances 8 8 counted     the tree of all ties, from each cell of an eighth of the board: tours,
                                        closed tours, dead ends; the chances of a tour and of a closed one, exact
                                        modulo 2^61 - 1, and as decimals
   ./warnsdorff layers 10 10 counted    the same, a step at a time, equal positions together: also the number of
                                        positions, and the most at one step; up to 121 cells and 8 GB; where
                                        that is not enough it says at which step it stopped
   ./warnsdorff chances 9 9 counted e5  either from this cell alone
   ./warnsdorff wrong 8 8 uncounted     the walks by ties first that get stuck: start, cells visited, the greatest
                                        number of steps that an open tour keeps (? if undecided), the cell of the
                                        next step, the cells with the fewest onward moves, the cells that lead to a
                                        tour (with ? if undecided)
   ./warnsdorff wrong 8 8 counted -     the same for walks from standard input: one a line, cells as numbers from 0
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES = 8, CELLS = 400, VISITED = 64 };

static const int down[MOVES] = {-2, -2, -1, -1, 1, 1, 2, 2}, across[MOVES] = {-1, 1, -2, 2, -2, 2, -1, 1};
static int rows, columns, cells, counted;
static int to[CELLS][MOVES]; /* where each move leads, -1 off the board */
static int onward[CELLS];    /* free onward moves of a cell; from VISITED on it is visited */

static void take(int cell, int by) /* visit a cell, by 1, or leave it again, by -1 */
{
    onward[cell] += by * VISITED;
    for (int k = 0; k < MOVES; k++)
        if (to[cell][k] >= 0) onward[to[cell][k]] -= by;
}

static void begin(int start)
{
    for (int cell = 0; cell < cells; cell++) {
        onward[cell] = 0;
        for (int k = 0; k < MOVES; k++) onward[cell] += to[cell][k] >= 0;
    }
    if (counted) take(start, 1);
    else onward[start] += VISITED;
}

static int next_to(int a, int b)
{
    for (int k = 0; k < MOVES; k++)
        if (to[a][k] == b) return 1;
    return 0;
}

/* ---- all orders */

static int order[MOVES], used[MOVES];
static long orders_with[CELLS + 1], tours_in_all, closed_in_all;

static void count_order(void)
{
    int tours = 0;
    for (int start = 0; start < cells; start++) {
        int at = start, length = 1;
        begin(start);
        for (;;) {
            int best = -1;
            for (int i = 0; i < MOVES; i++) {
                int cell = to[at][order[i]];
                if (cell >= 0 && onward[cell] < (best < 0 ? VISITED / 2 : onward[best])) best = cell;
            }
            if (best < 0) break;
            take(at = best, 1);
            length++;
        }
        if (length == cells) {
            tours++;
            closed_in_all += next_to(at, start);
        }
    }
    orders_with[tours]++;
    tours_in_all += tours;
}

static void every_order(int chosen)
{
    if (chosen == MOVES) {
        count_order();
        return;
    }
    for (int move = 0; move < MOVES; move++)
        if (!used[move]) {
            used[move] = 1;
            order[chosen] = move;
            every_order(chosen + 1);
            used[move] = 0;
        }
}

/* ---- all ties */

static const uint64_t P = (1ULL << 61) - 1;
static uint64_t inverse[MOVES + 1], tours, closed, dead_ends, chance, chance_closed;

static long double near, near_closed;

static uint64_t times(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b % P);
}

static void every_tie(int at, int length, uint64_t here, long double about, int start)
{
    int equals[MOVES], many = 0, fewest = VISITED / 2;
    for (int k = 0; k < MOVES; k++) {
        int cell = to[at][k];
        if (cell < 0 || onward[cell] > fewest || onward[cell] >= VISITED / 2) continue;
        if (onward[cell] < fewest) many = 0;
        fewest = onward[cell];
        equals[many++] = cell;
    }
    if (!many) {
        dead_ends += length < cells;
        if (length < cells) return;
        tours++;
        chance = (chance + here) % P;
        near += about;
        if (next_to(at, start)) {
            closed++;
            chance_closed = (chance_closed + here) % P;
            near_closed += about;
        }
        return;
    }
    for (int i = 0; i < many; i++) {
        take(equals[i], 1);
        every_tie(equals[i], length + 1, times(here, inverse[many]), about / many, start);
        take(equals[i], -1);
    }
}

/* ---- all ties, a step at a time */

typedef unsigned __int128 Bits;
typedef struct {
    Bits key; /* the visited cells, and from bit AT on the last of them */
    uint64_t walks, chance;
    double near;
} Position;
typedef struct {
    Position *at;
    uint64_t size, many;
} Layer;

enum { AT = 121 };
static const uint64_t LARGEST = 1ULL << 26; /* of tables, of which two are there at a time */
static Bits beside[CELLS];

static Layer table(uint64_t size)
{
    Layer made = {calloc(size, sizeof(Position)), size, 0};
    if (!made.at) {
        fprintf(stderr, "no memory for %llu positions\n", (unsigned long long)size);
        exit(1);
    }
    return made;
}

static int free_beside(int cell, Bits seen)
{
    Bits open = beside[cell] & ~seen;
    return __builtin_popcountll((uint64_t)open) + __builtin_popcountll((uint64_t)(open >> 64));
}

static void enter(Layer *layer, Position one) /* a free place holds no walks */
{
    if (layer->many * 10 > layer->size * 7 && layer->size < LARGEST) {
        Layer wider = table(2 * layer->size);
        for (uint64_t i = 0; i < layer->size; i++)
            if (layer->at[i].walks) enter(&wider, layer->at[i]);
        free(layer->at);
        *layer = wider;
    }
    uint64_t hash = (uint64_t)one.key * 0x9E3779B97F4A7C15 ^ (uint64_t)(one.key >> 64) * 0xC2B2AE3D27D4EB4F;
    hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9;
    uint64_t i = (hash ^ hash >> 32) & (layer->size - 1);
    while (layer->at[i].walks && layer->at[i].key != one.key) i = (i + 1) & (layer->size - 1);
    layer->many += !layer->at[i].walks;
    layer->at[i].key = one.key;
    layer->at[i].walks += one.walks;
    layer->at[i].chance = (layer->at[i].chance + one.chance) % P;
    layer->at[i].near += one.near;
}

/* On a diagonal of a square a position and its mirror image are one: the reflection by bytes of the visited cells. */
static Bits image[16][256];

static void reflect(void)
{
    for (int byte = 0; byte < 16; byte++)
        for (int bits = 0; bits < 256; bits++) {
            image[byte][bits] = 0;
            for (int k = 0; k < 8; k++) {
                int cell = 8 * byte + k;
                if (bits >> k & 1 && cell < cells)
                    image[byte][bits] |= (Bits)1 << (cell % columns * columns + cell / columns);
            }
        }
}

static Bits least(Bits key, Bits seen)
{
    int at = (int)(key >> AT);
    Bits other = (Bits)(at % columns * columns + at / columns) << AT;
    for (int byte = 0; byte < 16; byte++) other |= image[byte][(uint8_t)(seen >> 8 * byte)];
    return other < key ? other : key;
}

/* Returns the number of positions, and the most at one step; 0 if there were too many at a step. */
static uint64_t every_position(int start, uint64_t *most)
{
    Bits first = (Bits)1 << start, cells_of_it = ((Bits)1 << AT) - 1;
    Layer layer = table(1024);
    uint64_t all = 0;
    int diagonal = rows == columns && start / columns == start % columns;
    if (diagonal) reflect();
    *most = 0;
    enter(&layer, (Position){first | (Bits)start << AT, 1, 1, 1});
    for (int step = 2; step <= cells; step++) {
        Layer after = table(1024);
        for (uint64_t i = 0; i < layer.size && after.many < LARGEST / 10 * 8; i++) {
            Position one = layer.at[i];
            Bits seen = one.key & cells_of_it, taken = counted ? seen : seen & ~first;
            int at = (int)(one.key >> AT), equals[MOVES], many = 0, fewest = MOVES;
            if (!one.walks) continue;
            for (int k = 0; k < MOVES; k++) {
                int cell = to[at][k], onward_of_it;
                if (cell < 0 || seen >> cell & 1 || (onward_of_it = free_beside(cell, taken)) > fewest) continue;
                if (onward_of_it < fewest) many = 0;
                fewest = onward_of_it;
                equals[many++] = cell;
            }
            if (!many) dead_ends += one.walks;
            uint64_t each = times(one.chance, inverse[many]);
            for (int j = 0; j < many; j++) {
                Bits key = seen | (Bits)1 << equals[j] | (Bits)equals[j] << AT;
                if (diagonal) key = least(key, key & cells_of_it);
                enter(&after, (Position){key, one.walks, each, one.near / many});
            }
        }
        free(layer.at);
        layer = after;
        all += layer.many;
        if (layer.many > *most) *most = layer.many;
        if (layer.many >= LARGEST / 10 * 8) {
            *most = step;
            all = 0;
            break;
        }
    }
    for (uint64_t i = 0; all && i < layer.size; i++) {
        Position one = layer.at[i];
        int closes = one.walks && next_to((int)(one.key >> AT), start);
        tours += one.walks;
        chance = (chance + one.chance) % P;
        near += one.near;
        if (!closes) continue;
        closed += one.walks;
        chance_closed = (chance_closed + one.chance) % P;
        near_closed += one.near;
    }
    free(layer.at);
    return all;
}

/* ---- the wrong turn, by backtracking */

enum { STEPS = 50 * 1000 * 1000, FAILURES = 1 << 22 };

static int visited[CELLS], walk[CELLS];
static uint64_t sign_of[CELLS], failures[FAILURES]; /* positions without a tour, by a hash of 64 bits */
static long steps_left;

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252ull;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Whether the free cells can be visited from a cell, each once: 1 yes, 0 no, -1 undecided. */
static int completes(int at, int length, uint64_t hash)
{
    if (length == cells) return 1;
    if (--steps_left < 0) return -1;
    uint64_t position = hash ^ (sign_of[at] * 0x9e3779b97f4a7c15ull | 1);
    uint64_t *known = &failures[position % FAILURES];
    if (*known == position) return 0;
    /* Every free cell needs two free neighbours, or one of them `at`; only the last cell needs one. */
    int exits[CELLS], ends = 0, from = -1, dead = 0;
    for (int cell = 0; cell < cells && !dead; cell++) {
        if (visited[cell]) continue;
        int free_near = 0;
        for (int k = 0; k < MOVES; k++) free_near += to[cell][k] >= 0 && !visited[to[cell][k]];
        exits[cell] = free_near;
        free_near += next_to(cell, at);
        if (free_near < 2) ends++;
        dead = free_near == 0 || ends > 1;
        from = cell;
    }
    if (!dead) { /* the free cells are connected */
        int stack[CELLS], reached[CELLS] = {0}, size = 0, count = 0;
        stack[size++] = from;
        reached[from] = 1;
        while (size) {
            int cell = stack[--size];
            count++;
            for (int k = 0; k < MOVES; k++) {
                int next = to[cell][k];
                if (next >= 0 && !visited[next] && !reached[next]) reached[stack[size++] = next] = 1;
            }
        }
        dead = count < cells - length;
    }
    int answer = 0;
    for (int fewest = 0; fewest <= MOVES && !dead; fewest++)
        for (int k = 0; k < MOVES; k++) {
            int next = to[at][k];
            if (next < 0 || visited[next] || exits[next] != fewest) continue;
            visited[next] = 1;
            int one = completes(next, length + 1, hash ^ sign_of[next]);
            visited[next] = 0;
            if (one > 0) return 1;
            if (one < 0) answer = -1;
        }
    if (!answer) *known = position;
    return answer;
}

/* Whether a tour begins with the first cells of the walk, and then with another cell, unless that is -1. */
static int begins(int kept, int cell)
{
    uint64_t hash = 0;
    int black = 0;
    memset(visited, 0, sizeof visited);
    if (cell >= 0) walk[kept++] = cell;
    for (int k = 0; k < kept; k++) visited[walk[k]] = 1, hash ^= sign_of[walk[k]];
    int last = walk[kept - 1], colour = (last / columns + last % columns) % 2;
    /* The colours alternate: the free cells of the other colour are as many, or one more. */
    for (int k = 0; k < cells; k++)
        if (!visited[k]) black += (k / columns + k % columns) % 2 != colour ? 1 : -1;
    if (black != 0 && black != 1) return 0;
    steps_left = STEPS;
    return completes(last, kept, hash);
}

static char *named(int cell)
{
    static char names[4][16];
    static int next;
    char *name = names[next = (next + 1) % 4];
    sprintf(name, "%c%d", 'a' + cell % columns, rows - cell / columns);
    return name;
}

/* Walk from a cell by ties first; the number of cells visited. */
static int walk_from(int start, int *path)
{
    int length = 1;
    begin(start);
    path[0] = start;
    for (;;) {
        int best = -1;
        for (int k = 0; k < MOVES; k++) {
            int cell = to[path[length - 1]][k];
            if (cell >= 0 && onward[cell] < (best < 0 ? VISITED / 2 : onward[best])) best = cell;
        }
        if (best < 0) return length;
        take(path[length++] = best, 1);
    }
}

/* Print the wrong turn of a walk that got stuck. */
static void wrong_turn(const int *path, int length)
{
    memset(failures, 0, sizeof failures);
    int kept = length + 1, answer = 0, sure = 1;
    while (!answer && --kept) {
        memcpy(walk, path, length * sizeof *path);
        answer = begins(kept, -1);
        if (answer < 0) answer = 0, sure = 0;
    }
    printf("%s %d %d%s", named(path[0]), length, kept, sure ? "" : "?");
    if (kept) {
        /* the onward moves after the kept steps, and the cells with the fewest */
        begin(path[0]);
        for (int k = 1; k < kept; k++) take(path[k], 1);
        int from = path[kept - 1], fewest = VISITED;
        for (int k = 0; k < MOVES; k++)
            if (to[from][k] >= 0 && onward[to[from][k]] < fewest) fewest = onward[to[from][k]];
        printf(" %s tied:", named(path[kept]));
        for (int k = 0; k < MOVES; k++)
            if (to[from][k] >= 0 && onward[to[from][k]] == fewest) printf(" %s", named(to[from][k]));
        printf(" tour:");
        for (int k = 0; k < MOVES; k++) {
            if (to[from][k] < 0 || onward[to[from][k]] >= VISITED / 2 || to[from][k] == path[kept]) continue;
            memcpy(walk, path, length * sizeof *path);
            answer = begins(kept, to[from][k]);
            if (answer) printf(" %s%s", named(to[from][k]), answer < 0 ? "?" : "");
        }
    }
    printf("\n");
    fflush(stdout);
}

static void every_wrong_turn(int from_input)
{
    int path[CELLS], length = 0;
    char separator;
    for (int cell = 0; cell < cells; cell++) sign_of[cell] = random_bits();
    if (!from_input)
        for (int start = 0; start < cells; start++)
            if ((length = walk_from(start, path)) < cells) wrong_turn(path, length);
    while (from_input && length < cells && scanf("%d%c", &path[length], &separator) == 2) {
        length++;
        if (separator == '\n') {
            wrong_turn(path, length);
            length = 0;
        }
    }
}

int main(int count, char **words)
{
    if ((count != 5 && count != 6) || (rows = atoi(words[2])) < 1 || (columns = atoi(words[3])) < 1
        || rows > CELLS || columns > CELLS || rows * columns > CELLS) {
        fprintf(stderr, "expected: orders|wrong|chances|layers ROWS COLUMNS counted|uncounted [CELL], at most %d cells\n", CELLS);
        return 2;
    }
    int layers = !strcmp(words[1], "layers");
    if (layers && rows * columns > AT) {
        fprintf(stderr, "layers are for at most %d cells\n", AT);
        return 2;
    }
    cells = rows * columns;
    counted = !strcmp(words[4], "counted");
    for (int cell = 0; cell < cells; cell++)
        for (int k = 0; k < MOVES; k++) {
            int row = cell / columns + down[k], column = cell % columns + across[k];
            int there = row >= 0 && row < rows && column >= 0 && column < columns;
            to[cell][k] = there ? row * columns + column : -1;
            if (there && layers) beside[cell] |= (Bits)1 << to[cell][k];
        }
    if (!strcmp(words[1], "orders")) {
        every_order(0);
        printf("%ld tours, %ld closed\n", tours_in_all, closed_in_all);
        for (int n = 0; n <= cells; n++)
            if (orders_with[n]) printf("%d %ld\n", n, orders_with[n]);
        return 0;
    }
    if (!strcmp(words[1], "wrong")) {
        every_wrong_turn(count == 6 && !strcmp(words[5], "-"));
        return 0;
    }
    for (int many = 1; many <= MOVES; many++) { /* by Fermat, the inverse is a power */
        inverse[many] = 1;
        for (int bit = 60; bit >= 0; bit--) {
            inverse[many] = times(inverse[many], inverse[many]);
            if ((P - 2) >> bit & 1) inverse[many] = times(inverse[many], many);
        }
    }
    for (int start = 0; start < cells; start++) {
        int row = start / columns, column = start % columns;
        char name[16];
        sprintf(name, "%c%d", 'a' + column, rows - row);
        int eighth = 2 * row <= rows - 1 && 2 * column <= columns - 1 && (rows != columns || column >= row);
        if (count == 6 ? strcmp(words[5], name) != 0 : !eighth) continue;
        tours = closed = dead_ends = chance = chance_closed = 0;
        near = near_closed = 0;
        uint64_t positions = 1, most = 0;
        if (layers) positions = every_position(start, &most);
        else {
            begin(start);
            every_tie(start, 1, 1, 1, start);
        }
        if (!positions) printf("%s stopped at step %llu of %d\n", name, (unsigned long long)most, cells);
        else {
            printf("%s %llu %llu %llu %llu %llu %.9Lf %.9Lf", name, (unsigned long long)tours, (unsigned long long)closed,
                   (unsigned long long)dead_ends, (unsigned long long)chance, (unsigned long long)chance_closed, near,
                   near_closed);
            printf(layers ? " %llu %llu\n" : "\n", (unsigned long long)positions, (unsigned long long)most);
        }
        fflush(stdout);
    }
    return 0;
}
