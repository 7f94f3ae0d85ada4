/* A gateway that costs next to nothing: answers each request with a stream of frames, at once or paced.
 *
 *     upstream PORT FRAMES FIRST_MS GAP_MS
 *
 * One thread, epoll. A frame is a chat chunk that carries ~NNNN~, so that whoever reads can count and
 * order frames. All pauses are alike, so two queues in arrival order take the place of timers.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 8192
#define ROOM (1 << 17)

struct conn { char in[ROOM]; int got, next, busy, first; double due; };
static struct conn *conns[MOST];
static int queues[2][MOST * 2], heads[2], tails[2]; /* 0: before the first frame, 1: between frames */
static int frames; static double first_s, gap_s;

static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec / 1e9; }

static void say(int fd, const char *text, int length) {
    while (length > 0) {
        ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
        if (sent < 0) { if (errno == EAGAIN) { usleep(100); continue; } return; }
        text += sent; length -= sent;
    }
}

static int frame(char *out, int n) {
    char data[512];
    int size = sprintf(data, "data: {\"id\":\"gen-1796000000-bench\",\"provider\":\"Amber Cloud\",\"model\":\"acme/story-70b\","
        "\"object\":\"chat.completion.chunk\",\"created\":1796000000,\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\","
        "\"content\":\" ~%04d~\"},\"finish_reason\":%s}]}\n\n", n, n == frames - 1 ? "\"stop\"" : "null");
    return sprintf(out, "%x\r\n%s\r\n", size, data);
}

static int last(char *out) {
    return sprintf(out, "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
}

static int head(char *out) {
    return sprintf(out, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Generation-Id: gen-1796000000-bench\r\n"
        "Transfer-Encoding: chunked\r\n\r\n");
}

static void later(int fd, int which) {
    conns[fd]->due = which ? conns[fd]->due + gap_s : now() + first_s;
    queues[which][tails[which]++ % (MOST * 2)] = fd;
}

static void answer(int fd) {
    struct conn *c = conns[fd];
    static char out[1 << 16];
    int size = head(out);
    if (gap_s > 0 || first_s > 0) { say(fd, out, size); c->busy = 1; c->next = 0; later(fd, 0); return; }
    for (int n = 0; n < frames; n++) size += frame(out + size, n);
    size += last(out + size);
    say(fd, out, size);
}

static void turn(int fd) { /* one paced frame is due */
    struct conn *c = conns[fd];
    char out[2048];
    int size = frame(out, c->next++);
    if (c->next == frames) { size += last(out + size); c->busy = 0; } else later(fd, 1);
    say(fd, out, size);
}

static int whole(struct conn *c) { /* the size of a whole request, or 0 */
    c->in[c->got] = 0;
    char *end = strstr(c->in, "\r\n\r\n");
    if (!end) return 0;
    int size = end - c->in + 4;
    char *length = strcasestr(c->in, "\r\ncontent-length:");
    if (length && length < end) { size += atoi(length + 17); return c->got >= size ? size : 0; }
    char *coded = strcasestr(c->in, "\r\ntransfer-encoding:");
    if (coded && coded < end) { char *done = strstr(end, "\r\n0\r\n\r\n"); return done ? done - c->in + 7 : 0; }
    return size;
}

static void drop(int fd) { if (conns[fd]) { conns[fd]->busy = 0; conns[fd]->got = 0; conns[fd]->due = 0; } close(fd); }

int main(int argc, char **argv) {
    int port = atoi(argv[1]), on = 1, server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)argc; frames = atoi(argv[2]); first_s = atof(argv[3]) / 1000; gap_s = atof(argv[4]) / 1000;
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(server, (void *)&at, sizeof at) || listen(server, 4096)) { perror("listen"); return 1; }
    int poll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = server}, found[256];
    epoll_ctl(poll, EPOLL_CTL_ADD, server, &event);
    for (;;) {
        double wait = -1, t = now();
        for (int q = 0; q < 2; q++) {
            while (heads[q] != tails[q]) {
                int fd = queues[q][heads[q] % (MOST * 2)];
                struct conn *c = conns[fd];
                if (c->due == 0 || !c->busy) { heads[q]++; continue; }
                if (c->due > t) { if (wait < 0 || c->due - t < wait) wait = c->due - t; break; }
                heads[q]++; turn(fd);
            }
        }
        struct timespec pause = {(time_t)wait, (long)((wait - (time_t)wait) * 1e9)};
        int count = epoll_pwait2(poll, found, 256, wait < 0 ? 0 : &pause, 0);
        for (int i = 0; i < count; i++) {
            int fd = found[i].data.fd;
            if (fd == server) {
                int made;
                while ((made = accept4(server, 0, 0, SOCK_NONBLOCK)) >= 0) {
                    if (made >= MOST) { close(made); continue; }
                    if (!conns[made]) conns[made] = calloc(1, sizeof(struct conn));
                    conns[made]->got = conns[made]->busy = 0;
                    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                    event.events = EPOLLIN; event.data.fd = made;
                    epoll_ctl(poll, EPOLL_CTL_ADD, made, &event);
                }
                continue;
            }
            struct conn *c = conns[fd];
            ssize_t got = recv(fd, c->in + c->got, ROOM - 1 - c->got, 0);
            if (got <= 0) { if (got < 0 && errno == EAGAIN) continue; drop(fd); continue; }
            c->got += got;
            int size;
            while (!c->busy && (size = whole(c))) {
                memmove(c->in, c->in + size, c->got - size); c->got -= size;
                answer(fd);
            }
        }
    }
}
