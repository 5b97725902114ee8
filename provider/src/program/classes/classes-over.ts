import { resourceClass, type Adapter } from "../resource-class";
import { RESOURCE_SPECS, type Classes } from "./classes";

/** The classes of all kinds, whose resources an adapter registers. */
export function classesOver(adapter: Adapter): Classes {
  const all: unknown = Object.fromEntries(
    RESOURCE_SPECS.map((spec) => [spec.kind, resourceClass(spec, adapter)]),
  );
  return all as Classes;
}
