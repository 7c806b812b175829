// module fake; endmodule
`timescale 1ns/1ps
`include "defs.vh"
`define WIDTH 8
`define MAX(a, b) ((a) > (b) ? (a) : (b))

/* module fake2; endmodule */
package shop_pkg;
  typedef enum logic [1:0] { IDLE, RUN = 2 } state_t;
  typedef struct packed { logic [7:0] data; logic valid; } item_t;
  typedef logic [7:0] byte_t;
  parameter int LIMIT = 10;
  localparam DEPTH = 4;
  function automatic int clamp(int x, int lo);
    return max_of(x, lo);
  endfunction
endpackage

interface bus_if #(parameter W = 8) (input logic clk);
  logic [W-1:0] data;
  modport master (output data, input clk);
  clocking cb @(posedge clk); endclocking
endinterface

module counter #(
  parameter WIDTH = 8,
  parameter type T = logic
) (
  input  wire clk, rst_n,
  input  shop_pkg::item_t item,
  bus_if.master bus,
  output reg [WIDTH-1:0] count
);
  import shop_pkg::*;
  localparam STEP = 1;
  wire [7:0] next;
  logic [3:0] mem [0:15];
  state_t state;
  genvar i;
  assign next = count + STEP;
  always_ff @(posedge clk or negedge rst_n) begin : seq
    if (!rst_n) count <= 0;
    else count <= clamp(next, `WIDTH);
  end
  always @* begin
    $display("module fake3; endmodule");
  end
  function [7:0] twice;
    input [7:0] x;
    twice = double_it(x);
  endfunction
  task automatic drive(input int n);
    repeat (n) @(posedge clk);
    send(n);
  endtask
  adder #(.W(8)) u_adder (.a(count), .b(next), .sum());
  sub_block u_sub [3:0] (clk);
  generate
    for (i = 0; i < 4; i = i + 1) begin : gen_cells
      cell_mod u_cell (.clk(clk));
    end
  endgenerate
  property p_valid; @(posedge clk) item.valid |-> ##1 count; endproperty
  assert property (p_valid);
  sequence s_one; count ##1 next; endsequence
  covergroup cg @(posedge clk); coverpoint count; endgroup
endmodule : counter

class Packet extends BasePacket #(int) implements Printable;
  rand bit [7:0] addr;
  static int total = 0;
  constraint addr_c { addr < 10; }
  function new(string name = "");
    super.new(name);
    total = total + 1;
  endfunction
  virtual function void print();
    Logger::write(this.addr);
    helper.run();
  endfunction
  extern task drive();
  pure virtual function int size();
endclass

task Packet::drive();
  send_all();
endtask

program test_prog;
  initial begin
    Packet p = new("x");
    p.print();
  end
endprogram

primitive udp_and (out, a, b);
  output out;
  input a, b;
  table
    0 0 : 0;
    1 1 : 1;
  endtable
endprimitive

checker chk; endchecker
bind counter checker_mod u_chk (.clk(clk));
`ifdef DEBUG
module dbg(a, b);
  input a;
  output b;
  parameter P = 1;
  reg r;
  event ev;
  initial r = `MAX(1, 2);
endmodule
`endif
