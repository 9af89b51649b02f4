package aesctr

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// askSelected is the environment variable that makes the test binary say which
// implementation it selected, and end.
const askSelected = "AESCTR_TEST_ASK_SELECTED"

func TestMain(m *testing.M) {
	if os.Getenv(askSelected) != "" {
		i, err := Selected()
		fmt.Printf("%s\n%v\n", i.Name, err)
		os.Exit(0)
	}
	fmt.Println(exercised())
	os.Exit(m.Run())
}

// exercised says what a test run on this machine proves, and what it does not.
func exercised() string {
	var not []string
	for _, i := range Implementations() {
		if !i.Supported() {
			not = append(not, i.Name+" (needs "+i.Missing+")")
		}
	}
	if len(not) == 0 {
		not = []string{"none, all of this build ran"}
	}
	return "aesctr: this machine exercises: " + names(Supported()) + "; not: " + strings.Join(not, ", ")
}

// forEach runs a test of every implementation that can run here.
func forEach(t *testing.T, test func(t *testing.T, impl *Implementation)) {
	t.Helper()
	ran := 0
	for _, i := range Implementations() {
		if !i.Supported() {
			t.Logf("%s left out: needs %s", i.Name, i.Missing)
			continue
		}
		ran++
		t.Run(i.Name, func(t *testing.T) { test(t, i) })
	}
	if ran == 0 {
		t.Fatal("no implementation can run here, not even stdlib")
	}
}

// forEachKey runs a test of every implementation with a key of each size.
func forEachKey(t *testing.T, test func(t *testing.T, impl *Implementation, key []byte)) {
	t.Helper()
	forEach(t, func(t *testing.T, impl *Implementation) {
		for _, size := range keySizes {
			t.Run(fmt.Sprint(8*size), func(t *testing.T) { test(t, impl, testKey(size)) })
		}
	})
}

var keySizes = []int{16, 32} // bytes

func TestImplementations(t *testing.T) {
	t.Log(exercised())
	list := Implementations()
	if last := list[len(list)-1]; last != stdlib || !last.Supported() {
		t.Errorf("the last implementation is %v, want stdlib, which runs anywhere", last)
	}
	seen := map[string]bool{}
	for _, i := range list {
		if i.Name == "" || i.Summary == "" || seen[i.Name] {
			t.Errorf("%+v: name or summary missing, or the name is taken", i)
		}
		seen[i.Name] = true
	}
	list[0] = nil
	if Implementations()[0] == nil {
		t.Error("the caller can change the list")
	}
}
