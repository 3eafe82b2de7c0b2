// n̄, the sum of the area-weighted normals of a vertex' triangles [m²]: over its neighbours, counter-clockwise.
// Needs: step, topology, positions.

fn ringNormal(i: u32) -> vec3f {
  let begin = topology[step.ringOffsets + i];
  let end = topology[step.ringOffsets + i + 1u];
  let centre = positions[i].xyz;
  var normal = vec3f(0.0);
  if (end == begin) { return normal; }
  var last = positions[topology[step.rings + end - 1u]].xyz - centre;
  for (var n = begin; n < end; n++) {
    let next = positions[topology[step.rings + n]].xyz - centre;
    normal += cross(last, next);
    last = next;
  }
  return 0.5 * normal;
}
