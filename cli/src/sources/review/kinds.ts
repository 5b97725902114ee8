import { registry, type ResourceDefinition } from "@devid/pulumi/definitions";

/** The definition of each kind of resource, by the name of the kind. */
export const KINDS: Readonly<Record<string, ResourceDefinition>> = registry;
