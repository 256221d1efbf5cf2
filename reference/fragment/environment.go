package fragment

import (
	"slices"
	"strings"
)

// Status is what is known of an environment.
type Status string

// The statuses. An environment that is unavailable was there before and is gone.
const (
	Available   Status = "available"
	Starting    Status = "starting"
	Unavailable Status = "unavailable"
)

// Environment is a place where commands run.
type Environment struct {
	ID      string
	CWD     string
	Shell   Optional // absent where it is not known
	Status  Status
	Primary bool
}

// Environments is what one fragment of kind environment_context tells (DET-24).
type Environments struct {
	Environments []Environment // those to tell; an update leaves out what did not change
	Several      bool          // more than one now or before: each says whether it is primary (WLD-52)
	Only         bool          // exactly one exists now (WLD-53)

	Date, Timezone Optional
	// The rest is left out where it is empty.
	Network    string // a rendered <network> element (WLD-55)
	Filesystem string // a rendered <filesystem> element (WLD-56)
	Subagents  string // lines
}

// Fragment renders full state and update alike (DET-24, WLD-51…57).
func (e Environments) Fragment() Fragment {
	body := "\n" + e.environments() + optionalLine("  ", "current_date", e.Date) + optionalLine("  ", "timezone", e.Timezone)
	for _, rendered := range []string{e.Network, e.Filesystem} {
		if rendered != "" {
			body += "  " + rendered + "\n"
		}
	}
	return of("environment_context", body+subagents(e.Subagents))
}

// environments writes the flat form for the one environment that exists and is available, and the
// list for everything else (WLD-51, WLD-53).
func (e Environments) environments() string {
	if len(e.Environments) == 0 {
		return ""
	}
	if only := e.Environments[0]; e.Only && len(e.Environments) == 1 && only.Status == Available {
		return only.lines("  ")
	}
	byID := slices.SortedFunc(slices.Values(e.Environments), func(a, b Environment) int {
		return strings.Compare(a.ID, b.ID)
	})
	list := ""
	for _, environment := range byID {
		list += environment.entry(e.Several)
	}
	return "  <environments>\n" + list + "  </environments>\n"
}

// entry writes an environment in the list; one that is gone has nothing but its id (WLD-50).
func (e Environment) entry(several bool) string {
	open := `    <environment id="` + xmlEscapes.Replace(e.ID) + `"`
	switch {
	case e.Status == Unavailable:
		return open + " status=\"unavailable\" />\n"
	case several && e.Primary:
		open += ` primary="true"`
	case several:
		open += ` primary="false"`
	}
	return open + ">\n" + e.lines("      ") + "    </environment>\n"
}

func (e Environment) lines(indent string) string {
	lines := indent + element("cwd", e.CWD) + "\n"
	if e.Status == Starting {
		lines += indent + element("status", string(Starting)) + "\n"
	}
	return lines + optionalLine(indent, "shell", e.Shell)
}

func optionalLine(indent, name string, text Optional) string {
	if !text.Present {
		return ""
	}
	return indent + element(name, text.Text) + "\n"
}

// subagents indents the roster, whose lines end in LF or CRLF and are not escaped (DET-24).
func subagents(roster string) string {
	if roster == "" {
		return ""
	}
	lines := ""
	for line := range strings.Lines(roster) {
		line, ended := strings.CutSuffix(line, "\n")
		if ended {
			line = strings.TrimSuffix(line, "\r")
		}
		lines += "    " + line + "\n"
	}
	return "  <subagents>\n" + lines + "  </subagents>\n"
}

// Network renders the domains that may and may not be reached; they are not escaped (WLD-55).
func Network(allowed, denied []string) string {
	return `<network enabled="true">` + domains("allowed", allowed) + domains("denied", denied) + "</network>"
}

func domains(name string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "<" + name + ">" + strings.Join(list, ",") + "</" + name + ">"
}
