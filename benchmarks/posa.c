/* Baseline of path rotations (Posa 1976): one growing path, in forty lines of C.

   Input: n and m, then m edges between vertices 0 to n - 1. Output: the vertices of a Hamiltonian cycle, or
   "none found" after a number of rotations per vertex (the argument; 1000 without it).

       cc -O2 -o posa posa.c && ./posa < edges
*/
#include <stdio.h>
#include <stdlib.h>

static int n, m, length, *low, *head, *path, *place, *unused;

static void append(int v) {
    path[length] = v;
    place[v] = length++;
    for (int e = low[v]; e < low[v + 1]; e++) unused[head[e]]--;
}

static void reverse(int i, int j) {
    for (; i < j; i++, j--) {
        int a = path[i], b = path[j];
        path[i] = b; place[b] = i;
        path[j] = a; place[a] = j;
    }
}

static int adjacent(int a, int b) {
    for (int e = low[a]; e < low[a + 1]; e++) if (head[e] == b) return 1;
    return 0;
}

int main(int argc, char **argv) {
    if (scanf("%d %d", &n, &m) != 2 || n < 3) return 2;
    int *ends = malloc(2 * sizeof(int) * (m + 1));
    low = calloc(n + 2, sizeof(int)); head = malloc(2 * sizeof(int) * (m + 1));
    path = malloc(sizeof(int) * n); place = malloc(sizeof(int) * n); unused = malloc(sizeof(int) * n);
    for (int i = 0; i < 2 * m; i++) {
        if (scanf("%d", ends + i) != 1) return 2;
        low[ends[i] + 2]++;
    }
    for (int v = 0; v <= n; v++) low[v + 1] += low[v];
    for (int i = 0; i < 2 * m; i++) head[low[ends[i] + 1]++] = ends[i ^ 1];
    for (int v = 0; v < n; v++) { place[v] = -1; unused[v] = low[v + 1] - low[v]; }
    long allowed = (argc > 1 ? atol(argv[1]) : 1000) * n;
    append(rand() % n);
    while (allowed-- > 0) {
        int first = path[0], last = path[length - 1], best = -1;
        for (int e = low[last]; e < low[last + 1]; e++)  /* extend: fewest unused neighbours first */
            if (place[head[e]] < 0 && (best < 0 || unused[head[e]] < unused[best])) best = head[e];
        if (best >= 0) { append(best); continue; }
        if (unused[first] > 0) { reverse(0, length - 1); continue; }
        if (length > 2 && adjacent(first, last)) {
            if (length == n) {
                for (int i = 0; i < n; i++) printf("%d ", path[i]);
                return puts("") < 0;
            }
            int k = rand() % length, tries = length;  /* open the cycle where it can be extended */
            while (tries-- > 0 && !unused[path[k]]) k = (k + 1) % length;
            if (!unused[path[k]]) break;
            reverse(0, k - 1);
            reverse(k, length - 1);
            continue;
        }
        int degree = low[last + 1] - low[last], start = rand() % degree, i = -1;  /* rotate */
        for (int k = 0; k < degree; k++) {
            int j = place[head[low[last] + (start + k) % degree]];
            if (j == length - 2) continue;
            if (i < 0) i = j;
            if (unused[path[j + 1]] > 0 || adjacent(path[j + 1], first)) { i = j; break; }
        }
        if (i < 0 || rand() % 2) reverse(0, length - 1);
        else reverse(i + 1, length - 1);
    }
    puts("none found");
    return 1;
}
