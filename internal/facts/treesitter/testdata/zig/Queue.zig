//! A queue whose file is the type.
const Queue = @This();
const std = @import("std");

head: usize = 0,
items: []const u8,

pub fn init(items: []const u8) Queue {
    return .{ .items = items };
}

pub fn next(queue: *Queue) ?u8 {
    if (queue.head == queue.items.len) return null;
    defer queue.head += 1;
    return queue.items[queue.head];
}
