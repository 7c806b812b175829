using System.Linq;
using Alias = Other.Thing;
namespace Shop.Orders
{
    public delegate void Changed<in T>(T item);

    public interface IRepo<TKey> : IReader where TKey : notnull { Order? Find(TKey id); }
    public record Money(decimal Amount, string Currency);
    public readonly struct OrderId { public int Value { get; init; } }
    [Flags] public enum State : byte { New = 1, Done = 2 }

    [Table("orders"), Obsolete]
    public partial class Order : Entity<Money>, IAudited
    {
        private const int Max = 10;
        private static readonly Logger Log = Logger.Create<Order>();
        public event Changed<Order>? OnChanged;
        public Money Total { get => Sum(Lines); set => Recalc(value); }
        public string Name => Format(this);
        public Order(OrderId id) : base(id) { Track(this); }
        public async Task<bool> SaveAsync(IRepo<int> repo, CancellationToken ct = default)
        {
            bool Local(int n) => n > Max;
            await foreach (var x in Stream(ct)) { if (Local(x)) repo?.Emit(x); }
            if (repo is SqlRepo sql) throw new Errors.Busy(nameof(Max));
            return (Result)repo.Query<Row>().First();
        }
        public static Money operator +(Order a, Order b) => a.Total;
        public static bool operator ==(Order a, Order b) => a.Same(b);
        public Order this[int i] => Children[i];
        public readonly static int Min = 1;
        ~Order() => Dispose(false);
    }

    public class Basket(int size, IClock clock) : Entity<Item>(size);
    public record struct Pair(int A, int B);
    public interface IMark;

    public static class Words
    {
        extension(string text) { public int Größe() => Count(text); }
    }
}
