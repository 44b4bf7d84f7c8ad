// fun commented() {}
module shop::coin {
    use std::signer;

    const ELIMIT: u64 = 1;

    public struct Coin has key, store { value: u64 }

    public entry fun mint(account: &signer, value: u64) {
        let text = b"fun written() {}";
    }

    fun burn(coin: Coin) {}
}
