import type {
  CheckFailure,
  ResourceDefinition,
} from "../definition/define-resource";
import { fieldsMarked } from "../definition/field";
import { containsUnknown } from "../definition/value";
import {
  decide,
  type Decision,
  type OwnershipOperation,
  type Others,
} from "./decisions";
import type { Claimant, Ledger } from "./ledger";
import { refusal } from "./refusal";

type Values = Readonly<Record<string, unknown>>;
type State = Values & {
  readonly owner?: { readonly workspace: string; readonly claim?: string };
};

/** How the ledger knows what exists once in an environment. */
export const onlyOneIn = (environment: string, kind: string): string =>
  `${kind} of environment ${environment}`;

/** Asks the ledger and the table of decisions for the objects of one kind. */
export class OwnershipGuard {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly ledger: Ledger,
  ) {}

  /**
   * The one object of the environment that inputs name; undefined for other kinds, and
   * while the environment is unknown. Without the workspace, a program's ID of the
   * default environment is not known to be one.
   */
  onlyOne({ environment }: Values, workspace?: string): string | undefined {
    const { clone, kind } = this.definition;
    if (!clone?.onePerEnvironment) return undefined;
    if (containsUnknown(environment)) return undefined;
    return environment === undefined || environment === workspace
      ? `${kind} of the default environment`
      : onlyOneIn(environment as string, kind);
  }

  /**
   * Gives an object to a new resource. Nothing may wait between this and the look
   * whether another one has it.
   * @throws OwnershipError
   */
  take(object: string, self: Claimant): string {
    this.#decided("take", this.ledger.take(object, self), object);
    return object;
  }

  /**
   * Enters the wish of a new resource to have an object.
   * @throws OwnershipError when another resource has it
   */
  want(object: string, self: Claimant): void {
    const others = this.ledger.others("take", object, self);
    this.ledger.want([object], self);
    this.#decided("take", others, object);
  }

  /**
   * Records that a create has failed, so that what it was to take over is not deleted
   * meanwhile: the object that it took, or else whatever the inputs may mean.
   */
  giveUp(taken: string | undefined, self: Claimant, inputs: Values): void {
    const { by } = this.definition.adoption ?? {};
    const adopt = inputs.adopt as Values | undefined;
    const found = taken ?? this.onlyOne(inputs) ?? adopt?.id;
    const titles = by && adopt ? [adopt[by], inputs[by]] : [];
    const objects =
      found === undefined ? titles.map((one) => this.#called(one)) : [found];
    this.ledger.want(
      objects.filter((object) => typeof object === "string"),
      self,
    );
  }

  /** The resource of a state, as the ledger knows it. */
  claimant(state: State, urn: string | undefined): Claimant {
    const { outputs } = this.definition;
    const hasOnceShown = fieldsMarked(outputs, "revealOnce").every(
      (name) => state[name] !== undefined,
    );
    return { claim: state.owner?.claim, urn, hasOnceShown };
  }

  /** Failures of inputs that would take along, with a delete, what a resource of the program has. */
  checkTakenAlong(inputs: Values): CheckFailure[] {
    const { input = "", ids = [] } = this.definition.takesAlong?.(inputs) ?? {};
    const known = ids.filter((id) => typeof id === "string");
    return this.ledger.condemn(known).map((id) => ({
      property: input,
      reason: `names ${id}, which a resource of this program has: it would be deleted with this one. Take it out of ${input}`,
    }));
  }

  /** The object of a state that is to be updated. @throws OwnershipError */
  toUpdate(id: string, state: State, urn: string | undefined): string {
    return this.#asked("update", id, state, urn).object;
  }

  /** The object of a state that is to be deleted, and what may be done. @throws OwnershipError */
  toDelete(
    id: string,
    state: State,
    urn: string | undefined,
  ): { readonly object: string; readonly decision: Decision } {
    const operation = this.definition.leave ? "give back" : "delete";
    return this.#asked(operation, id, state, urn);
  }

  #asked(
    operation: "update" | "delete" | "give back",
    id: string,
    state: State,
    urn: string | undefined,
  ) {
    const known = { environment: state.environmentId ?? id };
    const object = this.onlyOne(known, state.owner?.workspace) ?? id;
    const { by = "" } = this.definition.adoption ?? {};
    const self = this.claimant(state, urn);
    const title = this.#called(state[by]);
    const others = this.ledger.others(operation, object, self, title);
    return { object, decision: this.#decided(operation, others, id, object) };
  }

  /** How the ledger knows an object of this kind by its name or address. */
  #called(title: unknown): string | undefined {
    return typeof title === "string"
      ? `${this.definition.kind} called ${title}`
      : undefined;
  }

  /** @throws OwnershipError where the table refuses the operation */
  #decided(
    operation: Exclude<OwnershipOperation, "delete with environment">,
    others: Others,
    id: string,
    object = id,
  ): Decision {
    const { kind, singular } = this.definition;
    const decision = decide(operation, others);
    if (decision !== "is refused") return decision;
    const [, place] = object.split(`${kind} of `);
    throw refusal(operation, others, { kind, singular, id, place });
  }
}
