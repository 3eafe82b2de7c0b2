// n̄, the sum of the area-weighted normals of a vertex' triangles [m²], over its neighbours, counter-clockwise.
// Needs: skin, links, cage.

fn cageNormal(i: u32) -> vec3f {
  let begin = links[skin.offsets + i];
  let end = links[skin.offsets + i + 1u];
  let centre = cage[i].xyz;
  var normal = vec3f(0.0);
  var last = cage[links[skin.neighbours + end - 1u]].xyz - centre;
  for (var n = begin; n < end; n++) {
    let next = cage[links[skin.neighbours + n]].xyz - centre;
    normal += cross(last, next);
    last = next;
  }
  return normal;
}

/** A unit vector, or what it was at rest where it has no length. */
fn unitOr(v: vec3f, rest: vec3f) -> vec3f {
  let square = dot(v, v);
  return select(rest, v * inverseSqrt(square), square > 0.0 && square < 3e38);
}
