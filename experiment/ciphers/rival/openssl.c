/*
 * The rival of the cipher measurements: libcrypto, called the way a careful C
 * programmer would. It is compiled and driven by the Go package that holds it.
 *
 * It reads one request a line from standard input and answers with one line:
 *
 *   version                            the library's version
 *   open SUITE CALL COUNT STRIDE LEN.. makes subject 0, 1, ...: answers its number;
 *                                      record i is LEN[i mod n] bytes at i * STRIDE
 *   time SUBJECT PASSES                warms up with a pass, then answers the
 *                                      nanoseconds of that many over all records
 *   digest SUBJECT                     one pass over what the source holds, byte i
 *                                      being i mod 251: answers the records in hex
 *   close SUBJECT                      frees its memory
 *
 * Two things would make the library look slow and are avoided: upper halves of
 * vector registers left dirty by whatever ran before (vzeroupper before each
 * measurement), and a call of EVP_CIPHER_CTX_set_padding, which makes every later
 * change of the IV expensive.
 */
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__AVX__)
#include <immintrin.h>
#endif

enum { MAX_SUBJECTS = 4096, BATCH = 8192, BLOCK = 16, MAX_LENGTHS = 8192 };
enum call { PER_RECORD, BATCHED, STREAM, XTS, GCM };

struct subject {
	enum call call;
	EVP_CIPHER_CTX *ctx;
	int count, lengths, *length;
	size_t stride;
	unsigned char *memory, *src, *dst;
	uint64_t nonce;
};

static struct subject subjects[MAX_SUBJECTS];
static int used;
static unsigned char keystream[BATCH + BLOCK];

static void die(const char *what)
{
	fprintf(stderr, "openssl: %s: ", what);
	ERR_print_errors_fp(stderr);
	fprintf(stderr, "\n");
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void put64(unsigned char *p, uint64_t v)
{
	v = __builtin_bswap64(v);
	memcpy(p, &v, 8);
}

/* The counter block of a record: its number, then a block counter from zero. */
static void set_iv(unsigned char iv[16], uint64_t nonce, uint64_t block)
{
	put64(iv, nonce);
	put64(iv + 8, block);
}

static int length_of(const struct subject *s, int i) { return s->length[i % s->lengths]; }

static void each_record(struct subject *s)
{
	unsigned char iv[16];
	int n;
	for (int i = 0; i < s->count; i++) {
		set_iv(iv, s->nonce + (uint64_t)i, 0);
		if (!EVP_EncryptInit_ex(s->ctx, NULL, NULL, NULL, iv) ||
		    !EVP_EncryptUpdate(s->ctx, s->dst + i * s->stride, &n, s->src + i * s->stride, length_of(s, i)))
			die("per-record");
	}
}

static void each_gcm(struct subject *s)
{
	unsigned char iv[16], tag[16];
	int n;
	for (int i = 0; i < s->count; i++) {
		set_iv(iv, s->nonce + (uint64_t)i, 0);
		if (!EVP_EncryptInit_ex(s->ctx, NULL, NULL, NULL, iv) ||
		    !EVP_EncryptUpdate(s->ctx, s->dst + i * s->stride, &n, s->src + i * s->stride, length_of(s, i)) ||
		    !EVP_EncryptFinal_ex(s->ctx, tag, &n) ||
		    !EVP_CIPHER_CTX_ctrl(s->ctx, EVP_CTRL_AEAD_GET_TAG, 16, tag))
			die("gcm");
	}
}

static void one_stream(struct subject *s)
{
	int n;
	for (int i = 0; i < s->count; i++)
		if (!EVP_EncryptUpdate(s->ctx, s->dst + i * s->stride, &n, s->src + i * s->stride, length_of(s, i)))
			die("stream");
}

static void xor_into(unsigned char *restrict dst, const unsigned char *restrict src,
		     const unsigned char *restrict stream, int n)
{
	for (int i = 0; i < n; i++)
		dst[i] = src[i] ^ stream[i];
}

/* Counter blocks of as many records as fit a buffer, one ECB call in place, XOR. */
static void batch(struct subject *s)
{
	int i = 0, done = 0; /* record, and how much of it is done */
	while (i < s->count) {
		int first = i, first_done = done, blocks = 0, n;
		while (i < s->count && blocks < BATCH / BLOCK) {
			int left = (length_of(s, i) - done + BLOCK - 1) / BLOCK;
			int take = left < BATCH / BLOCK - blocks ? left : BATCH / BLOCK - blocks;
			uint64_t nonce = s->nonce + (uint64_t)i, block = (uint64_t)done / BLOCK;
			for (int k = 0; k < take; k++)
				set_iv(keystream + BLOCK * (blocks + k), nonce, block + (uint64_t)k);
			blocks += take;
			if (take < left) {
				done += take * BLOCK;
				break;
			}
			i++, done = 0;
		}
		if (!EVP_EncryptUpdate(s->ctx, keystream, &n, keystream, blocks * BLOCK))
			die("batch");
		const unsigned char *stream = keystream;
		for (int j = first, from = first_done; j < i || (j == i && done > 0); j++, from = 0) {
			int to = j == i ? done : length_of(s, j), m = to - from;
			xor_into(s->dst + j * s->stride + from, s->src + j * s->stride + from, stream, m);
			stream += (m + BLOCK - 1) / BLOCK * BLOCK;
		}
	}
}

static void pass(struct subject *s)
{
	switch (s->call) {
	case PER_RECORD:
	case XTS:
		each_record(s);
		break;
	case BATCHED:
		batch(s);
		break;
	case STREAM:
		one_stream(s);
		break;
	case GCM:
		each_gcm(s);
		break;
	}
	s->nonce += (uint64_t)s->count;
}

static void clean_upper(void)
{
#if defined(__AVX__)
	_mm256_zeroupper();
#endif
}

static void open_subject(char *line)
{
	char suite[64], call[32], name[64];
	int bits, at;
	struct subject *s = &subjects[used];
	if (used == MAX_SUBJECTS || sscanf(line, "open %63s %31s %d %zu%n", suite, call, &s->count, &s->stride, &at) != 4)
		die("open");
	s->length = malloc(MAX_LENGTHS * sizeof(int));
	s->lengths = 0;
	for (char *p = line + at, *end; s->lengths < MAX_LENGTHS; p = end) {
		long n = strtol(p, &end, 10);
		if (end == p)
			break;
		s->length[s->lengths++] = (int)n;
	}
	if (sscanf(suite, "aes-%d-", &bits) != 1 || s->lengths == 0)
		die("suite");
	const char *mode = strstr(suite, "-xts") ? "XTS" : strstr(suite, "-gcm") ? "GCM" : "CTR";
	s->call = PER_RECORD;
	if (!strcmp(mode, "XTS"))
		s->call = XTS;
	else if (!strcmp(mode, "GCM"))
		s->call = GCM;
	else if (!strcmp(call, "stream"))
		s->call = STREAM;
	else if (!strcmp(call, "batch"))
		s->call = BATCHED, mode = "ECB";
	snprintf(name, sizeof name, "AES-%d-%s", bits, mode);
	EVP_CIPHER *cipher = EVP_CIPHER_fetch(NULL, name, NULL);
	unsigned char key[64], iv[16] = {0};
	for (int i = 0; i < 64; i++)
		key[i] = (unsigned char)i;
	s->ctx = EVP_CIPHER_CTX_new();
	if (!cipher || !s->ctx || !EVP_EncryptInit_ex(s->ctx, cipher, NULL, key, iv))
		die(name);
	EVP_CIPHER_free(cipher);
	/* As in the Go program: the destination is half a page off the source. */
	size_t bytes = (s->stride * (size_t)s->count + 4095) / 4096 * 4096;
	if (posix_memalign((void **)&s->memory, 4096, 2 * bytes + 3 * 4096))
		die("memory");
	memset(s->memory, 0, 2 * bytes + 3 * 4096);
	s->src = s->memory;
	s->dst = s->memory + bytes + 2048;
	for (size_t i = 0; i < bytes; i++)
		s->src[i] = (unsigned char)(i % 251);
	s->nonce = 0;
	printf("%d\n", used++);
}

static struct subject *find(const char *line, const char *format, int *passes)
{
	int i;
	if (sscanf(line, format, &i, passes) < 1 || i < 0 || i >= used || !subjects[i].ctx)
		die("no such subject");
	return &subjects[i];
}

static void digest(struct subject *s)
{
	s->nonce = 0;
	pass(s);
	for (int i = 0; i < s->count; i++)
		for (int k = 0; k < length_of(s, i); k++)
			printf("%02x", s->dst[i * s->stride + k]);
	printf("\n");
}

static void time_subject(struct subject *s, int passes)
{
	clean_upper();
	pass(s);
	uint64_t start = now_ns();
	for (int i = 0; i < passes; i++)
		pass(s);
	printf("%llu\n", (unsigned long long)(now_ns() - start));
}

int main(void)
{
	char *line = NULL;
	size_t size = 0;
	int passes = 1;
	while (getline(&line, &size, stdin) > 0) {
		if (!strncmp(line, "version", 7)) {
			printf("%s\n", OpenSSL_version(OPENSSL_VERSION));
		} else if (!strncmp(line, "open ", 5)) {
			open_subject(line);
		} else if (!strncmp(line, "time ", 5)) {
			struct subject *s = find(line, "time %d %d", &passes);
			time_subject(s, passes);
		} else if (!strncmp(line, "digest ", 7)) {
			digest(find(line, "digest %d", &passes));
		} else if (!strncmp(line, "close ", 6)) {
			struct subject *s = find(line, "close %d", &passes);
			EVP_CIPHER_CTX_free(s->ctx);
			free(s->memory);
			free(s->length);
			s->ctx = NULL;
		} else {
			die("unknown request");
		}
		fflush(stdout);
	}
	free(line);
	return 0;
}
