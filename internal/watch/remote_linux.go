package watch

import "golang.org/x/sys/unix"

// The file systems whose changes may be made elsewhere, unseen by this system
// (statfs(2), linux/magic.h).
var distant = map[uint32]string{
	unix.NFS_SUPER_MAGIC: "NFS", unix.SMB_SUPER_MAGIC: "SMB", 0xff534d42: "CIFS", 0xfe534d42: "SMB2",
	unix.V9FS_MAGIC: "9P", unix.FUSE_SUPER_MAGIC: "FUSE", unix.AFS_SUPER_MAGIC: "AFS", unix.CODA_SUPER_MAGIC: "Coda", 0x00c36400: "Ceph",
}

// remote says why events of a folder are not to be relied on; empty where they are.
func remote(root string) string {
	var fs unix.Statfs_t
	if unix.Statfs(root, &fs) != nil {
		return ""
	}
	if name := distant[uint32(fs.Type)]; name != "" {
		return "the folder lies on " + name + ", which does not tell of changes made elsewhere"
	}
	return ""
}
