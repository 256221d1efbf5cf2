package suite

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextfragments/conform/conformance/adapter"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/go-json-experiment/json/jsontext"
)

// The benchmark compares three ways to put the same cases to the same adapter, one that gives the
// params back as the result:
//
//   - bare: write the lines and read as many back; no JSON, no ids, no deadlines
//   - run: Gather and Judge, which is what conform adds
//   - specs: Gather and Assert, with a Ginkgo spec a case
const (
	benchCases  = 4000 // each a spec of its own
	benchRounds = 5
)

// echo is the adapter.
func echo() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	for {
		if in.Buffered() == 0 && out.Flush() != nil {
			return
		}
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		if bytes.Contains(line[:min(len(line), 64)], []byte(`"initialize"`)) {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":1,"result":{"protocol_version":"1","implementation":{"name":"echo","version":"1"},"profiles":[%q],"methods":[%q]}}`+"\n",
				protocol.ContextFragments, protocol.FragmentRender)
			continue
		}
		head, params, _ := bytes.Cut(line, []byte(`,"params":`))
		id := head[:bytes.Index(head, []byte(`,"method"`))]
		out.Write(id)
		out.WriteString(`,"result":`)
		out.Write(params) // with the brace and the line feed of the request
	}
}

func benchSuite(count int) []Case {
	cases := make([]Case, count)
	for i := range cases {
		text := jsontext.Value(fmt.Sprintf(`{"fragment":{"type":"generic","role":"user","start":"<a>","end":"</a>","body":%q,"n":%d}}`, strings.Repeat("a line of text\n", 12), i))
		cases[i] = Case{
			ID: fmt.Sprintf("rendering/case-%d", i), File: "rendering/x.json", Title: "Holds", Why: "Because.", Level: Core, Tags: []string{}, Requirements: []string{"DET-1"},
			Profiles: []string{protocol.ContextFragments}, Method: protocol.FragmentRender, Params: text, Result: text,
		}
	}
	return cases
}

// measured is the time of each way, in microseconds a case.
type measured struct{ Bare, Run, Specs float64 }

// measure prints one round.
func measure(count int) {
	os.Setenv(role, "echo")
	cases := benchSuite(count)
	var m measured
	var err error
	if m.Bare, err = measureBare(cases); err == nil {
		m.Run, m.Specs, err = measureRuns(cases)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_ = json.NewEncoder(os.Stdout).Encode(m)
}

func measureBare(cases []Case) (float64, error) {
	child := exec.Command(os.Args[0])
	in, err := child.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := child.StdoutPipe()
	if err != nil {
		return 0, err
	}
	lines := make([][]byte, len(cases))
	for i, c := range cases {
		lines[i] = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}`+"\n", i, c.Method, c.Params)
	}
	if err := child.Start(); err != nil {
		return 0, err
	}
	back := bufio.NewReaderSize(out, 1<<16)
	if _, err := in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n")); err != nil {
		return 0, err
	}
	if _, err := back.ReadSlice('\n'); err != nil { // the process is up, as it is when Gather begins
		return 0, err
	}
	start := time.Now()
	window := make(chan struct{}, 64)
	go func() {
		for _, line := range lines {
			window <- struct{}{}
			_, _ = in.Write(line)
		}
		_ = in.Close()
	}()
	for range lines {
		if _, err := back.ReadSlice('\n'); err != nil {
			return 0, err
		}
		<-window
	}
	return perCase(start, cases), child.Wait()
}

func measureRuns(cases []Case) (run, specs float64, err error) {
	gather := func() ([]Run, []*adapter.Outcome, time.Time, error) {
		pool, handshake, err := adapter.Start(context.Background(), adapter.Config{Command: []string{os.Args[0]}})
		if err != nil {
			return nil, nil, time.Time{}, err
		}
		defer pool.Close()
		runs := Plan(cases, Selection{}, handshake)
		start := time.Now()
		outcomes, err := Gather(context.Background(), pool.Run, runs, nil)
		return runs, outcomes, start, err
	}
	runs, outcomes, start, err := gather()
	if err != nil {
		return 0, 0, err
	}
	for i := range runs {
		if judgement := judgeRun(&runs[i], outcomes[i]); judgement.Verdict != Passed {
			return 0, 0, fmt.Errorf("run %d: %s %s", i, judgement.Verdict, judgement)
		}
	}
	run = perCase(start, cases)
	if runs, outcomes, start, err = gather(); err != nil {
		return 0, 0, err
	}
	Assert(runs, outcomes, 1)
	return run, perCase(start, cases), nil
}

func perCase(start time.Time, cases []Case) float64 {
	return float64(time.Since(start).Nanoseconds()) / 1000 / float64(len(cases))
}

// BenchmarkPipeline prints what conform adds to the wire. Run it with -benchtime 1x: a round is a
// process of its own, because Ginkgo runs once in a process.
func BenchmarkPipeline(b *testing.B) {
	for b.Loop() {
		rounds := [3][]float64{}
		for range benchRounds {
			output, stderr, err := inRole("measure", fmt.Sprint(benchCases))
			if err != nil {
				b.Fatalf("%v\n%s", err, stderr)
			}
			var m measured
			if err := json.Unmarshal(output, &m); err != nil {
				b.Fatalf("%v in %s", err, output)
			}
			for i, us := range []float64{m.Bare, m.Run, m.Specs} {
				rounds[i] = append(rounds[i], us)
			}
		}
		medians := [3]float64{}
		for i := range rounds {
			slices.Sort(rounds[i])
			medians[i] = rounds[i][len(rounds[i])/2]
		}
		printTable(medians)
		b.ReportMetric(medians[1]-medians[0], "µs/case-added")
		b.ReportMetric(medians[2]-medians[0], "µs/case-added-with-specs")
	}
}

func printTable(medians [3]float64) {
	fmt.Printf("\n%d cases through stdio against an echo adapter, median of %d rounds\n\n", benchCases, benchRounds)
	fmt.Printf("  %-36s %9s %9s %9s\n", "", "µs/case", "ratio", "added µs")
	for i, name := range []string{"bare pipe", "conform: call and judge", "conform: with a Ginkgo spec a case"} {
		fmt.Printf("  %-36s %9.1f %9.1f %9.1f\n", name, medians[i], medians[i]/medians[0], medians[i]-medians[0])
	}
	fmt.Println()
}
