package suite

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// role is set in the environment of a process in which this binary is something else than a test:
// Ginkgo runs once in a process, and an adapter is a process.
const role = "CONFORM_TEST_ROLE"

func TestMain(m *testing.M) {
	name, argument, _ := strings.Cut(os.Getenv(role), " ")
	count, _ := strconv.Atoi(argument)
	switch name {
	case "assert":
		assertSamples(count)
	case "interrupt":
		interruptAfterAssert()
	case "echo":
		echo()
	case "measure":
		measure(count)
	default:
		os.Exit(m.Run())
	}
}

// inRole runs this binary in a role and returns what it prints.
func inRole(name, argument string) (stdout []byte, stderr string, err error) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), role+"="+name+" "+argument)
	var errors strings.Builder
	child.Stderr = &errors
	stdout, err = child.Output()
	return stdout, errors.String(), err
}
