import type { Event } from "@devid/sdk";
import { RawDeviceAttributes } from "@devid/sdk/wire";
import type { Visit } from "./visit";

/** The signals that an event has a place for, where they are of its form. Pages can send anything. */
export function rawAttributes({
  sent: { signals, timezone },
}: Visit): Event["raw_device_attributes"] {
  const all: Readonly<Record<string, unknown>> = {
    ...(timezone !== undefined && { timezone }),
    ...signals,
  };
  const known = Object.entries(RawDeviceAttributes.shape).flatMap(
    ([name, schema]) =>
      Object.hasOwn(all, name) && schema.safeParse(all[name]).success
        ? [[name, all[name]] as const]
        : [],
  );
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}
