module templates;

template mapped(fun...)
if (fun.length >= 1)
{
    auto mapped(Range)(Range r)
    if (isInputRange!(Unqual!Range))
    {
        import std.meta : AliasSeq, staticMap;
        alias RE = ElementType!(Range);
        return MapResult!(_fun, Range)(r);
    }
}

private struct MapResult(alias fun, Range)
{
    alias R = Unqual!Range;
    R _input;

    static if (isBidirectionalRange!R)
    {
        @property auto ref back()()
        {
            return fun(_input.back);
        }

        void[] allocateAll()
        {
            return [];
        }
    }
    private Request!T recvReq(T=char)(Socket s)
    {
        return 1;
    }
    Complex!(CommonType!(T, R)) opBinaryRight(string op, R)(const R r) const
    if (op == "+")
    {
        return 1;
    }
    @property bool isStart() const { return isStartIR(code); }
}

SortedRange!(Range, less)
sortIt(alias less = "a < b", Range)
(Range r)
    /+ Unstable +/
{
    return r;
}

typeof(fmt) formatIt(alias fmt, Args...)(Args args)
{
    return fmt;
}

const(char)[] strip(const(char)[] s)
{
    return s;
}

version (Posix)
struct MmapAlloc
{
    void[] allocate(size_t n) shared
    {
        return null;
    }
}

debug(parser) @trusted void printCode()(in int x)
{
}

static if (is(T))
{
    void one() { }
}
else void two(T)(T value)
{
}

private T powImpl(PowType type, T)(T val)
{
    return val;
}
alias foo = bar!(x => x + 1);

///
@safe unittest
{
    int inner(int x) { return x; }
    assert(strip("a") == "a");
}

unittest { assert(true); }

@safe pure
struct Word
{
    this(uint code) in (code < 3) { raw = code << 2; }

    static if (hasWords!(Word))
    Word next() const { return this; }
}

pragma(inline, true) real half(in real x) { return x / 2; }
