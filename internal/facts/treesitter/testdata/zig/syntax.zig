//! A file is a struct.
const std = @import("std");
const Allocator = std.mem.Allocator;
pub const util = @import("util.zig");
const Thing = @import("thing.zig").Thing;
usingnamespace @import("more.zig");

/// A shape.
pub const Shape = struct {
    const Self = @This();
    pub const zero: Shape = .{ .width = 0, .height = 0 };

    /// How wide.
    width: u32,
    height: u32 = 1,
    next: ?*Shape = null,
    tags: []const Tag = &.{},

    pub fn init(width: u32, height: u32) Shape {
        return .{ .width = width, .height = height };
    }

    pub fn area(self: *const Self) u32 {
        return self.width * self.height;
    }

    fn grow(self: *Shape, by: u32) !void {
        self.width += by;
        if (self.next) |n| try n.grow(by);
        for (self.tags, 0..) |tag, i| {
            _ = tag;
            _ = i;
        }
    }
};

pub const Tag = enum(u8) {
    plain,
    bold = 2,
    _,

    pub fn isBold(tag: Tag) bool {
        return switch (tag) {
            .bold => true,
            else => false,
        };
    }
};

const Failure = error{ NotFound, Full };

pub const Value = union(enum) {
    number: i64,
    shape: Shape,
    none,
};

extern fn c_call(x: c_int, ...) c_int;
var counter: usize = 0;
threadlocal var own: ?Thing = null;

pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        const Inner = @This();

        pub fn push(list: *Inner, item: T) void {
            list.items[0] = item;
        }
    };
}

pub fn main() !void {
    var list = List(u8){ .items = undefined };
    list.push('a');
    const shape = Shape.init(1, 2);
    var a: u32, const b = .{ shape.area(), Shape.zero.width };
    a = b;
    counter += shape.area();
    const value: Value = .{ .shape = shape };
    switch (value) {
        .number => |n| std.debug.print("{d}\n", .{n}),
        .shape => |s| _ = s.area(),
        .none => {},
    }
    const made = make(Shape) catch |err| switch (err) {
        error.OutOfMemory => return err,
        else => unreachable,
    };
    defer release(made);
    const found = made.next orelse &shape;
    while (found.width > 0) : (a += 1) {
        if (a > 3 and b == 0) break;
    }
    outer: for (0..10) |i| {
        if (i == 2) continue :outer;
    }
    comptime var n = 1;
    n += @as(u32, 2);
    const @"odd name" = util.helper(Thing{});
    _ = @"odd name";
    @import("inline.zig").run();
    const callback: *const fn (x: Shape) void = undefined;
    callback(shape);
    const p = &shape;
    _ = p.*.width;
}

fn make(comptime T: type) error{OutOfMemory}!*T {
    return error.OutOfMemory;
}

fn release(shape: *Shape) void {
    _ = shape;
}

test "shapes have areas" {
    try std.testing.expectEqual(2, Shape.init(1, 2).area());
}

test Shape {}
