#version 330
struct Light { vec3 position; };
uniform sampler2D tex;
// void commented() {}
float attenuation(float d) {
  return 1.0 / (d * d);
}
void main() {
  gl_FragColor = vec4(attenuation(1.0));
}
