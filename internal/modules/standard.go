package modules

import (
	"strings"

	"espy/internal/wordset"
)

// pythonModules are the modules of Python's standard library, also those that were
// taken out of it (sys.stdlib_module_names).
var pythonModules = wordset.Of(`__future__ abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cProfile
	calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser contextlib contextvars copy
	copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno
	faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib
	heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma
	mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode
	operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats
	pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
	selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat
	statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
	threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest
	urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`)

// nodeModules are the modules of Node.js that need no prefix (module.builtinModules).
var nodeModules = wordset.Of(`assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https
	inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url
	util v8 vm wasi worker_threads zlib`)

// javaxPackages are the packages of Java SE that java does not begin.
var javaxPackages = strings.Fields(`javax.accessibility javax.annotation.processing javax.crypto javax.imageio javax.lang.model javax.management javax.naming javax.net
	javax.print javax.rmi javax.script javax.security.auth javax.security.cert javax.security.sasl javax.smartcardio javax.sound javax.sql
	javax.swing javax.tools javax.transaction.xa javax.xml org.w3c.dom org.xml.sax org.ietf.jgss`)

// cHeaders are the headers of C, C++ and POSIX.
var cHeaders = wordset.Of(`assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h stdalign.h stdarg.h
	stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h
	wchar.h wctype.h algorithm any array atomic barrier bit bitset charconv chrono codecvt compare complex concepts condition_variable coroutine
	deque exception execution expected filesystem flat_map flat_set format forward_list fstream functional future generator initializer_list
	iomanip ios iosfwd iostream istream iterator latch limits list locale map mdspan memory memory_resource mutex new numbers numeric optional
	ostream print queue random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack
	stacktrace stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error thread tuple type_traits typeindex
	typeinfo unordered_map unordered_set utility valarray variant vector version cassert ccomplex cctype cerrno cfenv cfloat cinttypes ciso646
	climits clocale cmath csetjmp csignal cstdalign cstdarg cstdbool cstddef cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype
	aio.h arpa/inet.h cpio.h dirent.h dlfcn.h fcntl.h fmtmsg.h fnmatch.h ftw.h glob.h grp.h iconv.h langinfo.h libgen.h monetary.h mqueue.h
	ndbm.h net/if.h netdb.h netinet/in.h netinet/tcp.h nl_types.h poll.h pthread.h pwd.h regex.h sched.h search.h semaphore.h spawn.h strings.h
	stropts.h sys/ipc.h sys/mman.h sys/msg.h sys/resource.h sys/select.h sys/sem.h sys/shm.h sys/socket.h sys/stat.h sys/statvfs.h sys/time.h
	sys/times.h sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/wait.h syslog.h tar.h termios.h trace.h ulimit.h unistd.h utime.h utmpx.h
	wordexp.h`)

// pythonAliases are the modules of packages that have other names than their package.
var pythonAliases = map[string][]string{
	"attrs":                {"attr", "attrs"},
	"azure-storage-blob":   {"azure"},
	"beautifulsoup4":       {"bs4"},
	"django-cors-headers":  {"corsheaders"},
	"djangorestframework":  {"rest_framework"},
	"elastic-transport":    {"elastic_transport"},
	"gitpython":            {"git"},
	"google-cloud-storage": {"google"},
	"ipython":              {"IPython"},
	"markupsafe":           {"markupsafe"},
	"msgpack-python":       {"msgpack"},
	"mysqlclient":          {"MySQLdb"},
	"opencv-python":        {"cv2"},
	"pillow":               {"PIL"},
	"protobuf":             {"google"},
	"psycopg2-binary":      {"psycopg2"},
	"pycryptodome":         {"Crypto"},
	"pyjwt":                {"jwt"},
	"pymongo":              {"bson", "gridfs", "pymongo"},
	"pyopenssl":            {"OpenSSL"},
	"pyserial":             {"serial"},
	"pytest":               {"pytest", "_pytest"},
	"python-dateutil":      {"dateutil"},
	"python-dotenv":        {"dotenv"},
	"python-magic":         {"magic"},
	"python-memcached":     {"memcache"},
	"pywin32":              {"win32api", "win32con", "pywintypes"},
	"pyyaml":               {"yaml"},
	"pyzmq":                {"zmq"},
	"scikit-learn":         {"sklearn"},
	"setuptools":           {"setuptools", "pkg_resources"},
	"websocket-client":     {"websocket"},
}

// rubyLibraries are the libraries that come with Ruby, default and bundled gems too.
var rubyLibraries = wordset.Of(`abbrev base64 benchmark bigdecimal bundler cgi coverage csv date delegate did_you_mean digest drb English erb etc expect
	fcntl fiddle fileutils find forwardable getoptlong io ipaddr irb json logger matrix minitest monitor mutex_m net nkf objspace observer open-uri
	open3 openssl optparse ostruct pathname pp prettyprint prime pstore psych pty racc rbconfig rdoc readline reline resolv rexml rinda ripper rubygems
	securerandom set shellwords singleton socket stringio strscan syslog tempfile time timeout tmpdir tsort un uri weakref yaml zlib`)
