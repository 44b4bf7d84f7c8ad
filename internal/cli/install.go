package cli

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"espy/internal/usage"
)

// service is a file that has the system start espy serve when its user logs in.
type service struct {
	path, text string
	next       []string // commands for the user to run
}

// install shows the file of the service and writes it, once the user agrees. args
// are those of espy serve.
func (p *program) install(args []string, agreed bool) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	s, err := serviceFor(runtime.GOOS, p.cfg.Home, slices.Concat([]string{program, "serve"}, args))
	if err != nil {
		return err
	}
	if err := p.print(s.path + "\n\n" + s.text); err != nil {
		return err
	}
	if !agreed && !p.agrees("write this file?") {
		return p.print("nothing is written; --yes writes it")
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(s.path, []byte(s.text), 0o644); err != nil {
		return err
	}
	return p.print("written; to start it:\n  " + strings.Join(s.next, "\n  "))
}

// agrees asks the user at a terminal; elsewhere nobody can agree.
func (p *program) agrees(question string) bool {
	if !p.terminal || !isTerminal(p.stdin) {
		return false
	}
	fmt.Fprintf(p.stdout, "%s [y/N] ", question)
	p.stdout.Flush()
	answer, _ := bufio.NewReader(p.stdin).ReadString('\n')
	return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(answer)))
}

// serviceFor is the service of a command, for a system.
func serviceFor(system, home string, command []string) (*service, error) {
	switch {
	case home == "":
		return nil, &usage.Error{Msg: "there is no home folder", Hint: "set HOME"}
	case system == "linux":
		return systemdUnit(home, command), nil
	case system == "darwin":
		return launchdAgent(home, command), nil
	}
	return nil, &usage.Error{Msg: "there is no service to install on " + system, Hint: "start espy serve by what this system has for it"}
}

// systemdUnit is a user unit, in the words of systemd.service(5).
func systemdUnit(home string, command []string) *service {
	quoted := make([]string, len(command))
	for i, arg := range command {
		quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$", "\n", `\n`).Replace(arg) + `"`
	}
	return &service{
		path: filepath.Join(home, ".config", "systemd", "user", "espy.service"),
		text: `[Unit]
Description=Espy code search

[Service]
ExecStart=` + strings.Join(quoted, " ") + `
Restart=on-failure
NoNewPrivileges=yes

[Install]
WantedBy=default.target
`,
		next: []string{"systemctl --user daemon-reload", "systemctl --user enable --now espy"},
	}
}

// launchdAgent is an agent of macOS, in the words of launchd.plist(5).
func launchdAgent(home string, command []string) *service {
	var args strings.Builder
	for _, arg := range command {
		var text bytes.Buffer
		xml.EscapeText(&text, []byte(arg)) // a buffer takes all
		fmt.Fprintf(&args, "\n\t\t<string>%s</string>", text.String())
	}
	path := filepath.Join(home, "Library", "LaunchAgents", "espy.serve.plist")
	return &service{
		path: path,
		text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>espy.serve</string>
	<key>ProgramArguments</key>
	<array>` + args.String() + `
	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
</dict>
</plist>
`,
		next: []string{"launchctl load " + path},
	}
}
