// Tokens, with mod Hidden in a comment.
#[starknet::component]
pub mod TokenComponent {
    use super::Ledger;

    pub mod Errors {
        pub const NO_FUNDS: felt252 = 'Token: no funds';
    }

    pub trait HooksTrait<TState> {
        fn before_update(
            ref self: TState, amount: u256,
        ) {}
    }

    #[embeddable_as(TokenImpl)]
    impl Token<
        TState, +HooksTrait<TState>,
    > of IToken<TState> {
        fn total_supply(self: @TState) -> u256 {
            let mut total = 0;
            total
        }
    }
}

mod elsewhere;
