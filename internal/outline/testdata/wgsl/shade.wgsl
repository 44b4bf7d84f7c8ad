/* fn commented() {} /* nested */ */
struct Light { position: vec3f }
alias Color = vec4f;
const LIMIT: u32 = 10u;
@group(0) @binding(0) var<uniform> light: Light;
@vertex fn vs_main(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  const local = 1;
  return vec4f();
}
fn helper(x: f32) -> f32 { return x; }
