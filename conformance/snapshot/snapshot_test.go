package snapshot

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bradleyjkemp/cupaloy/v2"
	"github.com/contextfragments/conform/conformance/protocol"
	"github.com/contextfragments/conform/conformance/suite"
	"github.com/contextfragments/conform/fixtures"
	"github.com/contextfragments/conform/reference/jsonvalue"
	"github.com/contextfragments/conform/reference/serve"
	"github.com/contextfragments/conform/snapshots"
	"github.com/go-json-experiment/json"
)

var rewrite = flag.Bool("rewrite-snapshots", false, "write snapshots/ anew from what the cases expect, and delete what no case claims")

const (
	folder = "../../snapshots"
	advice = "if the change is meant: make snapshots"
)

// files compares texts with the files of a folder. Without write it never touches one, a missing
// one included: cupaloy's environment variable and its silent first snapshot are both turned off.
func files(folder string, write bool) *cupaloy.Config {
	return cupaloy.New(
		cupaloy.SnapshotSubdirectory(folder),
		cupaloy.SnapshotFileExtension(extension),
		cupaloy.CreateNewAutomatically(write),
		cupaloy.ShouldUpdate(func() bool { return write }),
		cupaloy.FailOnUpdate(false),
	)
}

// compare compares a layout with its file; cupaloy ends what it writes with a line break.
func compare(config *cupaloy.Config, name, layout string) error {
	return config.SnapshotWithName(name, strings.TrimSuffix(layout, "\n"))
}

// claim is what claims one file: a case, or the cases of a thread.
type claim []suite.Case

func (c claim) name() string {
	ids := make([]string, len(c))
	for i := range c {
		ids[i] = c[i].ID
	}
	return name(ids)
}

// expected is the layout of what the cases expect.
func (c claim) expected(t *testing.T) string {
	t.Helper()
	layout, err := Layout(c, c.results())
	if err != nil {
		t.Errorf("%s: %v", c.name(), err)
	}
	return layout
}

func (c claim) results() [][]byte {
	results := make([][]byte, len(c))
	for i := range c {
		results[i] = c[i].Result
	}
	return results
}

// claims returns Claims and Threads with their cases.
func claims(t *testing.T) []claim {
	t.Helper()
	all, err := suite.Load(fixtures.Files)
	if err != nil {
		t.Fatal(err)
	}
	lists := slices.Clone(Threads)
	for _, id := range Claims {
		lists = append(lists, []string{id})
	}
	found := []claim{}
	for i, ids := range lists {
		if slices.ContainsFunc(lists[:i], func(other []string) bool { return name(other) == name(ids) }) {
			t.Errorf("%s is claimed twice", name(ids))
			continue
		}
		cases := claim{}
		for _, id := range ids {
			at := slices.IndexFunc(all, func(c suite.Case) bool { return c.ID == id })
			switch {
			case at < 0:
				t.Fatalf("%s is claimed and no case", id)
			case all[at].Error != nil:
				t.Fatalf("%s is claimed and expects an error", id)
			}
			cases = append(cases, all[at])
		}
		found = append(found, cases)
	}
	return found
}

// A snapshot is what the cases expect, and what the reference answers now.
func TestSnapshots(t *testing.T) {
	found := claims(t)
	if *rewrite {
		deleteStale(t, found)
	}
	var reference serve.Reference
	declared := initialize(t, reference)
	for _, c := range found {
		if err := compare(files(folder, *rewrite), c.name(), c.expected(t)); err != nil {
			t.Errorf("%s: what is expected is not the snapshot (%s)\n%v", c.name(), advice, err)
			continue
		}
		for _, results := range answers(t, reference, declared, c) {
			if live, err := Layout(c, results); err != nil {
				t.Errorf("%s: what the reference answers has no layout: %v", c.name(), err)
			} else if err := compare(files(folder, false), c.name(), live); err != nil {
				t.Errorf("%s: what the reference answers is not the snapshot\n%v", c.name(), err)
			}
		}
	}
}

// answers calls the implementation for the cases, and returns the results for each profile in
// which they hold.
func answers(t *testing.T, implementation protocol.Implementation, declared protocol.InitializeResult, c claim) [][][]byte {
	t.Helper()
	runs := suite.Plan(c, suite.Selection{}, declared)
	outcomes, err := suite.Gather(t.Context(), suite.InProcess(implementation), runs, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := map[string][][]byte{}
	for i, run := range runs {
		switch {
		case outcomes[i] == nil:
			t.Errorf("%s: %s", run.Name(), run.Skip)
		case outcomes[i].Err != nil:
			t.Errorf("%s: answered with an error: %v", run.Name(), outcomes[i].Err)
		default:
			results[run.Profile] = append(results[run.Profile], outcomes[i].Result)
		}
	}
	whole := [][][]byte{}
	for profile, list := range results {
		if len(list) != len(c) {
			t.Errorf("%s: %d of %d cases answered in the profile %s", c.name(), len(list), len(c), profile)
			continue
		}
		whole = append(whole, list)
	}
	return whole
}

func initialize(t *testing.T, reference serve.Reference) protocol.InitializeResult {
	t.Helper()
	answer, err := reference.Call(t.Context(), protocol.Initialize, protocol.InitializeParams{
		ProtocolVersion: protocol.Version,
		Runner:          protocol.Runner{Name: "conform", Version: "test"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var declared protocol.InitializeResult
	if err := json.Unmarshal(answer, &declared); err != nil {
		t.Fatal(err)
	}
	return declared
}

func deleteStale(t *testing.T, found []claim) {
	t.Helper()
	present, err := filepath.Glob(filepath.Join(folder, "*"+extension))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range present {
		if slices.ContainsFunc(found, func(c claim) bool { return c.name()+extension == filepath.Base(file) }) {
			continue
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		t.Logf("deleted %s", file)
	}
}

// Each file is claimed, each claim has a file, and nothing else lies in the folder.
func TestEveryFileIsClaimed(t *testing.T) {
	want := []string{"embed.go"}
	for _, c := range claims(t) {
		want = append(want, c.name()+extension)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		at := slices.Index(want, entry.Name())
		if at < 0 {
			t.Errorf("snapshots/%s: no case claims it (%s)", entry.Name(), advice)
			continue
		}
		want = slices.Delete(want, at, at+1)
	}
	for _, file := range want {
		t.Errorf("snapshots/%s is missing (%s)", file, advice)
	}
}

// The files are plain texts with the header first and LF line ends. cupaloy would accept a Go dump
// of the text in place of the text: the header tells.
func TestFilesAreText(t *testing.T) {
	var tree fs.FS = snapshots.Files
	if *rewrite { // what is embedded is from before the rewriting
		tree = os.DirFS(folder)
	}
	for _, c := range claims(t) {
		data, err := fs.ReadFile(tree, c.name()+extension)
		if err != nil {
			t.Error(err)
			continue
		}
		text := string(data)
		for i := range c {
			for _, part := range []string{c[i].ID, c[i].Title, strings.Join(c[i].Requirements, ", ")} {
				if !strings.Contains(text, "  "+part+"\n") {
					t.Errorf("%s does not say %q", c.name(), part)
				}
			}
		}
		switch {
		case !strings.HasPrefix(text, "case "):
			t.Errorf("%s does not start with its header", c.name())
		case !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n"):
			t.Errorf("%s does not end with one line break", c.name())
		case suite.PrintableLines(text) != text || strings.Contains(text, "\r"):
			t.Errorf("%s holds what a reader cannot see", c.name())
		case slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return strings.HasSuffix(line, " ") }):
			t.Errorf("%s has a line that ends in a blank", c.name())
		}
	}
}

// Every type of fragment that a case renders can be seen in a snapshot.
func TestEveryFragmentTypeHasASnapshot(t *testing.T) {
	all, err := suite.Load(fixtures.Files)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range claims(t) {
		seen[renderedType(&c[0])] = true
	}
	for i := range all {
		if kind := renderedType(&all[i]); !seen[kind] {
			t.Errorf("no snapshot of the fragment type %s, which %s renders", kind, all[i].ID)
			seen[kind] = true
		}
	}
}

// renderedType returns the fragment type that a case renders, "" where it renders none.
func renderedType(c *suite.Case) string {
	if c.Method != protocol.FragmentRender || c.Error != nil {
		return ""
	}
	fragment, _ := jsonvalue.MustParse(string(c.Params)).Get("fragment")
	kind, _ := fragment.GetText("type")
	return kind
}

// Only the flag writes: neither a missing file nor UPDATE_SNAPSHOTS makes one.
func TestOnlyTheFlagWrites(t *testing.T) {
	for _, value := range []string{"", "true", "false"} {
		folder := t.TempDir()
		t.Setenv("UPDATE_SNAPSHOTS", value)
		if err := compare(files(folder, false), "display--one", "old\n"); err == nil {
			t.Error("a missing snapshot passes")
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
			t.Errorf("a missing snapshot was written: %v %v", left, err)
		}
		if err := compare(files(folder, true), "display--one", "old\n"); err != nil {
			t.Error(err)
		}
		if err := compare(files(folder, false), "display--one", "new\n"); err == nil || !strings.Contains(err.Error(), "+new") {
			t.Errorf("a difference passes or is not shown: %v", err)
		}
		file := filepath.Join(folder, "display--one.txt")
		if text, err := os.ReadFile(file); err != nil || string(text) != "old\n" {
			t.Errorf("after the comparison the file holds %q, %v", text, err)
		}
		if err := compare(files(folder, true), "display--one", "new\n"); err != nil {
			t.Error(err)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "new\n" {
			t.Errorf("after the rewriting the file holds %q, %v", text, err)
		}
		if err := compare(files(folder, false), "display--one", "new\n"); err != nil {
			t.Error(err)
		}
	}
}

// A layout hides nothing: whatever is changed anywhere in a result can be seen in it, and the
// order of members, which does not count, cannot. Long results are left out: they are made of the
// same parts, and every change costs a layout.
func TestLayoutHidesNothing(t *testing.T) {
	const longest = 1200 // bytes
	for _, c := range append(claims(t), append(pageClaims(), threadOfPage())...) {
		if len(slices.Concat(c.results()...)) > longest {
			continue
		}
		want := c.expected(t)
		changes := 0
		for i := range c {
			with := func(result jsonvalue.Value) (string, error) {
				results := c.results()
				results[i] = result.Append(nil)
				return Layout(c, results)
			}
			result := jsonvalue.MustParse(string(c[i].Result))
			if got, err := with(backwards(result)); err != nil || got != want {
				t.Errorf("%s: the order of members shows (%v)", c[i].ID, err)
			}
			eachChange(result, func(changed jsonvalue.Value) {
				changes++
				got, err := with(changed)
				if err != nil && len(c) == 1 { // a step of a thread may break it
					t.Errorf("%s: %v", c[i].ID, err)
				}
				if got == want {
					t.Errorf("%s: looks the same for the result %s", c[i].ID, changed)
				}
			})
		}
		if changes == 0 {
			t.Errorf("%s: no change was tried", c.name())
		}
	}
}

// backwards returns the value with the members of each object in reverse order.
func backwards(v jsonvalue.Value) jsonvalue.Value {
	switch v.Kind() {
	case jsonvalue.Array:
		elements := slices.Clone(v.Elements())
		for i := range elements {
			elements[i] = backwards(elements[i])
		}
		return jsonvalue.OfArray(elements...)
	case jsonvalue.Object:
		members := slices.Clone(v.Members())
		slices.Reverse(members)
		for i := range members {
			members[i].Value = backwards(members[i].Value)
		}
		return jsonvalue.OfObject(members...)
	default:
		return v
	}
}

// eachChange visits every value that differs from v at one place: another type, another scalar, a
// member or an element more, one less, neighbours swapped.
func eachChange(v jsonvalue.Value, visit func(jsonvalue.Value)) {
	if !v.IsNull() {
		visit(jsonvalue.Value{})
	}
	visit(jsonvalue.OfObject(jsonvalue.Field("changed", v)))
	switch v.Kind() {
	case jsonvalue.Bool:
		is, _ := v.Bool()
		visit(jsonvalue.OfBool(!is))
	case jsonvalue.Number:
		literal, _ := v.NumberLiteral()
		visit(jsonvalue.MustParse(literal + "1"))
		visit(jsonvalue.OfString(literal))
	case jsonvalue.String:
		text, _ := v.Text()
		for _, changed := range []string{text + " ", text + "\n", " " + text, text + `\`, text + lineEnd, text + "\u200b", strings.ToUpper(text) + "Z"} {
			visit(jsonvalue.OfString(changed))
		}
	case jsonvalue.Array:
		elements := v.Elements()
		visit(jsonvalue.OfArray(slices.Insert(slices.Clone(elements), len(elements), jsonvalue.OfString("more"))...))
		for i := range elements {
			visit(jsonvalue.OfArray(slices.Delete(slices.Clone(elements), i, i+1)...))
			if i > 0 && !jsonvalue.Equal(elements[i-1], elements[i]) {
				swapped := slices.Clone(elements)
				swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
				visit(jsonvalue.OfArray(swapped...))
			}
			eachChange(elements[i], func(changed jsonvalue.Value) {
				visit(jsonvalue.OfArray(slices.Replace(slices.Clone(elements), i, i+1, changed)...))
			})
		}
	case jsonvalue.Object:
		visit(v.With("one more", jsonvalue.Value{}))
		for _, m := range v.Members() {
			visit(v.Without(m.Name))
			eachChange(m.Value, func(changed jsonvalue.Value) { visit(v.With(m.Name, changed)) })
		}
	}
}
