package facts

import "testing"

// TestDiffer holds that constants differ where their texts do, and that it is not known of
// a text and of a member of something.
func TestDiffer(t *testing.T) {
	for _, tt := range []struct {
		name         string
		x, y         int32
		differ, same bool
	}{
		{"one text", TextNumber("a"), TextNumber("a"), false, true},
		{"two texts", TextNumber("a"), TextNumber("b"), true, false},
		{"two members", MemberNumber("A"), MemberNumber("B"), true, false},
		{"a text and a member of its name", TextNumber("a"), MemberNumber("a"), false, true},
		{"a text and another member", TextNumber("a"), MemberNumber("B"), false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if differ, same := Differ(tt.x, tt.y), SameText(tt.x, tt.y); differ != tt.differ || same != tt.same {
				t.Errorf("differ %v, same %v; want %v, %v", differ, same, tt.differ, tt.same)
			}
		})
	}
}
