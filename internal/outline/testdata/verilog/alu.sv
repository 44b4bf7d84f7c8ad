// module commented;
`define WIDTH 32
`ifndef GUARD
package alu_pkg;
  parameter int unsigned Depth = 4;
  typedef enum logic [1:0] {
    ADD, SUB
  } op_e;
  typedef logic [31:0] word_t;
  typedef struct packed {
    op_e op;
  } request_t;
endpackage

module alu import alu_pkg::*; #(
  parameter int Width = `WIDTH
) (
  input  logic clk_i,
  output word_t result_o
);
  localparam int Half = Width / 2;

  function automatic logic [31:0] rotate(input logic [31:0] x);
    return x;
  endfunction

  task drive;
    $display("module written;");
  endtask

  property p_stable;
    @(posedge clk_i) 1;
  endproperty
endmodule

interface bus_if(input logic clk);
endinterface

virtual class driver extends base_driver;
  extern virtual function void build_phase(phase p);
  constraint c_len { len < 4; }
  virtual task run_phase(phase p);
  endtask
endclass
`endif
