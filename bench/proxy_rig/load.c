/* Callers: STREAMS connections, each asking again and again, reading frames as they come.
 *
 *     load PORT STREAMS ROUNDS FRAMES SPREAD_MS BODY_FILE HEADERS_FILE
 *
 * Prints one JSON line: streams that ended well, frames lost or out of order, times to the first frame
 * and gaps between frames (ms, percentiles), and how long it all took. Callers start spread over SPREAD_MS.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 4096
struct caller { int fd, left, next, done, failed; double asked, seen, start; char end[16]; char carry[8]; int carried; };
static struct caller callers[MOST];
static char request[1 << 20]; static int request_size, port, frames, poller;
static double *firsts, *gaps; static long first_count, gap_count; static long lost, ended, broken; static int running;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }

static void again(struct caller *c);

static void open_one(struct caller *c, int id) {
    int on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(c->fd, (void *)&at, sizeof at)) { perror("connect"); exit(1); }
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = id};
    epoll_ctl(poller, EPOLL_CTL_ADD, c->fd, &event);
}

static void again(struct caller *c) {
    c->next = c->done = c->carried = 0; c->seen = 0; memset(c->end, 0, sizeof c->end);
    c->asked = now();
    if (send(c->fd, request, request_size, MSG_NOSIGNAL) != request_size) { perror("send"); exit(1); }
}

static void finish(struct caller *c, int whole) {
    if (c->next != frames) lost += frames - c->next;
    if (whole) ended++; else broken++;
    if (--c->left > 0) {
        if (!whole) { close(c->fd); open_one(c, (int)(c - callers)); }
        again(c);
    } else { close(c->fd); running--; }
}

static void take(struct caller *c, char *data, int size) {
    double t = now();
    static char joined[(1 << 17) + 8];
    memcpy(joined, c->carry, c->carried); memcpy(joined + c->carried, data, size);
    int length = c->carried + size, at = 0;
    char *p;
    while (at < length && (p = memchr(joined + at, '~', length - at))) {
        at = p - joined;
        if (length - at < 6) break;
        if (p[5] == '~') {
            int n = atoi(p + 1);
            if (n != c->next) { lost++; }
            if (n == 0) firsts[first_count++] = t - c->asked; else gaps[gap_count++] = t - c->seen;
            c->seen = t; c->next = n + 1; at += 6;
        } else at++;
        if (at >= length) break;
    }
    c->carried = 0;
    p = memchr(joined + (at < length ? at : length), '~', at < length ? length - at : 0);
    if (p && joined + length - p < 6) { c->carried = joined + length - p; memcpy(c->carry, p, c->carried); }
    int keep = size < 5 ? size : 5;
    memmove(c->end, c->end + keep, 5 - keep); memcpy(c->end + 5 - keep, data + size - keep, keep);
    if (!memcmp(c->end, "0\r\n\r\n", 5)) finish(c, 1);
}

static int ascending(const void *a, const void *b) { double x = *(double *)a, y = *(double *)b; return (x > y) - (x < y); }
static double at(double *v, long n, double q) { return n ? v[(long)((n - 1) * q)] * 1000 : 0; }

static char *file(const char *name, int *size) {
    static char found[1 << 19]; FILE *f = fopen(name, "r"); *size = fread(found, 1, sizeof found, f); fclose(f); return found;
}

int main(int argc, char **argv) {
    (void)argc; port = atoi(argv[1]); int streams = atoi(argv[2]), rounds = atoi(argv[3]); frames = atoi(argv[4]);
    double spread = atof(argv[5]) / 1000; int body_size, head_size;
    char *body = file(argv[6], &body_size); char *kept = malloc(body_size); memcpy(kept, body, body_size);
    char *extra = file(argv[7], &head_size); extra[head_size] = 0;
    request_size = sprintf(request, "POST /v1/chat/completions HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        "Authorization: Bearer sk-bench\r\n%sContent-Length: %d\r\n\r\n", extra, body_size);
    memcpy(request + request_size, kept, body_size); request_size += body_size;
    firsts = malloc(sizeof(double) * streams * rounds); gaps = malloc(sizeof(double) * (long)streams * rounds * frames);
    poller = epoll_create1(0); running = streams;
    for (int i = 0; i < streams; i++) { callers[i].left = rounds; open_one(&callers[i], i); }
    double began = now(); int started = 0;
    for (int i = 0; i < streams; i++) callers[i].start = began + spread * i / streams;
    static char data[1 << 17];
    while (running > 0) {
        double t = now();
        while (started < streams && callers[started].start <= t) again(&callers[started++]);
        struct epoll_event found[256];
        int count = epoll_wait(poller, found, 256, started < streams ? 1 : 5000);
        if (count == 0 && started == streams) { fprintf(stderr, "nothing came for 5 s\n"); lost += running; break; }
        for (int i = 0; i < count; i++) {
            struct caller *c = &callers[found[i].data.u32];
            ssize_t got = recv(c->fd, data, sizeof data, 0);
            if (got <= 0) { finish(c, 0); continue; }
            take(c, data, got);
        }
    }
    double took = now() - began;
    qsort(firsts, first_count, sizeof(double), ascending); qsort(gaps, gap_count, sizeof(double), ascending);
    printf("{\"ended\":%ld,\"broken\":%ld,\"lost\":%ld,\"first_p50\":%.4f,\"first_p99\":%.4f,\"gap_p50\":%.3f,\"gap_p99\":%.3f,"
        "\"took\":%.3f}\n", ended, broken, lost, at(firsts, first_count, .5), at(firsts, first_count, .99),
        at(gaps, gap_count, .5), at(gaps, gap_count, .99), took);
    return 0;
}
