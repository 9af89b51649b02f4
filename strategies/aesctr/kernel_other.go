//go:build !amd64 || purego

package aesctr

// schedule is empty where there are no kernels; none of what follows is ever
// called there.
type schedule struct{}

const noKernel = "aesctr: no kernels in this build"

func (s *schedule) bytes() *byte                           { panic(noKernel) }
func (s *schedule) expand([]byte)                          { panic(noKernel) }
func (c *Cipher) xorPiece(_, _ []byte, _ Counter, _ int)   { panic(noKernel) }
func xorVAES512(_, _, _ *byte, _ int, _, _ uint64, _ int)  { panic(noKernel) }
func (c *Cipher) recordsPiece(_ []Record, _, _ int) int    { panic(noKernel) }
func (c *Cipher) encryptPiece(_, _ []byte)                 { panic(noKernel) }
func (c *Cipher) decryptPiece(_, _ []byte)                 { panic(noKernel) }
func (c *Cipher) xtsEncryptPiece(_, _ []byte, _ *tweak)    { panic(noKernel) }
func (c *Cipher) xtsDecryptPiece(_, _ []byte, _ *tweak)    { panic(noKernel) }
func (i *Implementation) unitRounds(int) (blockRounds int) { return 0 }
