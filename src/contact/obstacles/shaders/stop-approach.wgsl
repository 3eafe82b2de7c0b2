// What an obstacle lets pass of a velocity: nothing into it, and by Coulomb's law less slip along it.

fn stopApproach(velocity: vec3f, normal: vec3f, friction: f32, surface: vec3f) -> vec3f {
  let relative = velocity - surface;
  let approach = dot(relative, normal);
  if (approach >= 0.0) { return velocity; }
  let along = relative - approach * normal;
  let slip = length(along);
  let braked = select(0.0, min(1.0, -friction * approach / slip), slip > 0.0);
  return velocity - approach * normal - braked * along;
}
