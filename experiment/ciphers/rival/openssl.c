/*
 * What OpenSSL makes of the records of "walbench ciphers": a program that walbench
 * builds, starts and asks over a pipe. It says two lines when it begins, the
 * version of the library and the compiler; then each line in has one line out:
 *
 *   run SUITE CALL MIN MAX COUNT N   nanoseconds for N records of the ring
 *   setup SUITE N                    nanoseconds for N contexts with a fresh key
 *   show SUITE CALL MIN MAX COUNT    all destinations after one pass, in hex
 *
 * or "error ..." if that went wrong. It ends at the end of its input, and not by
 * an interrupt from the keyboard, which walbench answers.
 *
 * The ring has the layout of ring.go: COUNT records, of MIN bytes or of lengths
 * drawn up to MAX, at multiples of 8, the destination offset by 2048 bytes modulo
 * 4096, with touched memory behind both.
 *
 * Calls: "per-record" initialises a kept context with a new nonce for each record
 * (never a key or a cipher, and no set_padding, which makes every later init of a
 * CTR context slower). "batch" writes the counter blocks of many records to a
 * buffer, encrypts them in place by one ECB call and XORs them into the records.
 * "stream" is one long CTR stream, cut in pieces as long as the records.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>

#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "error: OpenSSL 3.0 or later is needed"
#endif

#ifdef __AVX__
#include <immintrin.h>
#endif

enum {
	ALIGN = 8,
	SLACK = 64,
	OFFSET = 2048,
	PAGE = 4096,
	BLOCK = 16,
	STREAM = 8192, /* bytes of keystream in a batch */
	MAX_KEY = 64,
	MAX_COUNT = 1 << 20,
	MAX_SIZE = 16 << 20
};

static const uint64_t nonce_hi = UINT64_C(0x0102030405060708);
static const uint64_t ring_seed = 20260720;

struct record {
	uint64_t hi, lo; /* counter of the first block */
	const unsigned char *src;
	unsigned char *dst;
	size_t len;
};

static struct {
	size_t min, max, count, bytes; /* bytes: of one side, without what is behind */
	unsigned char *memory, *dst;
	struct record *recs;
} ring;

static size_t aligned(size_t n, size_t to) { return (n + to - 1) / to * to; }

static unsigned char filler(size_t i) { return (unsigned char)((uint32_t)i * UINT32_C(0x9e3779b1) >> 24); }

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* make_ring builds the ring that is asked for, unless it is there. */
static int make_ring(size_t min, size_t max, size_t count)
{
	uint64_t lengths = ring_seed;
	size_t at = 0, distance, i;

	if (ring.recs != NULL && ring.min == min && ring.max == max && ring.count == count)
		return 1;
	free(ring.recs);
	free(ring.memory);
	ring.memory = NULL;
	ring.recs = malloc(count * sizeof *ring.recs);
	if (ring.recs == NULL)
		return 0;
	ring.min = min, ring.max = max, ring.count = count, ring.bytes = 0;
	for (i = 0; i < count; i++) {
		ring.recs[i].len = min + splitmix(&lengths) % (max - min + 1);
		ring.bytes += aligned(ring.recs[i].len, ALIGN);
	}
	distance = aligned(ring.bytes + SLACK, PAGE) + OFFSET;
	ring.memory = aligned_alloc(PAGE, aligned(distance + ring.bytes + SLACK, PAGE));
	if (ring.memory == NULL) {
		free(ring.recs);
		ring.recs = NULL;
		return 0;
	}
	ring.dst = ring.memory + distance;
	for (i = 0; i < distance + ring.bytes + SLACK; i++)
		ring.memory[i] = filler(i);
	for (i = 0; i < count; i++) {
		ring.recs[i].src = ring.memory + at;
		ring.recs[i].dst = ring.dst + at;
		ring.recs[i].hi = nonce_hi;
		ring.recs[i].lo = (uint64_t)i << 32;
		at += aligned(ring.recs[i].len, ALIGN);
	}
	return 1;
}

static inline void put_big(unsigned char *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, 8);
}

/* context is a suite with its contexts: of the mode itself, and for batches of ECB. */
struct context {
	char suite[32];
	EVP_CIPHER *cipher, *ecb_cipher;
	EVP_CIPHER_CTX *ctx, *ecb;
	int key_bytes;
	int gcm, xts;
};

static struct context contexts[8];

static void make_key(unsigned char *key)
{
	for (int i = 0; i < MAX_KEY; i++)
		key[i] = (unsigned char)(7 * i + 1);
}

static const unsigned char first_iv[BLOCK] = { 1, 2, 3, 4, 5, 6, 7, 8 };

/* restart begins the streams of a suite anew. */
static int restart(struct context *c)
{
	unsigned char key[MAX_KEY];

	make_key(key);
	return EVP_EncryptInit_ex(c->ctx, c->cipher, NULL, key, first_iv);
}

static int open_context(struct context *c, const char *suite)
{
	unsigned char key[MAX_KEY];
	char ecb[16];

	make_key(key);
	snprintf(c->suite, sizeof c->suite, "%s", suite);
	snprintf(ecb, sizeof ecb, "%.7s-ecb", suite); /* aes-128, aes-256 */
	c->cipher = EVP_CIPHER_fetch(NULL, suite, NULL);
	c->ecb_cipher = EVP_CIPHER_fetch(NULL, ecb, NULL);
	c->ctx = EVP_CIPHER_CTX_new();
	c->ecb = EVP_CIPHER_CTX_new();
	if (c->cipher == NULL || c->ecb_cipher == NULL || c->ctx == NULL || c->ecb == NULL)
		return 0;
	c->gcm = EVP_CIPHER_get_mode(c->cipher) == EVP_CIPH_GCM_MODE;
	c->xts = EVP_CIPHER_get_mode(c->cipher) == EVP_CIPH_XTS_MODE;
	return restart(c) && EVP_EncryptInit_ex(c->ecb, c->ecb_cipher, NULL, key, NULL) &&
	       EVP_CIPHER_CTX_set_padding(c->ecb, 0);
}

/* find_context returns the suite's contexts, made at first use; NULL if that fails. */
static struct context *find_context(const char *suite)
{
	for (size_t i = 0; i < sizeof contexts / sizeof *contexts; i++) {
		struct context *c = &contexts[i];

		if (strcmp(c->suite, suite) == 0)
			return c;
		if (c->suite[0] != '\0')
			continue;
		if (open_context(c, suite))
			return c;
		EVP_CIPHER_CTX_free(c->ctx);
		EVP_CIPHER_CTX_free(c->ecb);
		EVP_CIPHER_free(c->cipher);
		EVP_CIPHER_free(c->ecb_cipher);
		memset(c, 0, sizeof *c);
		return NULL;
	}
	return NULL;
}

static int per_record(struct context *c, size_t n)
{
	unsigned char iv[BLOCK] = { 0 };
	int ok = 1, out;
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const struct record *r = &ring.recs[at];

		put_big(iv, nonce_hi);
		put_big(iv + 8, (uint64_t)i << 32);
		ok &= EVP_EncryptInit_ex(c->ctx, NULL, NULL, NULL, iv);
		ok &= EVP_EncryptUpdate(c->ctx, r->dst, &out, r->src, (int)r->len);
		if (++at == ring.count)
			at = 0;
	}
	return ok;
}

static int per_unit(struct context *c, size_t n)
{
	unsigned char iv[BLOCK] = { 0 };
	int ok = 1, out;
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const struct record *r = &ring.recs[at];

		for (int b = 0; b < 8; b++)
			iv[b] = (unsigned char)((uint64_t)i >> 8 * b);
		ok &= EVP_EncryptInit_ex(c->ctx, NULL, NULL, NULL, iv);
		ok &= EVP_EncryptUpdate(c->ctx, r->dst, &out, r->src, (int)r->len);
		if (++at == ring.count)
			at = 0;
	}
	return ok;
}

static int per_sealed(struct context *c, size_t n)
{
	unsigned char iv[BLOCK] = { 0 };
	int ok = 1, out;
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const struct record *r = &ring.recs[at];

		put_big(iv, nonce_hi);
		put_big(iv + 8, (uint64_t)i << 32); /* the nonce is the first 12 bytes */
		ok &= EVP_EncryptInit_ex(c->ctx, NULL, NULL, NULL, iv);
		ok &= EVP_EncryptUpdate(c->ctx, r->dst, &out, r->src, (int)r->len);
		ok &= EVP_EncryptFinal_ex(c->ctx, r->dst + r->len, &out);
		ok &= EVP_CIPHER_CTX_ctrl(c->ctx, EVP_CTRL_AEAD_GET_TAG, BLOCK, r->dst + r->len);
		if (++at == ring.count)
			at = 0;
	}
	return ok;
}

static int stream(struct context *c, size_t n)
{
	int ok = 1, out;
	size_t at = 0;

	for (size_t i = 0; i < n; i++) {
		const struct record *r = &ring.recs[at];

		ok &= EVP_EncryptUpdate(c->ctx, r->dst, &out, r->src, (int)r->len);
		if (++at == ring.count)
			at = 0;
	}
	return ok;
}

/* Thirty-two bytes at any address. */
typedef unsigned char wide __attribute__((vector_size(32), aligned(1), may_alias));

enum { WIDE = sizeof(wide) };

static inline void xor_wide(unsigned char *dst, const unsigned char *src, const unsigned char *key)
{
	*(wide *)dst = *(const wide *)src ^ *(const wide *)key;
}

/* xor_into takes wide steps, the last one over bytes that were done already: a
 * loop over what is left would be guessed wrong for records of random lengths. */
static inline void xor_into(unsigned char *restrict dst, const unsigned char *restrict src,
			    const unsigned char *restrict key, size_t n)
{
	size_t i;

	if (n < WIDE) {
		for (i = 0; i < n; i++)
			dst[i] = src[i] ^ key[i];
		return;
	}
	for (i = 0; i + WIDE < n; i += WIDE)
		xor_wide(dst + i, src + i, key + i);
	xor_wide(dst + n - WIDE, src + n - WIDE, key + n - WIDE);
}

/* piece is a part of a record that has its keystream at a place of the batch. */
struct piece {
	const unsigned char *src;
	unsigned char *dst;
	size_t at, len;
};

static unsigned char keystream[STREAM] __attribute__((aligned(64)));
static struct piece pieces[STREAM / BLOCK];

static int flush(struct context *c, size_t bytes, size_t n)
{
	int out, ok;

	ok = EVP_EncryptUpdate(c->ecb, keystream, &out, keystream, (int)bytes);
	for (size_t i = 0; i < n; i++)
		xor_into(pieces[i].dst, pieces[i].src, keystream + pieces[i].at, pieces[i].len);
	return ok;
}

static int batch(struct context *c, size_t n)
{
	size_t used = 0, count = 0, at = 0;
	int ok = 1;

	for (size_t i = 0; i < n; i++) {
		const struct record *r = &ring.recs[at];
		uint64_t lo = r->lo;

		for (size_t done = 0; done < r->len;) {
			size_t len = r->len - done, bytes;

			if (used == STREAM || (used > 0 && len <= STREAM && aligned(len, BLOCK) > STREAM - used)) {
				ok &= flush(c, used, count);
				used = count = 0;
			}
			if (len > STREAM - used)
				len = STREAM - used;
			bytes = aligned(len, BLOCK);
			for (size_t b = 0; b < bytes; b += BLOCK) {
				put_big(keystream + used + b, r->hi);
				put_big(keystream + used + b + 8, lo++);
			}
			pieces[count++] = (struct piece){ r->src + done, r->dst + done, used, len };
			used += bytes;
			done += len;
		}
		if (++at == ring.count)
			at = 0;
	}
	return ok & (used == 0 || flush(c, used, count));
}

static int work(struct context *c, const char *call, size_t n)
{
	if (strcmp(call, "batch") == 0)
		return batch(c, n);
	if (strcmp(call, "stream") == 0)
		return stream(c, n);
	if (c->gcm)
		return per_sealed(c, n);
	if (c->xts)
		return per_unit(c, n);
	return per_record(c, n);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* clean_vectors makes sure that no code before has left the upper halves of the
 * vector registers dirty, which makes some code many times slower. */
static void clean_vectors(void)
{
#ifdef __AVX__
	_mm256_zeroupper();
#endif
}

static void answer_ns(int ok, uint64_t ns)
{
	if (ok)
		printf("%" PRIu64 "\n", ns > 0 ? ns : 1);
	else
		printf("error OpenSSL refused to encrypt\n");
}

/* run warms up before it takes the time: the process has just been woken. */
static void run(struct context *c, const char *call, size_t n)
{
	size_t warm = strcmp(call, "batch") == 0 ? aligned(n / 4 + 1, ring.count) : n / 4 + 1;
	uint64_t start;
	int ok;

	clean_vectors();
	ok = work(c, call, warm);
	clean_vectors();
	start = now();
	ok &= work(c, call, n);
	answer_ns(ok, now() - start);
}

static void show(struct context *c, const char *call)
{
	if (!restart(c) || !work(c, call, ring.count)) {
		answer_ns(0, 0);
		return;
	}
	for (size_t i = 0; i < ring.bytes; i++)
		printf("%02x", ring.dst[i]);
	printf("\n");
}

static void setup(struct context *c, size_t n)
{
	unsigned char key[MAX_KEY];
	uint64_t start;
	int ok = 1;

	make_key(key);
	clean_vectors();
	start = now();
	for (size_t i = 0; i < n; i++) {
		EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

		key[0]++;
		ok &= ctx != NULL && EVP_EncryptInit_ex(ctx, c->cipher, NULL, key, first_iv);
		EVP_CIPHER_CTX_free(ctx);
	}
	answer_ns(ok, now() - start);
}

static void answer(const char *line)
{
	char command[8], suite[32], call[16];
	size_t min, max, count, n = 1;
	struct context *c;
	int words;

	if (sscanf(line, "setup %31s %zu", suite, &n) == 2) {
		if ((c = find_context(suite)) == NULL)
			printf("error OpenSSL has no %s\n", suite);
		else
			setup(c, n);
		return;
	}
	words = sscanf(line, "%7s %31s %15s %zu %zu %zu %zu", command, suite, call, &min, &max, &count, &n);
	if (words < 6 || min < 1 || max < min || max > MAX_SIZE || count < 1 || count > MAX_COUNT)
		printf("error not understood: %.60s\n", line);
	else if ((c = find_context(suite)) == NULL)
		printf("error OpenSSL has no %s\n", suite);
	else if (!make_ring(min, max, count))
		printf("error no memory\n");
	else if (strcmp(command, "run") == 0 && words == 7)
		run(c, call, n);
	else if (strcmp(command, "show") == 0)
		show(c, call);
	else
		printf("error not understood: %.60s\n", line);
}

int main(void)
{
	char line[256];

	signal(SIGINT, SIG_IGN);
	printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
#ifdef __clang__
	printf("%s\n", __VERSION__);
#else
	printf("gcc %s\n", __VERSION__);
#endif
	fflush(stdout);
	while (fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		answer(line);
		fflush(stdout);
	}
	return 0;
}
