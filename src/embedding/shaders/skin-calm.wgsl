// Skins, 3 and 4 of 5: gradients take the mean of their own and their neighbours'. The sums of each chunk make the mean of all.
// uses: chunk, terms, chunk-sums

@group(0) @binding(0) var<uniform> skin: Skin;
@group(0) @binding(1) var<storage, read> links: array<u32>; // places, rings
@group(0) @binding(2) var<storage, read> gradients: array<vec4f>; // three rows of G per vertex
@group(0) @binding(3) var<storage, read_write> gradientsNext: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> sums: array<f32>; // G of each chunk

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let i = CHUNK * group.x + lane;
  var rows = array<vec4f, 3>();
  if (i < skin.count) {
    let begin = links[skin.offsets + i];
    let end = links[skin.offsets + i + 1u];
    let share = 1.0 / f32(1u + end - begin);
    for (var c = 0u; c < 3u; c++) {
      var sum = gradients[3u * i + c];
      for (var n = begin; n < end; n++) { sum += gradients[3u * links[skin.neighbours + n] + c]; }
      rows[c] = share * sum;
      gradientsNext[3u * i + c] = rows[c];
    }
  }
  for (var c = 0u; c < 3u; c++) { putVector(lane, 3u * c, rows[c].xyz); }
  addTerms(lane, 9u);
  if (lane < SUM_STRIDE) { sums[SUM_STRIDE * group.x + lane] = wgSums[lane]; }
}
