typedef struct { float x; } point_t;
__kernel void sum(__global const float *a, __global float *out) {
  int i = get_global_id(0);
}
