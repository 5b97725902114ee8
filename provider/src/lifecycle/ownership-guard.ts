import type {
  CheckFailure,
  ResourceDefinition,
} from "../definition/define-resource";
import { fieldsMarked } from "../definition/field";
import { containsUnknown, type Values } from "../definition/value";
import {
  decide,
  OwnershipError,
  refusal,
  type Decision,
  type Others,
  type OwnershipOperation,
} from "../ownership/decisions";
import {
  onlyOneIn,
  onlyOneInDefault,
  type Claimant,
  type Ledger,
} from "../ownership/ledger";
import type { Owned } from "./state";

type State = Values & Owned;

/** Asks the ledger and the table of decisions for the objects of one kind. */
export class OwnershipGuard {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly ledger: Ledger,
  ) {}

  /**
   * The ledger's name for the only object of this kind in the environment of the
   * inputs. Undefined for other kinds, and while the environment is unknown. Without
   * the workspace, the ID of the default environment cannot be recognised.
   */
  onlyOne({ environment }: Values, workspace?: string): string | undefined {
    const { onePerEnvironment, kind } = this.definition;
    if (!onePerEnvironment) return undefined;
    if (containsUnknown(environment)) return undefined;
    return environment === undefined || environment === workspace
      ? onlyOneInDefault(kind)
      : onlyOneIn(environment as string, kind);
  }

  /**
   * The ledger's name for the object of a state, and the resource that has the state.
   * @throws OwnershipError for the default environment, which an import may have read
   */
  namesOf(
    id: string,
    state: State,
    urn: string | undefined,
  ): { readonly object: string; readonly self: Claimant } {
    const { environmentId: environment = id, owner } = state;
    const { outputs, isPartOf, kind } = this.definition;
    if (this.definition.takesAlong && id === owner?.workspace)
      throw new OwnershipError(
        `${kind} ${id} is the default environment of the workspace, which no resource can own. Nothing was changed. Leave \`environment\` out where it is meant; if it is in the state, remove it with pulumi state delete, which leaves ${id} as it is.`,
      );
    const hasOnceShown = fieldsMarked(outputs, "revealOnce").every(
      (name) => state[name] !== undefined,
    );
    return {
      object: isPartOf
        ? `${kind} of ${id} with ${owner?.claim}`
        : (this.onlyOne({ environment }, owner?.workspace) ?? id),
      self: { claim: owner?.claim, urn, hasOnceShown },
    };
  }

  /**
   * Gives an object to a new resource, or records that the resource wants the object.
   * Without a preview, the engine may ask about another resource with the same object
   * only after this one has it. The other resource is then refused.
   * @throws OwnershipError
   */
  take(evidence: "wanted" | "written", object: string, self: Claimant): string {
    this.#note("take", evidence, object, self);
    return object;
  }

  /**
   * Failures of inputs that would delete an object that a resource of the program has.
   */
  checkTakenAlong(inputs: Values, urn: string | undefined): CheckFailure[] {
    const { input = "", ids = [] } = this.definition.takesAlong?.(inputs) ?? {};
    return ids
      .filter((id) => typeof id === "string")
      .filter((id) => {
        const others = this.ledger.others("take", id, { urn });
        if (others === "nobody") this.ledger.note("condemned", id, { urn });
        return others !== "nobody" && others !== "condemned";
      })
      .map((id) => ({
        property: input,
        reason: `names ${id}, which belongs to a resource of this program and would be deleted with this one. Remove it from ${input}`,
      }));
  }

  /**
   * Enters the object of a state into the ledger. @throws OwnershipError if another
   * resource has it
   */
  enter(
    evidence: "seen" | "written",
    id: string,
    state: State,
    urn: string | undefined,
  ): void {
    const { object, self } = this.namesOf(id, state, urn);
    this.#note("update", evidence, object, self, id);
    const inDefault = onlyOneInDefault(this.definition.kind);
    if (object !== inDefault) this.ledger.withdraw(inDefault, urn);
  }

  /**
   * Asks, and notes the resource. Between the two, there must be no `await`. A refused
   * resource is noted, too, so that the other resource is refused before it writes. An
   * object that is to be deleted with its environment stays so.
   */
  #note(
    operation: "take" | "update",
    evidence: "wanted" | "seen" | "written",
    object: string,
    self: Claimant,
    id = object,
  ): void {
    const others = this.ledger.others(operation, object, self);
    if (others !== "condemned") this.ledger.note(evidence, object, self);
    this.#decide(operation, others, id);
  }

  /**
   * Asks whether an operation on an object may go on. Messages call the object `id`.
   * @throws OwnershipError
   */
  ask(
    operation: OwnershipOperation,
    object: string,
    self: Claimant,
    id = object,
  ): Decision {
    const others = this.ledger.others(operation, object, self);
    return this.#decide(operation, others, id);
  }

  #decide(operation: OwnershipOperation, others: Others, id: string): Decision {
    const decision = decide(operation, others);
    if (decision !== "is refused") return decision;
    throw new OwnershipError(refusal(operation, others, id, this.definition));
  }
}
