import type {
  CheckFailure,
  ResourceDefinition,
} from "../definition/define-resource";
import { nameOfUrn } from "../definition/engine-names";
import { redactorOf } from "../definition/redactor-of";
import { containsUnknown, UNKNOWN } from "../definition/value";
import type { Session } from "../session/session";
import { expandFile, type ProgramInputs } from "./expand-file";

/** What the setting `overrides` has for the list of rules of a rule set. */
const LIST_CHANGES = ["without", "first", "last"] as const;

/** A rule, as far as it is known. */
type Rule = { readonly name?: unknown } | typeof UNKNOWN;

/** The setting `overrides` of a provider for one resource. */
export class ResourceOverrides {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #place: string;

  constructor(
    private readonly definition: ResourceDefinition,
    private readonly session: Session,
    urn: string | undefined,
  ) {
    const { kind } = definition;
    const name = urn === undefined ? "" : nameOfUrn(urn);
    const ofKind = session.settings.overrides[kind] ?? {};
    this.#values = (Object.hasOwn(ofKind, name) && ofKind[name]) || {};
    this.#place = `setting overrides of ${kind} ${JSON.stringify(name)}`;
  }

  /**
   * The inputs with the values of the setting in place of the program's. A value of null
   * leaves the input out. Values that the program does not know yet are replaced, too.
   */
  applyTo({ values, secrets }: ProgramInputs): ProgramInputs {
    const own = Object.entries(this.#values).filter(
      ([name]) => !this.#isListChange(name),
    );
    if (own.length === 0) return { values, secrets };
    const { fileInput } = this.definition;
    const replaced = new Set(own.map(([name]) => name));
    // Rules from a file replace rules of the program, and the other way round.
    const pair = fileInput ? [fileInput.name, fileInput.inPlaceOf] : [];
    if (pair.some((name) => replaced.has(name)))
      for (const name of pair) replaced.add(name);
    const kept = Object.entries(values).filter(([name]) => !replaced.has(name));
    const set = own.filter(([, value]) => value !== null);
    return {
      values: Object.fromEntries([...kept, ...set]),
      secrets: new Set([
        ...[...secrets].filter((name) => !replaced.has(name)),
        ...(this.#isSecret ? set.map(([name]) => name) : []),
      ]),
    };
  }

  /**
   * The rules without the rules that the setting leaves out, between those that it puts
   * first and last. Rules that are not known yet stay so: the update checks again, with
   * all values.
   */
  applyToRules({ values, secrets }: ProgramInputs): ProgramInputs & {
    readonly failures: CheckFailure[];
  } {
    const rules = this.definition.fileInput?.inPlaceOf ?? "";
    const own = values[rules];
    const { without, first, last } = this.#values;
    const isChanged = [without, first, last].some((one) => one !== undefined);
    if (!this.#hasRuleList || !isChanged || !Array.isArray(own))
      return { values, secrets, failures: [] };
    const failures: CheckFailure[] = [];
    const redact = redactorOf(
      [this.#values],
      new Set(this.#isSecret ? LIST_CHANGES : []),
    );
    const refuse = (reason: string) =>
      failures.push({
        property: "",
        reason: `The ${this.#place} ${redact(reason)}`,
      });
    const leftOut = without ?? [];
    const areNames = (given: unknown): given is string[] =>
      Array.isArray(given) && given.every((one) => typeof one === "string");
    if (!areNames(leftOut)) {
      refuse("has without, which takes a list of names of rules.");
      return { values, secrets, failures };
    }
    const declared = own as readonly Rule[];
    const nameOf = (rule: Rule) =>
      rule === UNKNOWN ? UNKNOWN : (rule as { name?: unknown }).name;
    const missing = leftOut.filter(
      (name) => !declared.some((rule) => nameOf(rule) === name),
    );
    if (missing.length > 0 && !containsUnknown(declared.map(nameOf)))
      refuse(
        `leaves out rules that the program does not have: ${missing.join(", ")}.`,
      );
    const rulesAt = (setting: string, given: unknown) => {
      if (given === undefined) return [];
      if (Array.isArray(given)) return given as readonly Rule[];
      const read = this.#rulesIn(given);
      for (const { reason } of read.failures)
        refuse(`names a rule file in ${setting} that ${reason}`);
      return read.rules;
    };
    const before = rulesAt("first", first);
    const after = rulesAt("last", last);
    const kept = declared.filter(
      (rule) => !leftOut.includes(nameOf(rule) as string),
    );
    return {
      values: { ...values, [rules]: [...before, ...kept, ...after] },
      secrets: this.#isSecret ? new Set([...secrets, rules]) : secrets,
      failures,
    };
  }

  /**
   * Failures of the whole setting for this kind: inputs that the kind does not have. They
   * are found by the first check of a resource of the kind.
   */
  failures(): CheckFailure[] {
    const { kind, inputs, fileInput } = this.definition;
    const { session } = this;
    const ofKind = Object.entries(session.settings.overrides[kind] ?? {});
    if (ofKind.length === 0 || !session.isFirst(`overrides of ${kind}`))
      return [];
    const known = [
      ...Object.keys(inputs.shape),
      ...(fileInput ? [fileInput.name] : []),
      ...(this.#hasRuleList ? LIST_CHANGES : []),
    ];
    return ofKind.flatMap(([name, values]) =>
      Object.keys(values)
        .filter((input) => !known.includes(input))
        .map((input) => ({
          property: "",
          reason: `The setting overrides of ${kind} ${JSON.stringify(name)} has ${JSON.stringify(input)}, which is no input of ${kind}; it can have ${known.join(", ")}.`,
        })),
    );
  }

  /** The failure of an input. If the setting changes the input, it names the setting. */
  explain(property: string, reason: string): CheckFailure {
    const [input] = property.split(/[.[]/);
    const isList = input === this.definition.fileInput?.inPlaceOf;
    const isOwn = Object.keys(this.#values).some(
      (name) => name === input || (isList && this.#isListChange(name)),
    );
    if (!isOwn) return { property, reason };
    const whole = `With the ${this.#place}: ${property} ${reason}`;
    return { property: "", reason: whole };
  }

  get #isSecret(): boolean {
    return this.session.settings.hidesOverrides ?? false;
  }

  get #hasRuleList(): boolean {
    return this.definition.clone?.ruleFile !== undefined;
  }

  #isListChange(name: string): boolean {
    return (
      this.#hasRuleList && (LIST_CHANGES as readonly string[]).includes(name)
    );
  }

  #rulesIn(path: unknown) {
    const { name = "", inPlaceOf = "" } = this.definition.fileInput ?? {};
    const { values, failures } = expandFile(
      this.definition,
      {
        values: { [name]: path },
        secrets: new Set(this.#isSecret ? [name] : []),
      },
      undefined,
    );
    const rules = values[inPlaceOf];
    return {
      rules: Array.isArray(rules) ? (rules as readonly Rule[]) : [],
      failures,
    };
  }
}
