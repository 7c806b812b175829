#define COUNT 4
// void no() {}
struct Light { float3 place; float power; };
cbuffer Scene { float4x4 view; };
float shade(Light light, float3 at) { return saturate(dot(light.place, at)); }
float4 main(float3 at : POSITION) : SV_TARGET { Light light; return float4(shade(light, at), 0, 0, 1); }
