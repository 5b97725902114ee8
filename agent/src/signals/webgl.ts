import { hashText } from "../hash-text";

/** Bounds of the graphics processor that differ between models. */
const BOUNDS = [
  "MAX_COMBINED_TEXTURE_IMAGE_UNITS",
  "MAX_CUBE_MAP_TEXTURE_SIZE",
  "MAX_FRAGMENT_UNIFORM_VECTORS",
  "MAX_RENDERBUFFER_SIZE",
  "MAX_TEXTURE_IMAGE_UNITS",
  "MAX_TEXTURE_SIZE",
  "MAX_VARYING_VECTORS",
  "MAX_VERTEX_ATTRIBS",
  "MAX_VERTEX_UNIFORM_VECTORS",
] as const;

/** Names of the graphics processor and its driver. */
export function webglBasics(): Record<string, string> | undefined {
  return inWebgl((gl) => {
    const unmasked = gl.getExtension("WEBGL_debug_renderer_info");
    const parameters = {
      version: gl.VERSION,
      vendor: gl.VENDOR,
      renderer: gl.RENDERER,
      shading_language_version: gl.SHADING_LANGUAGE_VERSION,
      ...(unmasked && {
        vendor_unmasked: unmasked.UNMASKED_VENDOR_WEBGL,
        renderer_unmasked: unmasked.UNMASKED_RENDERER_WEBGL,
      }),
    };
    return Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [
        name,
        String(gl.getParameter(parameter)),
      ]),
    );
  });
}

/** What the graphics processor can do, as hashes. */
export function webglExtensions(): Record<string, string> | undefined {
  return inWebgl((gl) => {
    const parameters = BOUNDS.map(
      (bound) => `${bound}=${String(gl.getParameter(gl[bound]))}`,
    );
    return {
      context_attributes: hashText(JSON.stringify(gl.getContextAttributes())),
      parameters: hashText(parameters.join()),
      extensions: hashText((gl.getSupportedExtensions() ?? []).join()),
    };
  });
}

/** Reads something of 3D drawing; undefined where the browser has none. */
function inWebgl<T>(read: (gl: WebGLRenderingContext) => T): T | undefined {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return undefined;
  try {
    return read(gl);
  } finally {
    // Browsers bear few contexts at a time, and take the page's own for ours.
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
