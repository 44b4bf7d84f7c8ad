-- entity commented is
library ieee;

entity counter is
  port (clk : in std_logic);
end entity counter;

architecture rtl of counter is
  type state_t is (idle, run);
  component adder is
  end component;
  signal c : character := 'e';
  FUNCTION next_state(s : state_t) return state_t is
  begin
    report "function written";
    return idle;
  end function;
begin
end architecture rtl;

package body util is
  impure function now_ns return integer is
  begin
  end function;
  procedure tick(signal c : out std_logic) is
  begin
  end procedure;
end package body;
