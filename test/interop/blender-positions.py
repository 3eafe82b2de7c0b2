# What Blender makes of a baked file: blender --background --python this -- OUT FILE,frame,frame… FILE,frame,…
# Writes JSON, by file: for every mesh object its name, the corners of its faces, the texture coordinates of these, and the world positions
# of its vertices at each frame, in our axes.
import json
import sys

import bpy
import numpy

# Debian's importer of glTF is older than its numpy, which has lost this name.
numpy.bool = bool


def look(path, frames):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.endswith(".glb"):
        bpy.ops.import_scene.gltf(filepath=path)
    else:
        # A cache is put on the mesh that stands beside it. Both are Y up, and stay so.
        rest = path.rsplit(".", 1)[0] + ".obj"
        bpy.ops.import_scene.obj(filepath=rest, axis_forward="Y", axis_up="Z", split_mode="OFF")
        body = bpy.context.selected_objects[0]
        modifier = body.modifiers.new("cache", "MESH_CACHE")
        modifier.cache_format = "PC2" if path.endswith(".pc2") else "MDD"
        modifier.filepath = path
        modifier.frame_start = 1

    found = {}
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        for thing in bpy.data.objects:
            if thing.type != "MESH":
                continue
            seen = thing.evaluated_get(graph)
            mesh = seen.to_mesh()
            points = [seen.matrix_world @ vertex.co for vertex in mesh.vertices]
            # Blender is Z up; what came through the glTF importer was turned so.
            turned = [(p.x, p.z, -p.y) if path.endswith(".glb") else tuple(p) for p in points]
            layer = mesh.uv_layers.active
            about = found.setdefault(
                thing.name,
                {
                    "faces": [list(face.vertices) for face in mesh.polygons],
                    "uvs": [list(corner.uv) for corner in layer.data] if layer else [],
                    "materials": [material.name for material in mesh.materials],
                    "frames": {},
                },
            )
            about["frames"][frame] = [c for p in turned for c in p]
            seen.to_mesh_clear()
    return found


out, *files = sys.argv[sys.argv.index("--") + 1 :]
with open(out, "w") as file:
    json.dump({name.split(",")[0]: look(name.split(",")[0], name.split(",")[1:]) for name in files}, file)
