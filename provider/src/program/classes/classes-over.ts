import { componentClass } from "../component-class";
import { resourceClass, type Adapter } from "../resource-class";
import { COMPONENT_SPECS, RESOURCE_SPECS, type Classes } from "./classes";

/** The classes of all kinds and components, whose resources an adapter registers. */
export function classesOver(adapter: Adapter): Classes {
  const resources = Object.fromEntries(
    RESOURCE_SPECS.map((spec) => [spec.kind, resourceClass(spec, adapter)]),
  );
  const components = COMPONENT_SPECS.map((spec) => {
    const Part = resources[spec.composition.partKind];
    if (!Part) throw new Error(`There is no ${spec.composition.partKind}.`);
    return [spec.kind, componentClass(spec, Part)] as const;
  });
  const all: unknown = { ...resources, ...Object.fromEntries(components) };
  return all as Classes;
}
