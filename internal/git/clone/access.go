package clone

import (
	"os"
	"os/exec"
	"strings"
)

// access returns the environment and the options of a git program that may
// speak to the remote: nothing of the user's but the keys of ssh, no redirect,
// no question, no other protocol, no other address.
func (r *remote) access(o Options) (env, config []string) {
	env = []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "HOME=" + os.DevNull, "LC_ALL=C",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "SSH_ASKPASS_REQUIRE=never", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=" + r.url.Scheme, "GIT_SSH_VARIANT=ssh", "GIT_SSH_COMMAND=" + r.ssh(), "SSH_AUTH_SOCK=" + o.SSHAgent,
	}
	if r.header != "" { // not among the arguments, which every user of the machine can read
		env = append(env, "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=http.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: "+r.header)
	}
	config = []string{
		"-c", "http.followRedirects=false", "-c", "http.proxy=" + o.Proxy, "-c", "http.sslVerify=true", "-c", "credential.helper=",
		"-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60", "-c", "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false",
		"-c", "transfer.bundleURI=false", "-c", "core.bigFileThreshold=16m", "-c", "fetch.unpackLimit=1",
	}
	if o.CAFile != "" {
		config = append(config, "-c", "http.sslCAInfo="+o.CAFile)
	}
	if o.Proxy == "" && r.url.Scheme == "https" {
		config = append(config, "-c", "http.curloptResolve="+r.pins())
	}
	return env, config
}

// pins tells curl where the host is: host:port:address,address.
func (r *remote) pins() string {
	var list []string
	for _, addr := range r.addrs {
		if addr.Is6() {
			list = append(list, "["+addr.String()+"]")
		} else {
			list = append(list, addr.String())
		}
	}
	port := r.url.Port()
	if port == "" {
		port = "443"
	}
	return r.url.Hostname() + ":" + port + ":" + strings.Join(list, ",")
}

// ssh is the command, for a shell, that reaches the host: with the user's own
// keys and known hosts, and without a configuration that names programs. Its
// parts are checked by parseRemote.
func (r *remote) ssh() string {
	program, err := exec.LookPath("ssh")
	if r.url.Scheme != "ssh" || err != nil || len(r.addrs) == 0 || strings.Contains(program, "'") {
		return "false"
	}
	alias := r.url.Hostname()
	if port := r.url.Port(); port != "" && port != "22" {
		alias = "[" + alias + "]:" + port
	}
	return "'" + program + "' -F none -oBatchMode=yes -oStrictHostKeyChecking=yes -oCheckHostIP=no -oProxyCommand=none -oPermitLocalCommand=no" +
		" -oClearAllForwardings=yes -oForwardAgent=no -oForwardX11=no -oConnectTimeout=20 -oServerAliveInterval=15 -oServerAliveCountMax=4" +
		" -oHostName=" + r.addrs[0].String() + " '-oHostKeyAlias=" + alias + "'"
}
