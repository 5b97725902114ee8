import { z } from "zod";
import { Count } from "./scalars";

const numbers = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.number().nullish()]),
  ) as Record<N, z.ZodOptional<z.ZodNullable<z.ZodNumber>>>;

const texts = <const N extends string>(names: readonly N[]) =>
  Object.fromEntries(
    names.map((name) => [name, z.string().nullish()]),
  ) as Record<N, z.ZodOptional<z.ZodNullable<z.ZodString>>>;

const graphics = {
  canvas: z
    .looseObject({
      winding: z.boolean().nullish(),
      geometry: z.string().nullish(),
      text: z.string().nullish(),
    })
    .nullish(),
  webgl_extensions: z
    .looseObject({
      ...texts([
        "context_attributes",
        "parameters",
        "shader_precisions",
        "extensions",
        "extension_parameters",
      ]),
      unsupported_extensions: z.array(z.string().nullable()).nullish(),
    })
    .nullish(),
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
    .nullish(),
  screen_resolution: z
    .array(z.number().nullable())
    .describe("Width and height.")
    .nullish(),
  color_depth: Count.nullish(),
};

const writing = {
  font_preferences: z
    .looseObject(
      numbers(["default", "serif", "sans", "mono", "apple", "min", "system"]),
    )
    .nullish(),
  emoji: z
    .looseObject({
      font: z.string().nullish(),
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
    .nullish(),
  fonts: z.array(z.string().nullable()).nullish(),
  font_hash: z.string().nullish(),
  languages: z.array(z.array(z.string().nullable()).nullable()).nullish(),
  date_time_locale: z.string().nullish(),
  timezone: z.string().nullish(),
  timezone_offset: z.string().nullish(),
  keyboard_layout_hash: z.string().nullish(),
  keyboard_layout_name: z.string().nullish(),
};

const machine = {
  device_memory: Count.meta({ minimum: 0 }).nullish(),
  hardware_concurrency: Count.nullish(),
  architecture: Count.nullish(),
  oscpu: z.string().nullish(),
  platform: z.string().nullish(),
  vendor: z.string().nullish(),
  device_model: z.string().nullish(),
  device_manufacturer: z.string().nullish(),
  battery_level: z.number().meta({ minimum: 0, maximum: 100 }).nullish(),
  battery_charging: z.boolean().nullish(),
  battery_low_power_mode: z.boolean().nullish(),
  touch_support: z
    .looseObject({
      touch_event: z.boolean().nullish(),
      touch_start: z.boolean().nullish(),
      max_touch_points: Count.nullish(),
    })
    .nullish(),
};

const browser = {
  cookies_enabled: z.boolean().nullish(),
  session_storage: z.boolean().nullish(),
  local_storage: z.boolean().nullish(),
  indexed_db: z.boolean().nullish(),
  audio: z.number().nullish(),
  math: z.string().nullish(),
  plugins: z
    .array(
      z
        .looseObject({
          name: z.string().nullable(),
          description: z.string().nullish(),
          mimeTypes: z
            .array(
              z
                .looseObject(texts(["type", "suffixes", "description"]))
                .nullable(),
            )
            .nullish(),
        })
        .nullable(),
    )
    .nullish(),
};

/** What the agent measured, before any signal was made of it. */
export const RawDeviceAttributes = z.looseObject({
  ...graphics,
  ...writing,
  ...machine,
  ...browser,
});
