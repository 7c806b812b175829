# Solvers for small systems.
module Solver

using LinearAlgebra: norm, dot
import Base: show, +
import ..Shared.Tools as T
export solve, @timed_run

#= function fake() end =#
include("steps.jl")

"""
    AbstractStep

function not_code() end
"""
abstract type AbstractStep <: AbstractThing end
primitive type Byte <: Integer 8 end

struct Step{T<:Real} <: AbstractStep
    size::T
    name::String
    Step{T}(s) where {T<:Real} = new{T}(check_size(s), "x")
    function Step{T}(s, n) where {T}
        return new{T}(s, n)
    end
end

mutable struct State
    x::Vector{Float64}
    "iterations"
    n::Int
end

Base.@kwdef struct Options
    tol::Float64 = default_tol()
end

@enum Color red green=2 blue
@enum Mode begin
    fast
    slow
end

const LIMIT = 100
const Callback = Union{Function, Nothing}
const CACHE = Dict{String, State}()
global counter = 0
verbose = false

macro timed_run(ex)
    :(record(() -> $(esc(ex))))
end

function solve(f::F, s::State; tol=1e-6, opts::Options=Options()) where {F<:Function}
    local inner_limit = 3
    for _ in 1:LIMIT
        s.x .= advance.(f, s.x)
    end
    helper(y) = y + inner_limit
    function nested(z)
        z |> finish
    end
    @timed_run residual(s)
    @show s
    return residual(s)::Float64
end

residual(s::State) = norm(s.x)
area(s::Step)::Float64 = s.size
typed(x::T, y::T) where {T} = x
typed2(x::T)::T where {T} = x
Base.show(io::IO, s::State) = print_state(io, s)
function Base.getindex(s::State, i::Int)
    return s.x[i]
end
Base.:+(a::State, b::State) = join_states(a, b)
⊕(a, b) = blend(a, b)
(s::Step)(x) = scale(x, s.size)
function (s::State)(x)
    apply(s, x)
end
+(a::Step, b::Step) = Step(a.size + b.size)
==(a::Step, b::Step) = same(a, b)

function update! end
größe(feld) = länge(feld)
const double = x -> 2x
triple = function (x)
    times(x, 3)
end

@inline function quick(x)
    x isa State && throw(NotFound())
end
@generated gen(x) = build(x)
@deprecate old_name new_name

map([1, 2]) do v
    transform(v)
end

module Inner
    baremodule Bare
    end
    helper() = 1
end

if VERSION > v"1.9"
    late() = Base.ready()
end

let hidden = 1
    kept() = hidden
end

end # module
