% function commented()
classdef Solver < handle
  methods
    function obj = Solver(n)
      obj.n = n';
    end
    function set.Limit(obj, x)
    end
  end
end
%{
function inABlock()
%}
function [x, y] = solve(A, b)
  disp('function written()');
end
function report
end
