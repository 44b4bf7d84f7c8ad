using System;

namespace Acme.Web.Services;

#region Types
/// <summary>class Fake {}</summary>
[Serializable]
public abstract partial class Service<T> : IService where T : class
{
    private const int Limit = 3;
    public static readonly string Name = "x { y";
    private readonly int count;
    private int plain;

    public Service(int count) : base(count)
    {
        this.count = count;
    }

    public int Count { get; set; }
    public bool IsEmpty => count == 0;
    public event EventHandler Changed;

    protected abstract Task<T> LoadAsync(string id);

    [Obsolete]
    public static async Task<List<T>> FindAll(
        string query,
        int limit = 10)
    {
        var sql = @"select ""x"" from t where {
            class NotHere { }
        ";
        if (query == null) { throw new ArgumentNullException(nameof(query)); }
        return Run(query);
    }

    public override string ToString() => $"{Name}";

    public static bool operator ==(Service<T> a, Service<T> b) => true;

    private class Nested { void Inner() { } }
}
#endregion

public interface IService
{
    void Start(int port);
    string Host { get; }
}

public enum Level { Low, High }
public record Point(int X, int Y);
public readonly struct Size { public Size(int w) { } }
public delegate void Handler(object sender);
