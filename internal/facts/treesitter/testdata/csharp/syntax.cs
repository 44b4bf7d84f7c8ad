#nullable enable
global using System.Text;
using System;
using System.Collections.Generic;
using static System.Math;
using Names = System.Collections.Generic.List<string>;
using Alias = Shop.Models.Item;

[assembly: Info("shop")]

namespace Shop.Models
{
    using Shop.Tools;

    /// <summary>What is sold.</summary>
    [Serializable, Info("item", Level = 2)]
    public partial class Item : Base<Item>, IComparable<Item>, Shop.Tools.INamed
    {
        public const int Limit = 10, Least = Limit - 9;
        private static readonly Dictionary<string, Item> all = new();
        internal Item? next, previous;
        public event EventHandler? Changed;
        public event Action Sold { add { Changed += Wrap(value); } remove { } }

        public string Name { get; private set; } = "none";
        public int Price
        {
            get => price;
            set { if (value > Limit) throw new ArgumentException(nameof(value)); price = value; }
        }
        private int price;
        public Item First => all["first"].next!;
        public Item this[int index] => Find(index, out var found) ? found! : this;

        static Item() { all.Clear(); }
        public Item(string name) : this(name, 0) { }
        public Item(string name, int price = 1, params object[] rest) : base(price)
        {
            Name = name;
            this.price = price;
        }
        ~Item() { Dispose(); }

        public static Item operator +(Item a, Item b) => new Item(a.Name + b.Name);
        public static implicit operator string(Item item) => item.Name;

        public virtual void Dispose() => base.Close();
        public override bool Equals(object? other) => other is Item { Name: "x" or null, Price: > 3 } same && same.price == price;
        int IComparable<Item>.CompareTo(Item? other) => other?.Price.CompareTo(Price) ?? -1;
        bool Find(int index, out Item? item) { item = null; return index > 0; }
        EventHandler Wrap(Action action) => (sender, e) => action();

        public T Convert<T, U>(U from, Func<U, T> with) where T : class, INamed, new() where U : struct
        {
            T made = with(from);
            return made ?? new T();
        }

        public class Part
        {
            public Item Owner = new Item("part");
        }
    }

    public partial class Item
    {
        public Part Piece { get; init; } = new Part { Owner = new("a") };
    }

    public record Point(int X, int Y = 0) : Shape("point")
    {
        public int Sum => X + Y;
    }
    public readonly record struct Size(double Width);
    public class Service(Item item)
    {
        public Item Item => item;
    }
    public struct Pair { public int Left; public Color Color; }
    public enum Color : byte { Red, Green = Red + 1, [Info("b")] Blue }
    public delegate bool Filter<T>(T value, int depth);
    public interface IStore<out T> : IEnumerable<T> where T : Base<T>
    {
        T Load(string name);
        int Count { get; }
        static abstract T Make();
        void Log() { }
    }
    public static class Items
    {
        public static string Label(this Item item, string prefix) => prefix + item.Name;
        public static int Twice(this string text) => text.Length * 2;
        public static T Same<T>(this T value) where T : Item => value;
    }

    class Flow
    {
        async Task<Item> Run(List<Item> items, IDictionary<string, Item> byName, Filter<Item> filter)
        {
            Item item = items[0];
            var (first, second) = (items[0], 2);
            (Item left, int right) = Both(item);
            foreach (var one in items) one.Dispose();
            foreach (var (key, value) in byName) Use(key, value.Name);
            foreach (Item typed in items) { typed.Name.Twice(); }
            for (int i = 0, n = items.Count; i < n; i++) items[i].Price += i;
            using var stream = Open();
            using (var other = Open()) { other.Close(); }
            lock (items) { }
            try { item.Dispose(); }
            catch (ArgumentException e) when (e.Message == "x") { throw; }
            finally { item = null; }
            switch (item)
            {
                case Point p when p.X > 0: Use(p.X, p); break;
                case Item { Name: var name }: Use(name, item); break;
                case null: goto default;
                default: break;
            }
            string text = item switch { Point(var x, _) => $"{x}:{item.Name,5:N}", Item s => s.Name, _ => @"a""b" };
            int Local(int depth) => depth == 0 ? 1 : Local(depth - 1);
            Func<Item, string> names = it => it.Name;
            Func<int, int, int> add = (int a, int b) => a + b;
            Action run = delegate (int z) { Use(z, null); };
            var query = from q in items
                        join other in items on q.Name equals other.Name into group1
                        let price = q.Price * 2
                        where price > Local(1)
                        orderby q.Name descending
                        select new { q.Name, Cost = price };
            var grouped = from g in items group g by g.Color into c select c.Key;
            var last = items.Where(w => w.Price > 1).Select(w => w.Label(prefix: "a")).ToList();
            Item awaited = await LoadAsync(item.Name);
            var copy = new Point(1, Y: 2) with { X = 3 };
            var array = new Item[3] { item, null, new Item("b") };
            var many = new[] { item };
            int[][] jagged = { };
            object boxed = (object)item;
            var cast = boxed as Item;
            if (boxed is not Item found) return default(Item);
            if (int.TryParse(text, out int number) && filter(item, number)) found.Dispose();
            found.Changed?.Invoke(this, EventArgs.Empty);
            found.next?.previous?.Dispose();
            var type = typeof(Item);
            var generic = item.Convert<Item, int>(1, n => new Item(n.ToString()));
            unsafe { int* pointer = &number; *pointer = 1; }
            _ = items?[0].Name;
            label: Use(Sqrt(2), global::Shop.Models.Color.Red);
#if DEBUG && !OTHER
            Use(1, Alias.Limit);
#else
            Use(2, Names.Empty);
#endif
            var listed = new[] {
#if DEBUG
                Names.First,
#else
                Names.Second,
#endif
            };
            yield return item;
            return generic!;
        }
    }
}

// Names of types that members bear too.
class Tail { public int Size; }
class Alike
{
    const int Fixed = 3;
    Tail Tail { get; set; }

    object Make(object o)
    {
        if (o is Tail) return new Tail { Size = 1 };
        switch (o) { case Tail: return null; case Fixed: return Tail; }
        return o is not Tail ? Tail : new Tail();
    }
}
