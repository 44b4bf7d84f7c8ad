<?php

namespace App\Billing;

use App\Billing\Contracts\Gateway;
use InvalidArgumentException;

/**
 * Charges customers and remembers what they paid.
 */
class Service
{
    private array $receipts = [];

    public function __construct(private Gateway $gateway, private ?Clock $clock = null)
    {
        $this->clock ??= new Clock();
    }

    public function charge(Customer $customer, int $cents): Receipt
    {
        if ($cents <= 0) {
            throw new InvalidArgumentException("cannot charge $cents");
        }
        $receipt = $this->gateway->charge($customer->token(), $cents);
        $this->receipts[$customer->id()][] = $receipt;
        return $receipt;
    }

    /** @return Receipt[] */
    public function receipts(Customer $customer): array
    {
        return $this->receipts[$customer->id()] ?? [];
    }

    public static function total(array $receipts): int
    {
        return array_sum(array_map(fn (Receipt $r): int => $r->cents, $receipts));
    }
}

final class Receipt
{
    public function __construct(public readonly int $cents, public readonly string $id) {}

    public function refund(): self
    {
        return new self(-$this->cents, $this->id);
    }
}

class Clock
{
    public function now(): int
    {
        return time();
    }
}

interface Customer
{
    public function id(): int;
    public function token(): string;
}

function format_cents(int $cents): string
{
    return sprintf('%d.%02d', intdiv($cents, 100), $cents % 100);
}
