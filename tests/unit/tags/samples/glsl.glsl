#version 330 core
#define COUNT 4
// void no() {}
struct Light { vec3 place; float power; };
uniform Light lights[COUNT];
in vec3 normal;
out vec4 color;
float shade(Light light, vec3 at) { return max(dot(normal, at), 0.0) * light.power; }
void main() { color = vec4(shade(lights[0], normal)); }
