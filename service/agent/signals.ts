import { hashText } from "./hashing";
import type { IdentificationBody } from "./wire";

type Signals = IdentificationBody["signals"];

/**
 * One function for each signal. The names are those of `raw_device_attributes` in an
 * event (docs/contract.md, "Event record"), and `webdriver`. A function returns
 * undefined if the browser does not have the signal.
 */
const SOURCES: Readonly<Record<string, () => unknown>> = {
  architecture,
  canvas,
  color_depth: () => screen.colorDepth,
  cookies_enabled: () => navigator.cookieEnabled,
  date_time_locale: () => Intl.DateTimeFormat().resolvedOptions().locale,
  device_memory: () => nonStandard("deviceMemory"),
  hardware_concurrency: () => navigator.hardwareConcurrency,
  indexed_db: () => Boolean(indexedDB),
  languages: () => [[navigator.language], [...navigator.languages]],
  local_storage: () => Boolean(localStorage),
  oscpu: () => nonStandard("oscpu"),
  platform: () => navigator.platform,
  screen_resolution: () => [screen.width, screen.height],
  session_storage: () => Boolean(sessionStorage),
  touch_support: () => ({
    touch_start: "ontouchstart" in window,
    max_touch_points: navigator.maxTouchPoints,
  }),
  vendor: () => navigator.vendor,
  webdriver: () => navigator.webdriver,
  webgl_basics: webglBasics,
  webgl_extensions: webglExtensions,
};

/** Reads the signals of this device. A signal that cannot be read is left out. */
export function collectSignals(): Signals {
  const signals: Signals = {};
  for (const [name, read] of Object.entries(SOURCES)) {
    try {
      const signal = read();
      if (signal !== undefined) signals[name] = signal;
    } catch {
      // Reading local storage in a sandboxed frame throws, for example.
    }
  }
  return signals;
}

/** A property of `navigator` that only some browsers have, and TypeScript does not know. */
function nonStandard(name: string): unknown {
  return (navigator as unknown as Record<string, unknown>)[name];
}

/** Infinity minus infinity is NaN. The sign bit of this NaN differs between processors. */
function architecture(): number | undefined {
  const numbers = new Float32Array([Infinity]);
  const bytes = new Uint8Array(numbers.buffer);
  numbers[0] = (numbers[0] ?? 0) - (numbers[0] ?? 0);
  return bytes[3];
}

/** Hashes of two drawings: fonts, smoothing and colours differ between devices. */
function canvas():
  | { winding: boolean; geometry: string; text: string }
  | undefined {
  const element = document.createElement("canvas");
  const context = element.getContext("2d");
  if (!context) return undefined;
  const winding = hasEvenOddRule(context);
  drawText(element, context);
  const text = hashText(element.toDataURL());
  drawGeometry(element, context);
  return { winding, geometry: hashText(element.toDataURL()), text };
}

function hasEvenOddRule(context: CanvasRenderingContext2D): boolean {
  context.rect(0, 0, 10, 10);
  context.rect(2, 2, 6, 6);
  return !context.isPointInPath(5, 5, "evenodd");
}

function drawText(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
): void {
  element.width = 240;
  element.height = 60;
  context.textBaseline = "alphabetic";
  context.fillStyle = "#f60";
  context.fillRect(100, 1, 62, 20);
  context.fillStyle = "#069";
  context.font = '11pt "Times New Roman"';
  const sample = "Cwm fjordbank gly \u{1F603}";
  context.fillText(sample, 2, 15);
  context.fillStyle = "rgba(102, 204, 0, 0.2)";
  context.font = "18pt Arial";
  context.fillText(sample, 4, 45);
}

function drawGeometry(
  element: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
): void {
  element.width = 122;
  element.height = 110;
  context.globalCompositeOperation = "multiply";
  for (const [colour, x, y] of [
    ["#f2f", 40, 40],
    ["#2ff", 80, 40],
    ["#ff2", 60, 80],
  ] as const) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, 40, 0, Math.PI * 2, true);
    context.closePath();
    context.fill();
  }
}

/** Limits that differ between models of graphics processors. */
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
function webglBasics(): Record<string, string> | undefined {
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

/** Hashes of what the graphics processor can do. */
function webglExtensions(): Record<string, string> | undefined {
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

/** Reads something from a WebGL context; undefined if the browser has no WebGL. */
function inWebgl<T>(read: (gl: WebGLRenderingContext) => T): T | undefined {
  const gl = document.createElement("canvas").getContext("webgl");
  if (!gl) return undefined;
  try {
    return read(gl);
  } finally {
    // A browser keeps few contexts. With too many, it drops the oldest context, which
    // may belong to the page.
    gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}
