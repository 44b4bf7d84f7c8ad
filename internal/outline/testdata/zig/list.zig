//! const NotThis = struct {};
const std = @import("std");
pub const mem = @import("mem.zig");
const limit: usize = 10;
pub var counter: u32 = 0;

/// A list.
pub fn List(comptime T: type) type {
    return struct {
        items: []T,

        const Self = @This();

        pub fn init(a: Allocator) Self {
            const local = 1;
            _ = local;
            return .{};
        }

        inline fn grow(self: *Self) !void {}
    };
}

pub const Point = struct {
    x: i32,
    pub fn len(self: Point) i32 { return self.x; }
};
const Mode = enum(u8) { read, write };
pub const Header = extern struct { size: u32 };
const Value = union(enum) { int: i64 };
pub const Error = error{ Full, Empty };

const text =
    \\pub fn fake() void {
    \\ "
;

export fn c_entry(x: c_int) c_int { return '{'; }

test "list" {
    var x: i32 = 1;
}
