import type { Client } from "@devid/sdk";
import type { z } from "zod";
import type { Session, Tell } from "../session/session";
import type { Adoption } from "./adoption";
import type { CloneTraits } from "./clone-traits";

/** A refused input: its path (`rules[0].expression`) and why. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** An object of the service: its ID and its fields as a resource's outputs. */
export interface Found {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** What every operation works with. */
export interface OperationContext {
  /** The configured provider that the operation belongs to. */
  readonly session: Session;
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
   * Reads the object; `undefined` when it is gone. `last` is absent where an
   * object is read by its ID alone. The lifecycle copies fields marked `local`
   * from the last state; `read` need not return them.
   */
  read(
    context: OperationContext & {
      readonly id: string;
      readonly last?: z.output<O>;
    },
  ): Promise<Partial<z.output<O>> | undefined>;
  /**
   * Makes the object as declared. `changed` names the inputs in which the
   * program differs from the state; nothing else need be sent.
   * @throws IncompleteError when that was done in part
   */
  update(
    context: OperationContext & {
      readonly id: string;
      readonly inputs: z.output<I>;
      readonly last: z.output<O>;
      readonly changed: ReadonlySet<string>;
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
  /** What one is called in messages and reports: `API key`. */
  readonly singular: string;
  /** One sentence for the reference and for editors. */
  readonly description: string;
  readonly inputs: I;
  /** Inputs and what the service adds. */
  readonly outputs: O;
  /** Version of the state's shape, from 1. */
  readonly schemaVersion: number;
  /** `upgrades[n]` turns a state of version n + 1 into one of version n + 2. */
  readonly upgrades?: readonly ((state: object) => object)[];
  /** Whether a replaced object must go before the new one can be made. */
  readonly deleteBeforeReplace?: boolean;
  /** Arguments that exist in programs only; the class turns them into inputs. */
  readonly programArgs?: {
    readonly fields: z.ZodObject;
    /** The input that they stand for. */
    readonly inPlaceOf: keyof z.output<I> & string;
    /** The function of `adapters/dynamic/program-args` that does it. */
    readonly expand: string;
  };
  /**
   * All objects of the kind in the workspace, with the outputs that a resource
   * has which took one over as it is. `defaultEnvironment` is the ID of the
   * default environment, where the caller knows it.
   */
  list(
    client: Client,
    signal?: AbortSignal,
    defaultEnvironment?: string,
  ): AsyncIterable<Found>;
  /** What an object is called in the service. */
  title(outputs: Partial<z.output<O>>): string;
  /** Turns what a program writes into the form that the state keeps; called with either form, unknown values included. */
  normalize?(inputs: z.output<I>): z.output<I>;
  /** The inverse of `normalize`: the form that a program writes. */
  denormalize?(inputs: z.output<I>): z.output<I>;
  /**
   * Failures that one field alone cannot show. Fields that are unknown, or were
   * refused, are absent; those that hold something unknown are there, with
   * `UNKNOWN` in them.
   */
  validate?(
    inputs: Partial<z.output<I>>,
    context: ValidateContext,
  ): readonly CheckFailure[];
  /**
   * Failures of an update in place that the inputs of the last one show, both
   * normalised. Called when everything else is right; unknown values are in
   * `inputs`. Asks the service for nothing.
   */
  validateUpdate?(
    last: Partial<z.output<I>>,
    inputs: z.output<I>,
  ): readonly CheckFailure[];
  /**
   * Failures that only the service can show, looked for before the object is
   * made: in a preview, too. Called when everything else is right; fields that
   * hold something unknown are absent.
   */
  beforeCreate?(
    context: OperationContext & { readonly inputs: Partial<z.output<I>> },
  ): Promise<readonly CheckFailure[]>;
  /** How existing objects are found, where `adopt` is an input. */
  readonly adoption?: Adoption;
  /** What exporting and comparing a workspace has to know of the kind beside its schemas. */
  readonly clone?: CloneTraits<Partial<z.output<O>>>;
  /** The work there is although no field differs, such as "still to be verified". */
  pending?(state: z.output<O>, inputs: z.output<I>): string | undefined;
  /**
   * What an update in place does, for a preview: lines without secrets, and
   * `undefined` where the engine's own display says all. Unknown values are in
   * `inputs`. What it throws is passed over.
   */
  describeUpdate?(state: z.output<O>, inputs: z.output<I>): string | undefined;
  /**
   * What happens instead of a delete when another resource of the program has
   * the object. Without it, the object stays where this update gave it to the
   * other resource, and the delete is refused otherwise.
   */
  leave?(
    context: OperationContext & {
      readonly id: string;
      readonly last: z.output<O>;
    },
  ): Promise<void>;
  /** A property path of the service as one of the inputs, where they differ in more than spelling. */
  toInputPath?(path: string, inputs: z.output<I>): string;
}

/** What a validation knows beside the inputs. */
export interface ValidateContext {
  /** Whether the management API is on this machine. */
  readonly isLocal: boolean;
  /** Names of the fields that the program gave. */
  readonly given: ReadonlySet<string>;
  /** Names of the fields that the program marked as secret: no message may quote them. */
  readonly secrets: ReadonlySet<string>;
}

/** Defines a resource; the result is what the registry and the adapters take. */
export function defineResource<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}

/** Records of the service as objects of a kind. */
export async function* foundAmong<R extends { readonly id: string }>(
  records: AsyncIterable<R>,
  toOutputs: (record: R) => object,
): AsyncGenerator<Found, void, undefined> {
  for await (const record of records)
    yield { id: record.id, outputs: { ...toOutputs(record) } };
}

/** Of the fields of an update those that changed; `undefined` when none did. */
export function changedFields<F extends object>(
  changed: ReadonlySet<string>,
  fields: F,
): Partial<F> | undefined {
  const own = Object.entries(fields).filter(([name]) => changed.has(name));
  return own.length > 0 ? (Object.fromEntries(own) as Partial<F>) : undefined;
}
