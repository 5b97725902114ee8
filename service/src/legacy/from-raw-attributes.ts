import type { Event } from "@devid/sdk";
import { camelDeep, camelName } from "./old-names";

/** Attributes whose old name is not just the new one in camelCase. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  indexed_db: "indexedDB",
  oscpu: "osCpu",
  webgl_basics: "webGlBasics",
  webgl_extensions: "webGlExtensions",
};

/** `rawDeviceAttributes.data` of version 3: each attribute under `value`. */
export function rawAttributesOf({
  raw_device_attributes: attributes,
}: Event): object | undefined {
  if (!attributes) return undefined;
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      OLD_NAMES[name] ?? camelName(name),
      { value: name === "canvas" ? capitalised(value) : camelDeep(value) },
    ]),
  );
}

/** The members of `canvas` begin with a capital in version 3. */
function capitalised(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      member as unknown,
    ]),
  );
}
