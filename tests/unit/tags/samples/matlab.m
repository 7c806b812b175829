% Tank of water. function fake(z)
classdef (Sealed) Tank < handle & mixin.Base
    %TANK holds water
    properties (Access = private, Constant)
        Level = 0
        Pump Pumps.Base = makePump()
        Size (1,1) double {mustBePositive} = 3
    end
    properties (Dependent)
        Volume
    end
    events
        Overflow
    end
    enumeration
        Small (1)
        Large (2)
    end
    methods
        function obj = Tank(pump)
            obj@handle();
            obj.Pump = check_pump(pump);
        end
        function v = get.Volume(obj)
            v = computeVolume(obj.Level);
        end
        function fill(obj, amount)
            arguments
                obj
                amount (1,1) double = defaultAmount()
            end
            obj.Level = obj.Level + clampTo(amount, 0, 10);
            notify(obj, 'Overflow');
            obj.drain(amount);
            Tank.limits();
        end
    end
    methods (Static)
        function [a, b] = limits()
            a = 0; b = maxLevel();
        end
    end
    methods (Abstract)
        out = draw(obj, canvas)
    end
end

%{
function fake2(x)
%}
function y = clampTo(x, lo, hi)
    % function fake3(z)
    y = min(max(x, lo), hi);
    f = @(t) scaleBy(t);
    g = @helperFn;
    y = f(y) + arrayfun(@(k) shift_by(k), x);
    local = 3;
    if isempty(y), y = local; end
    try
        risky y
    catch err
        rethrow(err);
    end
    s.a = pkg.sub.callMe(3);
    global COUNTER
    COUNTER = 1;
end

function noArgs
    disp('function fake4');
end
