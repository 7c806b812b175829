// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Ownable, ERC20 as Token} from "./Ownable.sol";
import * as Lib from "./Lib.sol";
import "./All.sol";

/// contract Fake {}
error Empty(address who);
type Price is uint128;
uint256 constant MAX_SUPPLY = 10;
using {plus as +} for Price global;

enum Top { A, B }
struct Pos { int x; Side side; }
event Global(uint n);

function plus(Price a, Price b) pure returns (Price) { return Price.wrap(rawSum(a, b)); }

interface IOracle is IBase {
    error Stale();
    event Moved(address indexed who);
    function price(address t) external view returns (uint256);
}

library MathX {
    function half(uint256 a) internal pure returns (uint256) { return a / 2; }
}

abstract contract Base { function hook() internal virtual; }

contract Vault is Ownable, Base, Lib.Store("x") {
    using MathX for uint256;
    using Lib.Deep for *;
    enum State { Idle, Live }
    struct Slot { uint256 amount; State state; }
    event Paid(address indexed who, uint256 amount);
    error Broke(uint a);
    type Id is uint;
    mapping(address owner => Slot slot) public slots;
    uint256 constant FEE = 3;
    uint256 public immutable cap = computeCap();
    IOracle oracle;
    State private state_ = State.Idle;

    modifier live() virtual { require(isLive(msg.sender), "no"); _; }
    modifier onlyOwner(uint a) { _; }

    constructor(IOracle o) Ownable(msg.sender) payable { oracle = o; }

    function pay(uint256 amount) external payable live onlyOwner(1) override(Base, Token) returns (bool) {
        if (amount == 0) revert Empty(msg.sender);
        uint256 local = amount.half();
        Slot memory s = Slot({amount: local, state: State.Live});
        Pos[] storage all_ = positions;
        emit Paid(msg.sender, local);
        emit Lib.Sent(1);
        revert Lib.Bad();
        Helper h = new Helper{salt: 0}(1);
        this.pay{value: 1}(2);
        try oracle.price(msg.sender) returns (uint v) { use(v); } catch Error(string memory r) { log(r); } catch { nope(); }
        unchecked { bump(); }
        assembly { let x := add(1, 2) function yul(a) -> b { b := mul(a, 2) } }
        address payable to = payable(owner());
        return settle(amount);
    }
    function hook() internal override {}
    function cast(address a) external { IERC20(a).transfer(a, type(uint).max); }
    receive() external payable { track(msg.value); }
    fallback() external {}
}
