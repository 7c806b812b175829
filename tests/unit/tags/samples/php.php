<!DOCTYPE html>
<p class="x"><?= renderTitle($t) ?></p>
<?php
declare(strict_types=1);

// class Fake {}
namespace Shop\Cart;

use Shop\Models\{Item, Money as Cash};
use Psr\Log\LoggerInterface;
use function Shop\Util\format_price;
use const Shop\Util\MAX;

require_once __DIR__ . '/boot.php';

/** function fake2() {} */
const VERSION = '1.0', BUILD = 2;
define('LEGACY_LIMIT', 10);

interface Priced extends \Countable, HasName
{
    const CURRENCY = 'EUR';
    public function price(int $qty): Money;
}

trait Logs
{
    use Helper, Other { Helper::log insteadof Other; }
    protected ?LoggerInterface $logger = null;
    abstract public function channel(): string;
    protected function note(string $msg): void { $this->logger?->info($msg); }
}

enum Status: string implements HasLabel
{
    case Open = 'open';
    case Closed = 'closed';
    const DEFAULT = self::Open;
    public static function fromLabel(string $l): self { return self::from(strtolower($l)); }
}

#[Entity(repositoryClass: CartRepository::class)]
final class Cart extends BaseCart implements Priced, \JsonSerializable
{
    use Logs;

    private const MAX_ITEMS = 10;
    public static int $count = 0;
    private array $items = [], $extra = [];
    public string $name { get => $this->loadName(); }

    #[Pure]
    public function __construct(private readonly Money $total, Item ...$items)
    {
        parent::__construct();
        self::$count++;
    }

    public function &add(Item|null $item, callable $fn = null): static
    {
        foreach ($this->items as $k => $v) {
            $local = $v;
        }
        $copy = new Item($item->id, qty: 2);
        $this->items[] = $fn($copy);
        static::register($copy);
        Registry::instance()->notify($this);
        $anon = new class extends Listener { public function handle() { fire(); } };
        $arrow = fn($x) => double($x);
        $cb = strlen(...);
        if ($item instanceof Special || $item === Status::Open) {
            throw new \DomainException("class Fake3 {}");
        }
        return match (true) { default => $this->finish() };
    }

    abstract protected function größe(): int;
}

abstract class Model {}

function helper(Cart $cart, int $n = MAX): ?Money
{
    $text = <<<TXT
function fake4() {}
TXT;
    return format_price($cart->price($n)) + \strlen($text) + Util\deep($text);
}

$handler = function (Request $r) use ($handler) { return dispatch($r); };
$GLOBALS['x'] = 1;
if (!function_exists('maybe')) {
    function maybe() { return helper(new Cart()); }
}
?>
<p><?php foreach ($rows as $row): ?><?= show_row($row) ?><?php endforeach; ?></p>
