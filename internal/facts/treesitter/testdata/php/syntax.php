<html><?= $title ?></html>
<?php

declare(strict_types=1);

namespace App\Http;

use App\Models\User;
use App\Models\{Post as Entry, Tag};
use function App\Support\helper;
use const App\Support\LIMIT;
use App\Support;

/** How many there are on a page. */
const PER_PAGE = 20;
define('DEBUG', false);

interface Finder extends \Countable, Support\Named
{
    const FIRST = 1;
    public function find(int $id, ?string $name = null): ?User;
}

trait Logs
{
    private array $lines = [];
    protected function log(string ...$words): static
    {
        $this->lines[] = implode(' ', $words);
        return $this;
    }
}

enum Status: string implements HasLabel
{
    case Open = 'o';
    case Closed = 'c';
    public static function first(): self { return self::Open; }
    public function label(): string
    {
        return match ($this) {
            self::Open, Status::Closed => 'open',
            default => strtoupper($this->name),
        };
    }
}

/**
 * Answers requests.
 */
#[Route('/users', name: 'users')]
final class UserController extends Controller implements Finder
{
    use Logs, \App\Support\Caches { log as protected write; }

    public const int SIZE = PER_PAGE * 2;
    public static ?self $last = null;
    private readonly Status $status;

    public function __construct(private readonly Repo $repo, protected int|float $rate = LIMIT)
    {
        parent::__construct();
        $this->status = Status::Open;
        self::$last = $this;
    }

    public function find(int $id, ?string $name = null): ?User
    {
        $user = $this->repo->get($id) ?? new User(id: $id);
        if ($user instanceof Admin && $user->name === $name) {
            return null;
        }
        foreach ($user->posts() as $key => $post) {
            $post->touch($key);
        }
        try {
            [$first, 'b' => $second] = helper($user);
            $first?->close();
        } catch (NotFound | \RuntimeException $e) {
            $this->log("lost {$e->getMessage()} of $name", ...$second);
        } finally {
            static::flush();
        }
        return $user;
    }

    private static function flush()
    {
        $entry = new Entry;
        $make = function (Tag $tag) use ($entry, &$unknown) {
            return $entry->add($tag);
        };
        $short = fn ($x) => $x + $entry->count();
        $handler = new class($short) extends Handler {
            public function run() { return parent::run(); }
        };
        return $entry;
    }

    abstract public function missing();
}

function &globals(array &$in, callable $f = null): array
{
    global $title;
    static $calls = 0;
    $calls++;
    $title .= Support\shout($in[0]->name) . \strlen($title) . UserController::class;
    while ($calls < 3) { $f($calls); }
    echo UserController::SIZE, UserController::$last, namespace\local();
    return (array) clone $in;
}

$title = globals([1, 'a' => new User(1)])[0];

/**
 * @template T of Entry
 * @property ?User $owner whose it is
 * @property-read Tag[] $tags
 * @method static Entry find(int $id)
 */
class Shelf
{
    /** @var array<string, Entry>|null */
    private $entries;

    /**
     * @param list<\App\Models\Tag> $all
     * @param T $one
     * @return self<T>
     */
    public function put(array $all, $one)
    {
        /** @var Entry $made */
        $made = make($one);
        $touch = $made->touch(...);
        run([$this, 'put'], [Tag::class, 'of'], [$made, 'touch']);
        $tags = $made->get(Tag::class)->of(Tag::class, 1);
        $kind = Tag::class;
        return $this;
    }
}

enum Size: int
{
    case Small = 1;
    final public const ALL = [self::Small];
    const DEFAULT = self::Small;
}

\define('LATE', 1);
