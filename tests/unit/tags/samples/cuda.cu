#include <cuda_runtime.h>
#define BLOCK 256
// void no();
namespace shop {
struct Grid { int width; };
template <typename T> class Pool { public: T *take(int n); };
__device__ float blend(float a, float b) { return mix(a, b); }
__global__ void scale(float *out, const Grid grid, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = blend(out[i], 2.0f);
}
}
void launch(float *out, int count) { shop::scale<<<count / BLOCK, BLOCK>>>(out, shop::Grid{1}, count); }
