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
		Date:         r.optional("current_date"),
		Timezone:     r.optional("timezone"),
		Network:      r.network("network"),
		Filesystem:   r.filesystem("filesystem"),
		Subagents:    r.optional("subagents").Text,
	}
	e.Several, e.Only = len(e.Environments) > 1, len(e.Environments) == 1
	return e
}

func (r reader) environments(name string) []Environment {
	ids, fields, err := r.cursor.Member(name).Fields()
	r.fail(err)
	environments := make([]Environment, len(fields))
	for i, field := range fields {
		environments[i] = read(field, r.err).environment(ids[i])
	}
	return environments
}

func (r reader) environment(id string) Environment {
	e := Environment{ID: id, CWD: r.optional("cwd").Text, Shell: r.optional("shell"), Status: Available, Primary: r.optionalBool("primary")}
	if r.has("status") {
		e.Status = Status(r.oneOf("status", string(Available), string(Starting), string(Unavailable)))
	}
	if e.Status != Unavailable {
		e.CWD = r.text("cwd")
	}
	return e
}

func (r reader) network(name string) string {
	if !r.has(name) {
		return ""
	}
	network := r.object(name)
	return Network(network.optionalTexts("allowed"), network.optionalTexts("denied"))
}

// filesystem reads the element as a snapshot keeps it, or what it is made of.
func (r reader) filesystem(name string) string {
	if !r.has(name) {
		return ""
	}
	if rendered, ok := r.cursor.Member(name).Value.Text(); ok {
		if !strings.HasPrefix(rendered, "<filesystem>") {
			rendered = "<filesystem>" + rendered + "</filesystem>"
		}
		return rendered
	}
	filesystem := r.object(name)
	profile := filesystem.object("permission_profile")
	return Filesystem{
		WorkspaceRoots: filesystem.optionalTexts("workspace_roots"),
		Profile:        profile.oneOf("type", "managed", "disabled", "external"),
		Access:         profile.fileAccess("file_system"),
	}.Render()
}

func (r reader) fileAccess(name string) *FileAccess {
	if !r.has(name) {
		return nil
	}
	access := r.object(name)
	a := &FileAccess{Type: access.oneOf("type", "restricted", "unrestricted", "external")}
	if access.has("glob_scan_max_depth") {
		a.GlobScanMaxDepth = access.integer("glob_scan_max_depth")
		if a.GlobScanMaxDepth < 1 {
			access.failAt("glob_scan_max_depth", "want at least 1")
		}
	}
	if access.has("entries") {
		for _, entry := range access.objects("entries") {
			a.Entries = append(a.Entries, entry.fileEntry())
		}
	}
	return a
}

// fileEntry wants exactly one of the names by which a place is given.
func (r reader) fileEntry() FileEntry {
	entry := FileEntry{Access: r.text("access")}
	for _, name := range []string{"path", "glob", "special"} {
		switch {
		case !r.has(name):
		case entry.Name == "":
			entry.Name, entry.Place = name, r.text(name)
		default:
			r.failAt(name, "the entry has a %s already", entry.Name)
		}
	}
	if entry.Name == "" {
		r.fail(r.cursor.Fail("want one of path, glob, special"))
	}
	return entry
}
