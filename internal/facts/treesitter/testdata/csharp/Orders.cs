using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Shop.Data;

namespace Shop.Orders;

/// <summary>Places orders and keeps them.</summary>
public sealed class OrderService : IOrderService, IDisposable
{
    private const int MaxLines = 100;
    private readonly IRepository<Order> orders;
    private readonly ILogger log;

    public OrderService(IRepository<Order> orders, ILogger log)
    {
        this.orders = orders ?? throw new ArgumentNullException(nameof(orders));
        this.log = log;
    }

    /// <summary>How many are open.</summary>
    public int Open => orders.All().Count(o => !o.Closed);

    public async Task<Order> PlaceAsync(Customer customer, IEnumerable<Line> lines)
    {
        var order = new Order(customer) { Lines = lines.Take(MaxLines).ToList() };
        foreach (var line in order.Lines)
        {
            if (line.Amount <= 0)
            {
                log.Warn($"empty line {line.Name}");
                continue;
            }
            order.Total += line.Amount * line.Price;
        }
        await orders.SaveAsync(order);
        var saved = await orders.FindAsync(order.Id);
        saved?.Customer.Notify("placed");
        return saved ?? order;
    }

    public IReadOnlyList<Order> Of(Customer customer) =>
        (from o in orders.All()
         where o.Customer == customer
         orderby o.Total descending
         select o).ToList();

    public void Dispose() => orders.Dispose();
}

public class Order
{
    public Order(Customer customer) => Customer = customer;

    public Guid Id { get; } = Guid.NewGuid();
    public Customer Customer { get; }
    public List<Line> Lines { get; set; } = new();
    public decimal Total { get; set; }
    public bool Closed { get; private set; }

    public void Close() => Closed = true;
}

public record Line(string Name, int Amount, decimal Price);

public interface IOrderService
{
    Task<Order> PlaceAsync(Customer customer, IEnumerable<Line> lines);
    int Open { get; }
}
