import { z } from "zod";
import { Count } from "./scalars";

const numbers = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.number().optional()]),
  ) as Record<N, z.ZodOptional<z.ZodNumber>>;

const texts = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.string().optional()]),
  ) as Record<N, z.ZodOptional<z.ZodString>>;

const graphics = {
  canvas: z
    .looseObject({
      winding: z.boolean().optional(),
      geometry: z.string().optional(),
      text: z.string().optional(),
    })
    .optional(),
  webgl_extensions: z
    .looseObject({
      ...texts([
        "context_attributes",
        "parameters",
        "shader_precisions",
        "extensions",
        "extension_parameters",
      ]),
      unsupported_extensions: z.array(z.string()).optional(),
    })
    .optional(),
  webgl_basics: z
    .looseObject(
      texts([
        "version",
        "vendor",
        "vendor_unmasked",
        "renderer",
        "renderer_unmasked",
        "shading_language_version",
      ]),
    )
    .optional(),
  screen_resolution: z
    .array(z.number())
    .describe("Width and height.")
    .optional(),
  color_depth: Count.optional(),
};

const writing = {
  font_preferences: z
    .looseObject(
      numbers(["default", "serif", "sans", "mono", "apple", "min", "system"]),
    )
    .optional(),
  emoji: z
    .looseObject({
      font: z.string().optional(),
      ...numbers([
        "width",
        "height",
        "top",
        "bottom",
        "left",
        "right",
        "x",
        "y",
      ]),
    })
    .optional(),
  fonts: z.array(z.string()).optional(),
  font_hash: z.string().optional(),
  languages: z.array(z.array(z.string())).optional(),
  date_time_locale: z.string().optional(),
  timezone: z.string().optional(),
  timezone_offset: z.string().optional(),
  keyboard_layout_hash: z.string().optional(),
  keyboard_layout_name: z.string().optional(),
};

const machine = {
  device_memory: Count.meta({ minimum: 0 }).optional(),
  hardware_concurrency: Count.optional(),
  architecture: Count.optional(),
  oscpu: z.string().optional(),
  platform: z.string().optional(),
  vendor: z.string().optional(),
  device_model: z.string().optional(),
  device_manufacturer: z.string().optional(),
  battery_level: z.number().meta({ minimum: 0, maximum: 100 }).optional(),
  battery_charging: z.boolean().optional(),
  battery_low_power_mode: z.boolean().optional(),
  touch_support: z
    .looseObject({
      touch_event: z.boolean().optional(),
      touch_start: z.boolean().optional(),
      max_touch_points: Count.optional(),
    })
    .optional(),
};

const browser = {
  cookies_enabled: z.boolean().optional(),
  session_storage: z.boolean().optional(),
  local_storage: z.boolean().optional(),
  indexed_db: z.boolean().optional(),
  audio: z.number().optional(),
  math: z.string().optional(),
  plugins: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string().optional(),
        mimeTypes: z
          .array(z.looseObject(texts(["type", "suffixes", "description"])))
          .optional(),
      }),
    )
    .optional(),
};

/** What the agent measured, before any signal was made of it. */
export const RawDeviceAttributes = z.looseObject({
  ...graphics,
  ...writing,
  ...machine,
  ...browser,
});
