module queue;

import std.stdio;

/+ class Commented {} /+ nested +/ +/
struct Node(T)
{
    T value;
    Node!T* next;

    @property bool isLast() const pure @safe { return next is null; }

    version (unittest)
    {
        static Node!T sample() { return Node!T.init; }
    }
}

class Queue : Base
{
    this(size_t limit) {}

    private int delegate(int) callback(int n) { return null; }

    override const(char)[] toString() const
    {
        return "void written() {}" ~ `struct Raw {`;
    }

    unittest
    {
        void local() {}
    }
}

interface Source { int read(ubyte[] buffer); }

package(shop) void push(Q, T)(ref Q queue, T value)
    if (is(T == int))
{
}

extern (C) void callback_c() {}

enum Color { red, green }

template Pair(A, B)
{
    struct Pair { A a; B b; }
}

version (Windows)
{
    string separator() { return "\\"; }
}
else
{
    string separator() { return "/"; }
}
