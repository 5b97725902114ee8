import type { z } from "zod";
import type { CheckFailure } from "./define-resource";
import type { Properties } from "./value";

/** A resource that a component consists of. */
export interface ComponentPart {
  readonly kind: string;
  readonly name: string;
  readonly inputs: Properties;
  /** The component's outputs that come from this resource, each with its name there; `id` is the resource's ID. */
  readonly outputs?: Readonly<Record<string, string>>;
  /**
   * Why such an output can have no value and what to do, by the name of the output.
   * Replaces advice of the resource's own definition that is wrong for a component.
   */
  readonly absences?: Readonly<Record<string, string>>;
}

/** Resources that belong together and that a program declares as one. */
export interface ComponentDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
> {
  /** The component's name in programs. */
  readonly kind: string;
  /** One sentence for editors. */
  readonly description: string;
  readonly inputs: I;
  readonly outputs: O;
  /** The inputs that decide which resources there are; a preview must know them. */
  readonly deciding: readonly (keyof z.output<I> & string)[];
  /** Finds failures besides those of the schema, from the deciding inputs. */
  validate(inputs: Properties): readonly CheckFailure[];
  /**
   * A warning of the preview about the change from the resources in the state of the
   * stack; undefined for none.
   * @param urn of the component
   * @param inState URNs of all resources in the state
   */
  warning?(
    urn: string,
    inputs: Properties,
    inState: readonly string[],
  ): string | undefined;
  /** The resources of the component with this name. Inputs may be secrets or unknown, except the deciding ones. */
  parts(name: string, inputs: Properties): readonly ComponentPart[];
}

/** Defines a kind of component, for the adapter of the provider plugin and the package schema. */
export function defineComponent<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ComponentDefinition<I, O>,
): ComponentDefinition<I, O> {
  return definition;
}
