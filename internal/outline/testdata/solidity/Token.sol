pragma solidity ^0.8.0;
// contract NotThis {}
interface IToken { }
contract Token is IToken {
    struct Holder { uint a; }
    event Transfer(address from);
    error Denied(address who);
    modifier onlyOwner() { _; }
    constructor() { }
    function transfer(address to, uint256 amount)
        external
        returns (bool)
    {
        emit Transfer(to);
        return true;
    }
}
