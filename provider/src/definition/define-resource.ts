import type { Client, Configuration } from "@devid/sdk";
import type { z } from "zod";
import type { Log, Session } from "../session/session";
import type { Adoption } from "./adoption";
import type { CloneTraits, Obstacle } from "./clone-traits";
import type { Effects } from "./effects";
import type { FileInput } from "./file-input";

/** An input that is refused: its path (`rules[0].expression`) and the reason. */
export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

/** An object of the service, with its fields as the outputs of a resource. */
export interface FoundObject {
  readonly id: string;
  readonly outputs: Record<string, unknown>;
}

/** A new object. */
export interface MadeObject<Outputs = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly outputs: Outputs;
  /**
   * Inputs that do not have their declared values yet, with the values of the object.
   */
  readonly unfinished?: Readonly<Record<string, unknown>>;
}

/** What every operation gets. */
export interface OperationContext {
  /** The configured provider that the operation belongs to. */
  readonly session: Session;
  readonly client: Client;
  /** Shows messages about the resource; secrets are removed from them. */
  readonly log: Log;
  /** Names of the inputs that the program or the state marks as secret: no message may quote them. */
  readonly secrets: ReadonlySet<string>;
}

/** What an operation on an object gets: its ID, and the state of its resource. */
export interface ObjectContext<O extends z.ZodObject> extends OperationContext {
  readonly id: string;
  readonly last: z.output<O>;
}

/** The operations of a resource against the service. */
export interface Operations<I extends z.ZodObject, O extends z.ZodObject> {
  /**
   * Creates the object. After an answer that shows a secret once, it makes no other
   * call. @throws IncompleteError if the object exists but is not as declared
   */
  create(
    context: OperationContext & {
      readonly inputs: z.output<I>;
      /**
       * For a kind of which an environment has exactly one: asks after the look-ups, and
       * before the first write, whether another resource wants the object by now.
       * @throws OwnershipError
       */
      readonly assertAlone?: () => void;
    },
  ): Promise<MadeObject<Computed<I, O>>>;
  /**
   * Reads the object, `undefined` when it is gone. `last` is absent if the object is
   * read by its ID alone. The lifecycle copies fields marked `local` from the last
   * state; `read` need not return them.
   */
  read(
    context: OperationContext & {
      readonly id: string;
      readonly last?: z.output<O>;
    },
  ): Promise<Partial<z.output<O>> | undefined>;
  /**
   * Makes the object as declared. `changed` names the inputs that differ between
   * program and state; only these need to be sent.
   * @throws IncompleteError when only a part of that was done
   */
  update(
    context: ObjectContext<O> & {
      readonly inputs: z.output<I>;
      readonly changed: ReadonlySet<string>;
    },
  ): Promise<Computed<I, O>>;
  /** Deletes the object. The lifecycle ignores a NotFoundError that a read confirms. */
  delete(context: ObjectContext<O>): Promise<void>;
}

/**
 * The outputs that an operation returns. Outputs that are also inputs are left out,
 * because they have the declared values.
 */
export type Computed<I extends z.ZodObject, O extends z.ZodObject> = Omit<
  z.output<O>,
  keyof z.output<I>
>;

/** What a small program declares, and the output that it exports. */
export interface Example<I extends z.ZodObject, O extends z.ZodObject> {
  /** Name of the resource in the program. */
  readonly name: string;
  readonly inputs: z.input<I>;
  readonly output: keyof z.output<O> & string;
}

/** What the delete of an environment must know of a kind, besides its list. */
export interface InEnvironment {
  /** Whether the object is deleted with its environment unless a resource has it. */
  readonly goesAlong?: boolean;
  /** Whether the service refuses to delete an environment with this object in it. */
  isInUse?(outputs: Readonly<Record<string, unknown>>): boolean;
  /** The objects of the kind in the environment. `singular` is what messages call them. */
  find?(
    context: OperationContext,
    environment: string,
  ): Promise<readonly (FoundObject & { readonly singular: string })[]>;
}

/** A kind of resource: its fields, and its operations against the service. */
export interface ResourceDefinition<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodObject = z.ZodObject,
> extends Operations<I, O> {
  /** The resource's name in programs and, as `devid:<kind>`, in types. */
  readonly kind: string;
  /** What messages and reports call such an object: `API key`. */
  readonly singular: string;
  /** One sentence for the reference and for editors. */
  readonly description: string;
  /** Absent for rule sets, of which a review has a section. */
  readonly effects?: Effects;
  readonly inputs: I;
  /** The inputs, and what the service adds. */
  readonly outputs: O;
  readonly example: Example<I, O>;
  /** Version of the form of the state, from 1. */
  readonly schemaVersion: number;
  /**
   * For a kind without the input `adopt`: what a program should do instead of using the
   * option `import`, which dynamic resources do not support. The text ends a sentence.
   */
  readonly insteadOfImport?: string;
  /** A file that programs may give in place of an input. */
  readonly fileInput?: FileInput<keyof z.output<I> & string>;
  /**
   * Lists all objects of the kind in the workspace. Their outputs are those of a
   * resource that took the object over unchanged. `defaultEnvironment` is the ID of
   * the default environment, if the caller knows it. With `environment`, the objects of
   * other environments may be left out.
   */
  list(
    client: Client,
    signal?: AbortSignal,
    defaultEnvironment?: string,
    environment?: string,
  ): AsyncIterable<FoundObject>;
  /**
   * How the delete of an environment finds the objects of a kind in it. By default,
   * they are the objects of `list` that name the environment.
   */
  readonly inEnvironment?: InEnvironment;
  /**
   * Set for a kind without objects of its own: the kind whose objects have the IDs.
   * Several resources may then have one ID.
   */
  readonly isPartOf?: string;
  /** The part that an object of that kind has, so that one list is enough for both; undefined if it has none. */
  partIn?(whole: FoundObject): FoundObject | undefined;
  /** The name or address of an object in the service. */
  title(outputs: Partial<z.output<O>>): string;
  /** Turns inputs as a program writes them into the form of the state. It is called with either form; values may be unknown. */
  normalize?(inputs: z.output<I>): z.output<I>;
  /** The inverse of `normalize`: inputs as a program writes them. */
  denormalize?(inputs: z.output<I>): z.output<I>;
  /**
   * Inputs that are ordered lists, in the form of the state. In the given field, each
   * member has the name of the member before it.
   */
  readonly orderedBy?: Readonly<Partial<Record<keyof z.output<I>, string>>>;
  /**
   * Finds failures that concern several fields. Fields that are unknown or were
   * refused are absent; fields with unknown parts are present, with `UNKNOWN` in
   * them.
   */
  validate?(
    inputs: Partial<z.output<I>>,
    context: ValidateContext,
  ): readonly CheckFailure[];
  /**
   * Finds failures of an update in place, by comparing the new inputs with those of
   * the state, both normalised. It is called when the inputs have no other failure,
   * and makes no call to the service. `inputs` may hold unknown values.
   */
  validateUpdate?(
    last: Partial<z.output<I>>,
    inputs: z.output<I>,
    context: Pick<ValidateContext, "secrets">,
  ): readonly CheckFailure[];
  /**
   * Finds failures of a create that only the service knows, also in a preview. It is
   * called when the inputs have no other failure. Fields with unknown parts are absent.
   * `mayReplace` says whether the create may be one half of a replacement.
   */
  beforeCreate?(
    context: OperationContext & {
      readonly inputs: Partial<z.output<I>>;
      readonly mayReplace: boolean;
    },
  ): Promise<readonly CheckFailure[]>;
  /**
   * Set if each environment has exactly one such object. A written program names it after
   * its environment, followed by this word if the name alone cannot be used: `key` for
   * `defaultKey`.
   */
  readonly onePerEnvironment?: string;
  /** Whether an object without an environment is in the default one. Default: it is in none. */
  inDefaultEnvironment?(outputs: Partial<z.output<O>>): boolean;
  /** Why a program cannot declare an object; `all` are the objects of its kind. */
  obstacle?(
    outputs: Partial<z.output<O>>,
    all: readonly Partial<z.output<O>>[],
  ): Obstacle | undefined;
  /** How the object to adopt is found, for a kind with the input `adopt`. */
  readonly adoption?: Adoption;
  /** What the export and the comparison of a workspace must know of the kind besides its schemas. */
  readonly clone?: CloneTraits<Partial<z.output<O>>>;
  /** The outputs that the preview of a creation knows. Inputs may be unknown. */
  planned?(inputs: z.output<I>): Partial<Computed<I, O>>;
  /** Remaining work although no field differs, such as a deletion that is still to be done. */
  pending?(state: z.output<O>, inputs: z.output<I>): string | undefined;
  /**
   * Describes an update in place for a preview, in lines without secrets; `undefined`
   * if the engine's own display is enough. `inputs` may hold unknown values. Errors
   * that it throws are ignored.
   */
  describeUpdate?(state: z.output<O>, inputs: z.output<I>): string | undefined;
  /**
   * Called instead of `delete` if another resource of the program has the object. By
   * default nothing is called, and the object stays.
   */
  leave?(context: ObjectContext<O>): Promise<void>;
  /**
   * IDs of other objects that a delete also deletes. No resource of the program may
   * have them.
   */
  takesAlong?(inputs: Partial<z.output<I>>): {
    readonly input: keyof z.output<I> & string;
    readonly ids: readonly string[];
  };
  /** The path of an input for a property path of the service, where they differ in more than spelling. */
  toInputPath?(path: string, inputs: z.output<I>): string;
}

/** What a validation gets in addition to the inputs. */
export interface ValidateContext {
  /** Of the client: for example the version of the management API, and whether it is on this machine. */
  readonly configuration: Configuration;
  /** Names of the inputs that the program gives. */
  readonly given: ReadonlySet<string>;
  /** Names of the inputs that the program marks as secret: no message may quote them. */
  readonly secrets: ReadonlySet<string>;
}

/** Defines a kind of resource, for the registry and the adapters. */
export function defineResource<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ResourceDefinition<I, O>,
): ResourceDefinition<I, O> {
  return definition;
}

/** Turns records of the service into objects of a kind. */
export async function* objectsFrom<R extends { readonly id: string }>(
  records: AsyncIterable<R>,
  toOutputs: (record: R) => object,
): AsyncGenerator<FoundObject, void, undefined> {
  for await (const record of records)
    yield { id: record.id, outputs: { ...toOutputs(record) } };
}
