package manifest

import (
	"encoding/xml"
	"strings"
)

// Of an activity that a person starts, from the list of all applications.
const (
	androidNames = "http://schemas.android.com/apk/res/android"
	mainAction   = "android.intent.action.MAIN"
)

var launchers = map[string]bool{"android.intent.category.LAUNCHER": true, "android.intent.category.LEANBACK_LAUNCHER": true}

// readAndroid reads an AndroidManifest.xml: the activities with an intent filter that has
// the action MAIN and a category of launchers. An alias stands for the activity that it
// names. See https://developer.android.com/guide/components/intents-filters.
func readAndroid(text string, m *Manifest) {
	d := xml.NewDecoder(strings.NewReader(text))
	var activity Entry // the one that is open
	var main, launched bool
	seen := map[string]bool{}
	for {
		line, _ := d.InputPos() // where the tag begins
		token, err := d.Token()
		if err != nil {
			return
		}
		switch t := token.(type) {
		case xml.StartElement:
			name := androidAttr(t, "name")
			switch t.Name.Local {
			case "activity", "activity-alias":
				if target := androidAttr(t, "targetActivity"); target != "" {
					name = target
				}
				activity = Entry{name[strings.LastIndexByte(name, '.')+1:], "program", name, line}
			case "intent-filter":
				main, launched = false, false
			case "action":
				main = main || name == mainAction
			case "category":
				launched = launched || launchers[name]
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "activity", "activity-alias":
				activity = Entry{}
			case "intent-filter":
				if main && launched && activity.Name != "" && !seen[activity.Target] {
					seen[activity.Target] = true
					m.Entries = append(m.Entries, activity)
				}
			}
		}
	}
}

// androidAttr is an attribute of Android's; empty where it is not written.
func androidAttr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Space == androidNames && a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
