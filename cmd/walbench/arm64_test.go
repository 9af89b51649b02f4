package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// needQEMU is the program that runs arm64 binaries. Without it the test is left
// out, unless WALBENCH_REQUIRE_QEMU says that it must not be.
func needQEMU(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"qemu-aarch64", "qemu-aarch64-static"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("WALBENCH_REQUIRE_QEMU") != "" {
		t.Fatal("no qemu-aarch64, and WALBENCH_REQUIRE_QEMU is set: install qemu-user")
	}
	t.Skip("no qemu-aarch64 (WALBENCH_REQUIRE_QEMU=1 makes this an error)")
	return ""
}

// A modelled run on an arm64 processor, which has none of the kernels and whose
// compiler fuses multiplications with additions, gives the bytes of one here but
// for the host. Ranges, lists of cores and both planes are in it.
func TestModelledRunIsTheSameOnArm64(t *testing.T) {
	qemu := needQEMU(t)
	program := filepath.Join(t.TempDir(), "walbench")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build for arm64: %v\n%s", err, out)
	}
	for _, args := range [][]string{
		{"run", "--virtual-cores", "32", "--commits", "96", "--clients", "8", "--strategy", "none,in-lock,batched-ctr", "--profile", "reference", "--json", "-"},
		{"run", "--virtual-cores", "1,8", "--workload", "oltp", "--commits", "2000",
			"--strategy", "in-lock,before-lock,batched-ctr,page-in-lock,unsafe-zero-tail", "--profile", "reference", "--json", "-"},
		{"run", "--virtual-cores", "4", "--workload", "small", "--commits", "200", "--clients", "4", "--verify", "--strategy", "none,batched-ctr", "--profile", "reference", "--json", "-"},
	} {
		code, here, stderr := call(args...)
		if code != exitOK {
			t.Fatalf("%v: exit code %d: %s", args, code, stderr)
		}
		there, err := exec.Command(qemu, append([]string{program}, args...)...).Output()
		if err != nil {
			t.Fatalf("%v under %s: %v", args, qemu, err)
		}
		if diff := cmp.Diff(withoutHost(t, []byte(here)), withoutHost(t, there)); diff != "" {
			t.Errorf("%v: here and on arm64:\n%s", args, diff)
		}
	}
}

// withoutHost is a result as text without what describes the machine: its host,
// and with real bytes what did the AES.
func withoutHost(t *testing.T, data []byte) string {
	t.Helper()
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var config map[string]json.RawMessage
	if err := json.Unmarshal(doc["config"], &config); err != nil {
		t.Fatal(err)
	}
	if string(config["data_plane"]) == `"full"` {
		delete(config, "aesctr")
		delete(config, "implementations")
	}
	delete(doc, "host")
	delete(doc, "config")
	out, err := json.MarshalIndent([]any{config, doc}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
