cbuffer Settings { float radius; };
struct VSOutput { float4 position : SV_POSITION; };
float weight(float x) { return exp(-x * x); }
