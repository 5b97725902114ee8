import type { Client } from "@devid/sdk";
import type { z } from "zod";
import type { Adoption } from "./adoption";
import type { ListSnapshot } from "../session/list-snapshot";
import type * as programArgs from "../adapters/dynamic/program-args";

/** A refused input: its path (`rules[0].expression`) and why. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** Shows a text to whoever runs the engine. */
export type Tell = (
  severity: "info" | "warning",
  text: string,
) => Promise<void>;

/** What every operation works with. */
export interface OperationContext {
  readonly client: Client;
  readonly tell: Tell;
}

/** What a resource does against the service. `last` is what the state holds. */
export interface Operations<I extends z.ZodObject, O extends z.ZodObject> {
  /** Makes the object. @throws IncompleteError when it was made and is not as declared */
  create(
    context: OperationContext & { readonly inputs: z.output<I> },
  ): Promise<{ readonly id: string; readonly outputs: Computed<I, O> }>;
  /**
   * Reads the object, `undefined` when it is gone. `last` is absent on an
   * import. `reads` answers many reads from one list. Local fields are kept
   * without it.
   */
  read(
    context: OperationContext & {
      readonly reads: ListSnapshot;
      readonly id: string;
      readonly last?: z.output<O>;
    },
  ): Promise<Partial<z.output<O>> | undefined>;
  /** Makes the object as declared. @throws IncompleteError when that was done in part */
  update(
    context: OperationContext & {
      readonly id: string;
      readonly inputs: z.output<I>;
      readonly last: z.output<O>;
    },
  ): Promise<Computed<I, O>>;
  /** Takes the object away; that it is gone already is no error. */
  delete(
    context: OperationContext & {
      readonly id: string;
      readonly last: z.output<O>;
    },
  ): Promise<void>;
}

/** Outputs that the service computes; those that are inputs, too, are taken as declared. */
export type Computed<I extends z.ZodObject, O extends z.ZodObject> = Omit<
  z.output<O>,
  keyof z.output<I>
>;

/** One resource: its fields and its lifecycle against the service. */
export interface ResourceDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
> extends Operations<I, O> {
  /** The resource's name in programs and, as `devid:<kind>`, in types. */
  readonly kind: string;
  /** One sentence for the reference and for editors. */
  readonly description: string;
  readonly inputs: I;
  /** Inputs and what the service adds. */
  readonly outputs: O;
  /** Version of the state's shape, from 1. */
  readonly schemaVersion: number;
  /** `upgrades[n]` turns a state of version n + 1 into one of version n + 2. */
  readonly upgrades?: readonly ((state: object) => object)[];
  /** Arguments that exist in programs only; the class turns them into inputs. */
  readonly programArgs?: {
    readonly fields: z.ZodObject;
    /** The input that they stand for. */
    readonly inPlaceOf: keyof z.output<I> & string;
    readonly expand: keyof typeof programArgs;
  };
  /** Turns what a program writes into the form that the state keeps; called with either form, unknown values included. */
  normalize?(inputs: z.output<I>): z.output<I>;
  /**
   * Failures that one field alone cannot show. Fields that are unknown, or were
   * refused, are absent; `given` names every field that the program gave.
   */
  validate?(
    inputs: Partial<z.output<I>>,
    context: { readonly isLocal: boolean; readonly given: ReadonlySet<string> },
  ): readonly CheckFailure[];
  /** How existing objects are found, where `adopt` is an input. */
  readonly adoption?: Adoption;
  /** The work there is although no field differs, such as "still to be verified". */
  pending?(state: z.output<O>, inputs: z.output<I>): string | undefined;
  /**
   * What an update in place does, for a preview: lines without secrets, and
   * `undefined` where the engine's own display says all. Unknown values are in
   * `inputs`. What it throws is passed over.
   */
  describeUpdate?(state: z.output<O>, inputs: z.output<I>): string | undefined;
  /** A property path of the service as one of the inputs, where they differ in more than spelling. */
  toInputPath?(path: string, inputs: z.output<I>): string;
}

/** Defines a resource; the result is what the registry and both adapters take. */
export function defineResource<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}
