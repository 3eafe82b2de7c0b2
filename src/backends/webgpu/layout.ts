// What lies where in the buffers: one description for the shaders (WGSL, made from it) and for the host that fills them.

/** Particles in a workgroup; bodies are padded to whole chunks. */
export const CHUNK = 128;
/** Rows of prefix sums per chunk. */
export const CHUNK_ROWS = CHUNK + 1;
/** Numbers in a row of partial sums. */
export const SUM_STRIDE = 24;
/** Vectors per obstacle. */
export const COLLIDER_VECTORS = 16;

export const FLAG_ASLEEP = 1;
export const FLAG_ANCHORED = 2;
export const FLAG_VOLUME = 4;
export const FLAG_PUSHED = 8;
export const FLAG_SELF = 16;

type FieldType = 'u32' | 'f32' | 'vec4f' | 'vec4u';
type StructFields = Readonly<Record<string, FieldType>>;

const WORDS: Readonly<Record<FieldType, number>> = { u32: 1, f32: 1, vec4f: 4, vec4u: 4 };

/** A struct of the shaders: offsets of its fields in 32-bit words. Vectors are listed where they are aligned. */
export class StructLayout<F extends StructFields> {
  readonly offsets: Readonly<Record<keyof F, number>>;
  /** Whole vectors of four words. */
  readonly words: number;

  constructor(
    readonly name: string,
    readonly fields: F,
  ) {
    let at = 0;
    const offsets: Record<string, number> = {};
    for (const [field, type] of Object.entries(fields)) {
      if (WORDS[type] === 4 && at % 4 !== 0) throw new Error(`${name}.${field} is not aligned`);
      offsets[field] = at;
      at += WORDS[type];
    }
    this.offsets = offsets as Record<keyof F, number>;
    this.words = Math.ceil(at / 4) * 4;
  }

  get wgsl(): string {
    const lines = Object.entries(this.fields).map(([name, type]) => `${name}: ${type},`);
    return `struct ${this.name} { ${lines.join(' ')} }\n`;
  }
}

/** What a substep is given. */
export const STEP = new StructLayout('Step', {
  gravity: 'vec4f',
  timeStep: 'f32',
  colliderCount: 'u32',
  chunkCount: 'u32',
  /** Where the parts of `topology` begin, in words: the body of each chunk is first. */
  intervalOffsets: 'u32',
  intervals: 'u32',
  ringOffsets: 'u32',
  rings: 'u32',
  /** 1 where bodies may touch each other or themselves. */
  touching: 'u32',
  /** Of the grid in which bodies find each other: cells in the table, a power of two, and their size [m]. */
  cellCount: 'u32',
  cellSize: 'f32',
  /** What positions change by, by contact of bodies, is a multiple of this [m]. */
  quantum: 'f32',
  /** Which of its step it is, from 0. */
  substep: 'u32',
});

/** What the host says of a body in a substep. */
export const BODY = new StructLayout('Body', {
  first: 'u32',
  count: 'u32',
  firstChunk: 'u32',
  chunkCount: 'u32',
  flags: 'u32',
  group: 'u32',
  collidesWith: 'u32',
  friction: 'f32',
  /** Shares per step. */
  stiffness: 'f32',
  damping: 'f32',
  restScale: 'f32',
  /** Six times the volume to keep, and the volume at rest [m³]. */
  sixVolume: 'f32',
  globalShare: 'f32',
  innerShare: 'f32',
  innerLow: 'f32',
  innerHigh: 'f32',
  size: 'f32',
  grid: 'f32',
  meanArea: 'f32',
  volume: 'f32',
  /** [kg], and the mean edge at rest [m]. */
  mass: 'f32',
  edge: 'f32',
  /** Thickness of a plate with its volume and surface [m]. */
  thickness: 'f32',
  unused: 'f32',
  /** What pins' targets are relative to [m]. */
  anchor: 'vec4f',
});

/**
 * Where a body is: its positions are relative to `origin`, which moves by `shift` in the next substep. The fourth of `origin` is the speed that
 * particles of a pressed body do not exceed [m/s], 0 for any.
 */
export const FRAME = new StructLayout('Frame', { origin: 'vec4f', shift: 'vec4f' });

/** See volume/shaders/progress; `support` has λ as its fourth. */
export const PROGRESS = new StructLayout('Progress', {
  attempt: 'u32',
  rounds: 'u32',
  pending: 'u32',
  apply: 'u32',
  support: 'vec4f',
  /** Speed that particles do not exceed [m/s], 0 for any. */
  pressed: 'f32',
});

/** A particle at rest. */
export const PARTICLE_REST = new StructLayout('ParticleRest', {
  /** x⁰ [m]; m̃. */
  position: 'vec4f',
  /** t⁰ [m]; M̃. */
  centre: 'vec4f',
  /** Unit normal; l [m]. */
  normal: 'vec4f',
  /** Vertex area [m²]; trace of the region's moments; 1/|𝓡|; share of the mass. */
  areas: 'vec4f',
  /** Push field [m²]. */
  push: 'vec4f',
  /** Partner across the body, its distance [m], depth; factor on the volume weight. */
  pair: 'vec4f',
  /** Stiffness of the region and mean at the particle; the same of damping. */
  painted: 'vec4f',
});

/** A vertex against a triangle of another body, or an edge against an edge; the particle whose slot it is in comes first. */
export const BODY_CONTACT = new StructLayout('BodyContact', {
  /** The other particles: of the triangle; or the edge's other end and both of the other edge. Then 1 or 2 where there is a contact. */
  corners: 'vec4u',
  /** Of the corners, of edges with their signs. */
  weights: 'vec4f',
  /** To the vertex or the first edge; gap at the start of the step [m]. */
  normal: 'vec4f',
  /** Of the first and the corners [1/kg]. */
  inverses: 'vec4f',
  /** Thickness [m], friction, time after touching [s], mass that an approach is stopped by in a sweep [kg]. */
  numbers: 'vec4f',
  /** Along the surface, and along the normal [kg m/s]. */
  impulse: 'vec4f',
});

/** What a skin is told before it is drawn. */
export const SKIN = new StructLayout('Skin', {
  /** The body's first particle and its place in the list. */
  first: 'u32',
  body: 'u32',
  /** Vertices of the simulation mesh, its chunks, and the vertices that are shown. */
  count: 'u32',
  chunkCount: 'u32',
  visibleCount: 'u32',
  /** Where in `links` rings begin: their offsets, and the neighbours. */
  offsets: 'u32',
  neighbours: 'u32',
  /** Where in `factors` the unit normals at rest begin. */
  restNormals: 'u32',
  /** How far from the start of the last substep to its end. */
  share: 'f32',
  /** 1 where positions are relative to the body's origin, 0 where the host wrote them. */
  fromFrame: 'f32',
});

/** A vertex that is shown; see `Binding`. */
export const BOUND = new StructLayout('Bound', {
  corners: 'vec4u',
  /** wₖ; f. */
  weights: 'vec4f',
  /** r [m]. */
  offset: 'vec4f',
  normal: 'vec4f',
  /** Sign of the bitangent last; 0 where there are no tangents. */
  tangent: 'vec4f',
});

/** What the deformer's iteration is told of a frame. */
export const ITERATE = new StructLayout('Iterate', {
  helperCount: 'u32',
  surfaceCount: 'u32',
  colliderCount: 'u32',
  /** Half the longest side of the bound mesh [m]: the rest is in half sizes. */
  scale: 'f32',
  /** Shares of the ways to the edges' lengths and to the volumes that an iteration goes. */
  stiffness: 'f32',
  volumeShare: 'f32',
  /** Farthest that a vertex of the helper mesh moves in an iteration. */
  longest: 'f32',
  /** Change of the surface at which it ends. */
  tolerance: 'f32',
});

/** What carries a vertex of the deformer's surface: corners of a tetrahedron, their weights, and M − W X [half sizes]. */
export const CARRIER = new StructLayout('Carrier', { corners: 'vec4u', weights: 'vec4f', base: 'vec4f' });

const STRUCTS = [STEP, BODY, FRAME, PROGRESS, PARTICLE_REST, BODY_CONTACT, SKIN, BOUND, ITERATE, CARRIER];

/** What every shader begins with. */
export const DECLARATIONS = STRUCTS.map(({ wgsl }) => wgsl).join('');
