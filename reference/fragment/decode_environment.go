package fragment

import (
	"strings"

	"github.com/contextfragments/conform/reference/jsonvalue"
)

// DecodeEnvironments reads the fields of an environment_context fragment (PRO-22). The environments
// are in the order of the document.
func DecodeEnvironments(c jsonvalue.Cursor) (Environments, error) {
	var err error
	environments := read(c, &err).environmentContext()
	return environments, err
}

func (r reader) environmentContext() Environments {
	e := Environments{
		Environments: r.environments("environments"),
		Date:         r.Optional("current_date"),
		Timezone:     r.Optional("timezone"),
		Network:      r.network("network"),
		Filesystem:   r.filesystem("filesystem"),
		Subagents:    r.Optional("subagents").Text,
	}
	e.Several, e.Only = len(e.Environments) > 1, len(e.Environments) == 1
	return e
}

func (r reader) environments(name string) []Environment {
	ids, fields, err := r.Cursor.Member(name).Fields()
	r.Fail(err)
	environments := make([]Environment, len(fields))
	for i, field := range fields {
		environments[i] = reader{r.On(field)}.environment(ids[i])
	}
	return environments
}

func (r reader) environment(id string) Environment {
	e := Environment{ID: id, CWD: r.Optional("cwd").Text, Shell: r.Optional("shell"), Status: Available, Primary: r.OptionalBool("primary")}
	if r.Has("status") {
		e.Status = Status(r.OneOf("status", string(Available), string(Starting), string(Unavailable)))
	}
	if e.Status != Unavailable {
		e.CWD = r.Text("cwd")
	}
	return e
}

func (r reader) network(name string) string {
	if !r.Has(name) {
		return ""
	}
	network := r.object(name)
	return Network(network.OptionalTexts("allowed"), network.OptionalTexts("denied"))
}

// filesystem reads the element as a snapshot keeps it, or what it is made of.
func (r reader) filesystem(name string) string {
	if !r.Has(name) {
		return ""
	}
	if rendered, ok := r.Cursor.Member(name).Value.Text(); ok {
		if !strings.HasPrefix(rendered, "<filesystem>") {
			rendered = "<filesystem>" + rendered + "</filesystem>"
		}
		return rendered
	}
	filesystem := r.object(name)
	profile := filesystem.object("permission_profile")
	return Filesystem{
		WorkspaceRoots: filesystem.OptionalTexts("workspace_roots"),
		Profile:        profile.OneOf("type", "managed", "disabled", "external"),
		Access:         profile.fileAccess("file_system"),
	}.Render()
}

func (r reader) fileAccess(name string) *FileAccess {
	if !r.Has(name) {
		return nil
	}
	access := r.object(name)
	a := &FileAccess{Type: access.OneOf("type", "restricted", "unrestricted", "external")}
	if access.Has("glob_scan_max_depth") {
		a.GlobScanMaxDepth = access.Int("glob_scan_max_depth")
		if a.GlobScanMaxDepth < 1 {
			access.FailAt("glob_scan_max_depth", "want at least 1")
		}
	}
	if access.Has("entries") {
		for _, entry := range access.Objects("entries") {
			a.Entries = append(a.Entries, reader{entry}.fileEntry())
		}
	}
	return a
}

// fileEntry wants exactly one of the names by which a place is given.
func (r reader) fileEntry() FileEntry {
	entry := FileEntry{Access: r.Text("access")}
	for _, name := range []string{"path", "glob", "special"} {
		switch {
		case !r.Has(name):
		case entry.Name == "":
			entry.Name, entry.Place = name, r.Text(name)
		default:
			r.FailAt(name, "the entry has a %s already", entry.Name)
		}
	}
	if entry.Name == "" {
		r.Fail(r.Cursor.Fail("want one of path, glob, special"))
	}
	return entry
}
