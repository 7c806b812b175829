// fn fake() void {}
const std = @import("std");
const Item = @import("item.zig").Item;
pub const Cart = struct {
    items: std.ArrayList(Item),
    total: u32 = 0,
    pub const max = 10;
    const Self = @This();
    pub fn init(allocator: std.mem.Allocator) !Cart {
        const local = try makeItems(allocator);
        return Cart{ .items = local };
    }
    fn add(self: *Self, item: Item) void { self.items.append(item) catch unreachable; }
    pub const Inner = union(enum) { a: u8, b: []const u8 };
};
/// fn fake2() void {}
pub const Color = enum(u8) { red, green = 3, pub fn mix(self: Color) Color { return blend(self); } };
const Err = error{ OutOfMemory, Bad };
const AllErr = Err || std.mem.Error;
pub const Handler = *const fn (n: u32) callconv(.C) void;
const Packed = packed struct(u8) { a: u4 };
const Opaque = opaque {};
var counter: u32 = 0;
threadlocal var tls: u8 = 1;
pub var buffer: [10]u8 = undefined;
pub fn List(comptime T: type) type {
    return struct {
        head: ?*T,
        pub fn push(self: *@This(), x: T) void { store(self, x); }
    };
}
export fn exported(a: c_int) callconv(.C) c_int { return helper(a); }
extern "c" fn printf(fmt: [*:0]const u8, ...) c_int;
inline fn helper(a: c_int) c_int { return std.math.max(a, 1); }
fn @"weird name"() void {}
pub usingnamespace @import("other.zig");
test "cart adds" {
    var c = try Cart.init(std.testing.allocator);
    c.add(.{ .name = "fn fake3() void {}" });
    try std.testing.expectEqual(@as(u32, 1), c.total);
    const s =
        \\fn fake4() void {}
    ;
    switch (c.state) { .open => open(), else => {} }
    if (c.first()) |f| { use(f); }
    for (c.items) |i| { each(i); }
    defer c.deinit();
    comptime { check(); }
}
test helper { _ = helper(1); }
comptime { _ = Cart; }
