// Encrypts or decrypts standard input with AES-XTS as libcrypto does it:
//
//	xts e|d KEYHEX TWEAKHEX UNIT
//
// Standard input is any number of data units of UNIT bytes each, all under the
// same tweak. The test of XTS compiles this, since `openssl enc` has no XTS.
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int unhex(const char *hex, unsigned char *out, int max) {
	int n = 0;
	for (; n < max && sscanf(hex + 2 * n, "%2hhx", out + n) == 1; n++)
		;
	return n;
}

int main(int argc, char **argv) {
	unsigned char key[64], tweak[16];
	static unsigned char in[1 << 16], out[1 << 16];
	if (argc != 5)
		return 2;
	int key_len = unhex(argv[2], key, sizeof key), unit = atoi(argv[4]), n = 0;
	if (unhex(argv[3], tweak, sizeof tweak) != 16 || unit < 16 || unit > (int)sizeof in)
		return 2;
	const EVP_CIPHER *cipher = key_len == 32 ? EVP_aes_128_xts() : EVP_aes_256_xts();
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	if (ctx == NULL || EVP_CIPHER_key_length(cipher) != key_len)
		return 3;
	while (fread(in, 1, unit, stdin) == (size_t)unit) {
		if (EVP_CipherInit_ex(ctx, cipher, NULL, key, tweak, argv[1][0] == 'e') != 1 ||
		    EVP_CipherUpdate(ctx, out, &n, in, unit) != 1 || n != unit)
			return 3;
		fwrite(out, 1, unit, stdout);
	}
	EVP_CIPHER_CTX_free(ctx);
	return fflush(stdout) == 0 ? 0 : 3;
}
