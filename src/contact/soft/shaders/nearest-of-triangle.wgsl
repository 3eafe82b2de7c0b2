// Weights of u and v at the point of the triangle (0, u, v) that is nearest to p.

fn shareAlong(a: f32, b: f32) -> f32 {
  return select(0.0, clamp(a / b, 0.0, 1.0), b > 0.0);
}

fn nearestWeights(p: vec3f, u: vec3f, v: vec3f) -> vec2f {
  let uu = dot(u, u);
  let uv = dot(u, v);
  let vv = dot(v, v);
  let d1 = dot(u, p);
  let d2 = dot(v, p);
  let area = uu * vv - uv * uv;
  let nb = vv * d1 - uv * d2;
  let nc = uu * d2 - uv * d1;
  if (nb > 0.0 && nc > 0.0 && nb + nc < area) { return vec2f(nb, nc) / area; }
  var best = vec2f(shareAlong(d1, uu), 0.0);
  var r = p - best.x * u;
  var square = dot(r, r);
  let second = shareAlong(d2, vv);
  r = p - second * v;
  if (dot(r, r) < square) {
    square = dot(r, r);
    best = vec2f(0.0, second);
  }
  let e = v - u;
  let third = shareAlong(dot(e, p - u), dot(e, e));
  r = p - u - third * e;
  if (dot(r, r) < square) { best = vec2f(1.0 - third, third); }
  return best;
}
