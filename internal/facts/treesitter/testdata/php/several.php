<?php
/** One file, several namespaces. */
namespace One {
    function first() { return second(); }
    function second() {}
}
namespace Two\Deep {
    use function One\first;
    class Thing { public function run() { return first() . other(); } }
    function other() { return new namespace\Thing(); }
    class Below extends Thing { static function make() { return [new static, new parent(1), fn() => new self()]; } }
}
