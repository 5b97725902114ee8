import type { IdentificationBody } from "../wire";
import { canvas } from "./canvas";
import { webglBasics, webglExtensions } from "./webgl";

type Signals = IdentificationBody["signals"];

/**
 * One function for each signal, under the names of `raw_device_attributes`
 * (docs/contract.md, "Event record"); `webdriver` is beside them. Undefined is
 * what this browser does not tell.
 */
const SOURCES: Readonly<Record<string, () => unknown>> = {
  architecture,
  canvas,
  color_depth: () => screen.colorDepth,
  cookies_enabled: () => navigator.cookieEnabled,
  date_time_locale: () => Intl.DateTimeFormat().resolvedOptions().locale,
  device_memory: () => told("deviceMemory"),
  hardware_concurrency: () => navigator.hardwareConcurrency,
  indexed_db: () => Boolean(indexedDB),
  languages: () => [[navigator.language], [...navigator.languages]],
  local_storage: () => Boolean(localStorage),
  oscpu: () => told("oscpu"),
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

/** What the device tells of itself. A signal that fails is left out. */
export function collectSignals(): Signals {
  const signals: Signals = {};
  for (const [name, read] of Object.entries(SOURCES)) {
    try {
      const signal = read();
      if (signal !== undefined) signals[name] = signal;
    } catch {
      // Such as local storage in a sandboxed frame.
    }
  }
  return signals;
}

/** What some browsers tell, and the types do not know. */
function told(name: string): unknown {
  return (navigator as unknown as Record<string, unknown>)[name];
}

/** The sign of the NaN that infinity minus infinity makes differs between processors. */
function architecture(): number | undefined {
  const numbers = new Float32Array([Infinity]);
  const bytes = new Uint8Array(numbers.buffer);
  numbers[0] = (numbers[0] ?? 0) - (numbers[0] ?? 0);
  return bytes[3];
}
