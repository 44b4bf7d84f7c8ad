"""
    Model(in => out)

function written(x)
"""
module Models

using LinearAlgebra: norm
import Base: show

const LIMIT = 10

abstract type Layer end

Base.@kwdef mutable struct Dense{F,M<:AbstractMatrix} <: Layer
    weight::M
    σ::F = identity
end

struct Chain{T}
    layers::T
end

function (m::Dense)(x)
    m.σ.(m.weight * x')
end

function Base.show(io::IO, m::Dense)
    print(io, "Dense(
function in_a_text(x)
")
end

area(x::Real, y::Type{<:Number}) = x * y
Base.length(c::Chain) = length(c.layers)
(f::Chain)(x) = x

@inline function clip!(x, limit = LIMIT)
    local_one(y) = y + 1
    function local_two(z)
        z
    end
    c = 'f'
    return local_one(x)
end

macro layer(ex)
    ex
end

#=
function commented(x)
end
=#

if VERSION > v"1.9"
    newer(x) = x
end

end # module
