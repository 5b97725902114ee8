import type { z } from "zod";
import type { CheckFailure } from "./define-resource";
import type { Properties, Value } from "./value";

/** A resource that a component consists of. */
export interface ComponentPart {
  readonly name: string;
  /** Its name among the component's parts. */
  readonly label: string;
  readonly inputs: Properties;
  /** The component's outputs that come from this resource, each with its name there; `id` is the resource's ID. */
  readonly outputs?: Readonly<Record<string, string>>;
  /**
   * Why an output of this resource can have no value and what to do, by the name of the
   * output. Replaces advice of the resource's own definition that is wrong for a
   * component.
   */
  readonly absences?: Readonly<Record<string, string>>;
}

/** How the values of inputs are read: the plugin has other values than a program, which has Outputs. */
export interface ValueReader {
  /** The value with its text changed. Secret and unknown values stay so. */
  readonly withText: (value: Value, change: (text: string) => string) => Value;
  /** The value without the mark of a secret. */
  readonly bare: (value: Value) => Value;
}

/**
 * Which resources a component has. The plugin and the class of programs both run this.
 * It is apart from the schemas, because a program loads no schemas.
 */
export interface Composition {
  readonly partKind: string;
  /** The member of the class that has the resources, each under its label. */
  readonly member: string;
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
  parts(
    name: string,
    inputs: Properties,
    values: ValueReader,
  ): readonly ComponentPart[];
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
  /** A program in TypeScript, for editors. */
  readonly example: string;
  readonly inputs: I;
  readonly outputs: O;
  /** The inputs that decide which resources there are; a preview must know them. */
  readonly deciding: readonly (keyof z.output<I> & string)[];
  readonly composition: Composition;
  /** What the class's member with the resources is, for editors. */
  readonly memberDescription: string;
}

/** Defines a kind of component. Both adapters, the class of programs and the package schema come from it. */
export function defineComponent<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ComponentDefinition<I, O>,
): ComponentDefinition<I, O> {
  return definition;
}
