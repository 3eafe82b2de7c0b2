/** Nearest surface of a shape as seen from a point. */
export interface SurfacePoint {
  /** Signed distance [m], negative inside. */
  distance: number;
  /** Outward unit normal. */
  nx: number;
  ny: number;
  nz: number;
}
