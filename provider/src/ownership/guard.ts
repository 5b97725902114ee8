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
  type OwnershipError,
} from "./decisions";
import type { Claimant, Ledger, Thing } from "./ledger";
import { refusal } from "./refusal";

type Values = Readonly<Record<string, unknown>>;
type State = Values & {
  readonly owner?: { readonly workspace: string; readonly claim?: string };
};

/** How the ledger knows the default environment, whose ID a program need not give. */
const DEFAULT_ENVIRONMENT = "the default environment";

/** Asks the ledger and the table of decisions for the objects of one kind. */
export class OwnershipGuard {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly ledger: Ledger<{ readonly workspace: string }>,
  ) {}

  /**
   * The environment whose one object the inputs declare, as the ledger knows it;
   * undefined for other kinds, and while it is unknown. Without the workspace, a
   * program's ID of the default environment is not known to be one.
   */
  place({ environment }: Values, workspace?: string): string | undefined {
    if (!this.definition.clone?.onePerEnvironment) return undefined;
    if (containsUnknown(environment)) return undefined;
    return environment === undefined || environment === workspace
      ? DEFAULT_ENVIRONMENT
      : (environment as string);
  }

  /**
   * Gives an object to a new resource. Nothing may wait between this and the look
   * whether another one has it.
   * @throws OwnershipError
   */
  take(key: string, self: Claimant): Thing {
    const thing = { kind: this.definition.kind, key };
    const others = this.ledger.take(thing, self);
    if (decide("take", others) === "is refused")
      throw this.#refusal("take", others, key);
    return thing;
  }

  /**
   * Enters the wish of a new resource to have an object. Answers whether a state that
   * was seen with it may be the one that this resource replaces.
   * @throws OwnershipError when another resource has it
   */
  want(key: string, self: Claimant): boolean {
    const { kind, adoption } = this.definition;
    const others = this.ledger.others("take", { kind, key }, self);
    // Without URNs, it may be this very resource that has the object.
    if (!self.urn && !adoption) return others !== "nobody";
    if (self.urn) this.ledger.want(kind, self, { key, titles: [] });
    if (decide("take", others) === "is refused")
      throw this.#refusal("take", others, key);
    return false;
  }

  /**
   * Records that a create has failed, so that what it was to take over is not deleted
   * meanwhile; `taken` is that object, if it was found.
   */
  giveUp(taken: Thing | undefined, self: Claimant, inputs: Values): void {
    if (taken) return this.ledger.giveUp(taken, self);
    const { id } = (inputs.adopt ?? {}) as { readonly id?: string };
    const key = this.place(inputs) ?? id;
    const titles = this.titlesToAdopt(inputs);
    if (key !== undefined || titles.length > 0)
      this.ledger.want(this.definition.kind, self, { key, titles });
  }

  /** Names or addresses that the object may have that inputs adopt. */
  titlesToAdopt(inputs: Values): string[] {
    const by = this.definition.adoption?.by;
    if (!by || inputs.adopt === undefined) return [];
    const titles = [(inputs.adopt as Values)[by], inputs[by]];
    return titles.filter((title) => typeof title === "string");
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
    const taken = this.definition.takesAlong?.(inputs);
    if (!taken) return [];
    const ids = taken.ids.filter((id) => typeof id === "string");
    return this.ledger.condemn(ids).map((id) => ({
      property: taken.input,
      reason: `names ${id}, which a resource of this program has: it would be deleted with this one. Take it out of ${taken.input}`,
    }));
  }

  /** The object of a state that is to be updated. @throws OwnershipError */
  toUpdate(id: string, state: State, urn: string | undefined): Thing {
    return this.#asked("update", id, state, urn).thing;
  }

  /** The object of a state that is to be deleted, and what may be done. @throws OwnershipError */
  toDelete(
    id: string,
    state: State,
    urn: string | undefined,
  ): { readonly thing: Thing; readonly decision: Decision } {
    const operation = this.definition.leave ? "give back" : "delete";
    return this.#asked(operation, id, state, urn);
  }

  #asked(
    operation: "update" | "delete" | "give back",
    id: string,
    state: State,
    urn: string | undefined,
  ) {
    const { kind, adoption } = this.definition;
    const known = { environment: state.environmentId ?? id };
    const key = this.place(known, state.owner?.workspace) ?? id;
    const thing = { kind, key };
    const title = adoption && (state[adoption.by] as string | undefined);
    const self = this.claimant(state, urn);
    const others = this.ledger.others(operation, thing, self, title);
    const decision = decide(operation, others);
    if (decision === "is refused") throw this.#refusal(operation, others, id);
    return { thing, decision };
  }

  #refusal(
    operation: Exclude<OwnershipOperation, "delete with environment">,
    others: Others,
    id: string,
  ): OwnershipError {
    const { kind, singular, clone } = this.definition;
    const isDefault = id === DEFAULT_ENVIRONMENT;
    const place = clone?.onePerEnvironment
      ? isDefault
        ? id
        : `environment ${id}`
      : undefined;
    return refusal(operation, others, { kind, singular, id, place });
  }
}
