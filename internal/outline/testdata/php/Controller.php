<html>don't function fake() {}</html>
<?php
namespace App\Http\Controllers;

use App\Models\User;

// function notThis() {}
# class NorThis {}
define('APP_LIMIT', 10);
const VERSION = '1';

#[Route('/users')]
final class UserController extends Controller
{
    use Helpers;

    public const int PER_PAGE = 20;
    private $name = 'it\'s {';

    public function __construct(private Repo $repo) {}

    #[Get] public static function index(Request $request): array
    {
        $f = function ($x) { return $x; };
        $text = <<<SQL
        function fake() {
        SQL;
        return array_map(fn ($u) => $u->id, []);
    }

    abstract protected function load(int $id): ?User;
}

interface Repo { public function find(int $id); }
trait Helpers { function help() {} }
enum Status: string { case Open = 'o'; public function label(): string { return ''; } }
function &helper(array &$in) { return $in; }
?>
function not_code() {}
