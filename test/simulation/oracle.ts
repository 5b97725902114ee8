import { isDeepStrictEqual } from "node:util";
import { containsPath, parsePath } from "./engine/property-path";
import { revealed, type Properties } from "./engine/property-value";
import type { Resource, Snapshot } from "./engine/resource";
import type { ProviderCall } from "./forms";
import { keyOf, Mirror, type LiveObject, type LiveRule } from "./mirror";
import type { Exchange } from "./network";
import {
  urnOfDeclared,
  type Declaration,
  type Kind,
  type Program,
} from "./program";
import {
  secretsOf,
  stateText,
  type Flags,
  type Operation,
  type Outcome,
  type Stack,
  type World,
} from "./world";

/** What must never happen. */
export type Wrong =
  | "declared object deleted"
  | "foreign object changed"
  | "rules in force empty"
  | "object in no state"
  | "secret printed"
  | "secret plain in state"
  | "ignored change sent"
  | "replacement left out"
  | "not as declared"
  | "preview after up fails"
  | "preview after up not clean"
  | "preview after up makes calls"
  | "secret key that nobody holds"
  | "up after crash fails"
  | "engine broke";

/** Something that must never happen, and did. */
export interface Violation {
  readonly wrong: Wrong;
  readonly detail: string;
}

/** Watches one command. */
export interface Judge {
  call(call: ProviderCall): void;
  exchange(exchange: Exchange): void;
  end(outcome: Outcome, before: Snapshot): Promise<void>;
}

/** The kind of an object that a resource has; undefined for a component. */
export function kindOf({ type, isCustom }: Resource): Kind | undefined {
  return isCustom ? (type.split(":").at(-1) as Kind) : undefined;
}

/**
 * Says what of a story must not have happened. It knows of the service what its answers
 * and the people of the story tell, and nothing of the provider's code.
 */
export class Oracle {
  readonly mirror: Mirror;
  readonly #secrets = new Set<string>();
  readonly #arguments = new Set<string>();
  readonly #released = new Set<string>();
  readonly #switchedByPeople = new Set<string>();
  #printed = "";

  constructor(private readonly world: World) {
    this.mirror = new Mirror(world.service);
  }

  async begin(): Promise<void> {
    await this.mirror.begin();
    for (const region of ["us", "eu"] as const)
      this.#secrets.add(this.world.service.managementKey(region));
    this.#learnSecrets();
  }

  /** Somebody changed something by hand. */
  async peopleEdited(): Promise<void> {
    const before = new Map(this.mirror.objects);
    await this.mirror.read();
    this.#learnSecrets();
    for (const [key, { kind, record }] of this.mirror.objects)
      if (
        kind === "EncryptionKey" &&
        before.get(key)?.record.status !== record.status
      )
        this.#switchedByPeople.add(key);
  }

  /** A resource was taken out of a state on purpose. */
  released(resource: Resource | undefined): void {
    const kind = resource && kindOf(resource);
    if (kind) this.#released.add(keyOf(kind, resource.id));
  }

  /** Remembers what a program marks as secret: of an address, its path too. */
  learnArguments(value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    const { secret } = value as { readonly secret?: unknown };
    if (typeof secret === "string")
      for (const part of [secret, ...secret.split("/")])
        if (!part.includes(".example") || part === secret)
          this.#addArgument(part);
    for (const member of Object.values(value)) this.learnArguments(member);
  }

  #addArgument(text: string): void {
    if (text.length >= 8) this.#arguments.add(text);
    this.addSecret(text);
  }

  /** A text that must not be shown. */
  addSecret(text: string): void {
    if (text.length >= 8) this.#secrets.add(text);
  }

  /** Watches a command from its start. */
  watch(
    stack: Stack,
    operation: Operation,
    flags: Flags,
    isTroubled: boolean,
  ): Judge {
    const { world, mirror } = this;
    const wrong = (what: Wrong, detail: string) =>
      world.violations.push({ wrong: what, detail });
    const calls: ProviderCall[] = [];
    const emptied = new Map<string, string>();
    const died: LiveObject[] = [];
    const rulesBefore = new Map<string, readonly LiveRule[]>();
    const recordsBefore = new Map(mirror.objects);
    const keptRules = this.#keptRuleSets(stack, operation, flags);
    for (const environment of keptRules)
      rulesBefore.set(environment, mirror.rulesOf(environment));
    const rulesOfAll = new Map(
      [...mirror.objects.values()]
        .filter(({ kind }) => kind === "Environment")
        .map(({ id }) => [id, mirror.rulesOf(id)] as const),
    );
    const statesBefore = new Map(
      [...world.stacks.values()].map((one) => [one.name, one.snapshot]),
    );
    return {
      call: (call) => calls.push(call),
      exchange: (exchange) => {
        const { method, path } = exchange;
        if (method !== "GET" && exchange.status < 300) {
          if (operation === "preview" || operation === "refresh")
            wrong(
              "foreign object changed",
              `a ${operation} sent ${method} ${path}`,
            );
          const objection = this.#objection(
            stack,
            statesBefore,
            exchange,
            calls,
          );
          if (objection) wrong("foreign object changed", objection);
        }
        died.push(...mirror.note(exchange, stack.name));
        if (method !== "GET") this.#learnSecrets();
        for (const environment of keptRules)
          if (
            (rulesBefore.get(environment)?.length ?? 0) > 0 &&
            mirror.rulesOf(environment).length === 0
          )
            emptied.set(environment, `${method} ${path}`);
      },
      end: async (outcome, before) => {
        await Promise.resolve();
        this.#printed += `${outcome.printed}\n`;
        const after = stack.snapshot;
        for (const one of [...secretsOf(after)]) this.addSecret(one);
        for (const resource of before.resources)
          if (
            resource.retainOnDelete &&
            !after.resources.some(
              ({ urn, id }) => urn === resource.urn && id === resource.id,
            )
          )
            this.released(resource);
        for (const [environment, call] of emptied)
          if (
            after.resources.some(
              (one) =>
                kindOf(one) === "FilteringRuleSet" &&
                one.id === environment &&
                !one.isDeleted,
            )
          )
            wrong(
              "rules in force empty",
              `${call} left environment ${environment} without rules`,
            );
        if (outcome.isEnded && operation !== "refresh")
          for (const resource of before.resources) this.#checkDropped(resource);
        for (const { kind, id, region } of died)
          for (const other of world.stacks.values())
            for (const resource of other.snapshot.resources) {
              const isIt =
                kindOf(resource) === kind &&
                resource.id === id &&
                !resource.isDeleted &&
                !resource.isPendingReplacement;
              const isAsked =
                other === stack &&
                calls.some(
                  ({ method, urn }) =>
                    method === "delete" && urn === resource.urn,
                );
              if (isIt && !isAsked)
                wrong(
                  "declared object deleted",
                  `${kind} ${id} (${region}) of ${resource.urn}`,
                );
            }
        if (this.#showsArgument(stack))
          wrong("secret plain in state", "a secret argument stands plain");
        if (operation === "up")
          for (const object of died)
            for (const declaration of stack.program.resources)
              if (
                this.#adopts(declaration, object) &&
                !after.resources.some(
                  ({ urn }) =>
                    urn ===
                    urnOfDeclared(stack.program, stack.name, declaration.name),
                )
              )
                wrong(
                  "declared object deleted",
                  `${object.kind} ${object.id}, which ${declaration.name} is to adopt`,
                );
        const text = stateText(after);
        for (const secret of this.#secrets) {
          if (outcome.printed.includes(secret))
            wrong(
              "secret printed",
              lineWith(outcome.printed, secret).replaceAll(secret, "***"),
            );
          // A resource that a program has lost never said that its address is secret.
          if (text.includes(secret) && !this.#arguments.has(secret))
            wrong(
              "secret plain in state",
              "a secret stands plain in the state",
            );
        }
        if (operation === "up")
          this.#checkIgnored(
            stack,
            before,
            after,
            outcome,
            recordsBefore,
            rulesOfAll,
          );
        // After trouble, nobody can know of an object before the next update.
        if (!isTroubled && operation !== "preview") this.checkOrphans();
      },
    };
  }

  /** Whether a resource has an argument plain in its state that the program marks as secret. */
  #showsArgument({ name, program, snapshot }: Stack): boolean {
    const marked = program.resources
      .filter(({ args }) => JSON.stringify(args).includes('"secret":'))
      .map((one) => urnOfDeclared(program, name, one.name));
    const own = snapshot.resources.filter(
      ({ urn, isDeleted }) => marked.includes(urn) && !isDeleted,
    );
    const text = stateText({ resources: own, pending: [] });
    return [...this.#arguments].some((secret) => text.includes(secret));
  }

  /** An object must not live on when its resource is gone from the state. */
  #checkDropped(resource: Resource): void {
    const kind = kindOf(resource);
    if (!kind || kind === "EncryptionKey") return;
    const object = this.mirror.object(kind, resource.id);
    if (!object || this.#released.has(keyOf(kind, resource.id))) return;
    const isHeld = [...this.world.stacks.values()].some(({ snapshot }) =>
      snapshot.resources.some(
        (one) => kindOf(one) === kind && one.id === resource.id,
      ),
    );
    if (!isHeld)
      this.world.violations.push({
        wrong: "object in no state",
        detail: `${kind} ${resource.id} of ${resource.urn}, which the state had`,
      });
  }

  /** Objects that a program made and that nobody knows of any more. */
  checkOrphans(): void {
    const held = new Set<string>();
    for (const { snapshot } of this.world.stacks.values())
      for (const resource of snapshot.resources) {
        const kind = kindOf(resource);
        if (kind) held.add(keyOf(kind, resource.id));
      }
    for (const [key, { kind, id, madeBy }] of this.mirror.objects) {
      if (madeBy === undefined || held.has(key)) continue;
      if (this.#released.has(key) || this.#printed.includes(id)) continue;
      this.world.violations.push({
        wrong: "object in no state",
        detail: `${kind} ${id} of ${madeBy}`,
      });
    }
  }

  /** What is left when everything went well: what is declared, and nothing else. */
  checkDeclared({ name, program, snapshot }: Stack): void {
    const wrong = (what: Wrong, detail: string) =>
      this.world.violations.push({ wrong: what, detail });
    const declared = new Map(
      program.resources.map((one) => [
        urnOfDeclared(program, name, one.name),
        one,
      ]),
    );
    for (const resource of snapshot.resources) {
      const { urn, id, isDeleted } = resource;
      const declaration = declared.get(urn);
      if (!declaration || isDeleted) {
        wrong(
          "not as declared",
          `the state still has ${isDeleted ? "the old " : ""}${urn}`,
        );
        continue;
      }
      const kind = kindOf(resource);
      if (!kind) continue;
      if (kind === "FilteringRuleSet") {
        const rules = declaration.args.rules as
          readonly { readonly name: string }[] | undefined;
        const ignored = declaration.ignoreChanges ?? [];
        const inForce = this.mirror.rulesOf(id);
        if (
          rules &&
          ignored.length === 0 &&
          !isDeepStrictEqual(
            rules.map((rule) => rule.name),
            inForce.map((rule) => rule.name),
          )
        )
          wrong("not as declared", `the rules in force of ${urn}`);
        continue;
      }
      const object = this.mirror.object(kind, id);
      if (!object) {
        wrong("not as declared", `${kind} ${id} of ${urn} is gone`);
        continue;
      }
      for (const field of ["name", "status", "description", "url"] as const) {
        const given = bareArgument(declaration.args[field]);
        const isIgnored = declaration.ignoreChanges?.some((path) =>
          containsPath(parsePath(path) ?? [], [field]),
        );
        if (given === undefined || isIgnored) continue;
        if (object.record[field] !== given)
          wrong(
            "not as declared",
            `${field} of ${kind} ${id} of ${urn} is ${JSON.stringify(object.record[field])}`,
          );
      }
      const isRevealedOnce =
        (kind === "ApiKey" && object.record.type !== "public") ||
        kind === "Webhook";
      const revealing = kind === "ApiKey" ? "token" : "signingKey";
      if (
        isRevealedOnce &&
        object.madeBy === name &&
        revealed(resource.outputs)[revealing] === undefined &&
        !this.#released.has(keyOf(kind, id))
      )
        wrong("secret key that nobody holds", `${kind} ${id} of ${urn}`);
    }
    for (const [urn] of declared)
      if (!snapshot.resources.some((one) => one.urn === urn))
        wrong("not as declared", `the state lacks ${urn}`);
  }

  /** Why a stack must not make a call; undefined where it may. */
  #objection(
    stack: Stack,
    states: ReadonlyMap<string, Snapshot>,
    exchange: Exchange,
    calls: readonly ProviderCall[],
  ): string | undefined {
    const { method, path, body } = exchange;
    const [, collection = "", id] = path.split("/");
    const kind = KINDS[collection];
    if (!kind || id === undefined) return undefined;
    const object = this.mirror.object(kind, id);
    if (!object) return undefined;
    const key = keyOf(kind, id);
    const isInState = (snapshot: Snapshot | undefined) =>
      snapshot?.resources.some(
        (one) => kindOf(one) === kind && one.id === id,
      ) ?? false;
    const own = isInState(stack.snapshot) || isInState(states.get(stack.name));
    const isDeleting = calls.some(
      (call) =>
        call.method === "delete" &&
        (call.request as { readonly id: string }).id === id,
    );
    if (
      kind === "EncryptionKey" &&
      isDeleting &&
      this.#switchedByPeople.has(key) &&
      (body as Properties | undefined)?.status !== undefined &&
      !calls.some(
        (call) =>
          (call.method === "update" || call.method === "create") &&
          call.urn.includes("EncryptionKey"),
      )
    )
      return `${method} ${path} undoes what somebody set by hand`;
    if (own) return undefined;
    if (this.#mayAdopt(stack.program, object)) return undefined;
    const environment = object.record.environment;
    const isWithEnvironment =
      typeof environment === "string" &&
      calls.some(
        (call) =>
          call.method === "delete" &&
          (call.request as { readonly id: string }).id === environment,
      );
    if (isWithEnvironment) return undefined;
    const isJustMade = object.madeBy === stack.name && !this.#released.has(key);
    if (isJustMade) return undefined;
    return `${method} ${path}: it is ${object.madeBy === undefined ? "not the program's" : `of ${object.madeBy}`}`;
  }

  /** Whether a program says that it takes an object over. */
  #mayAdopt({ resources }: Program, object: LiveObject): boolean {
    return resources.some((one) => this.#adopts(one, object));
  }

  #adopts(one: Declaration, { kind, id, record }: LiveObject): boolean {
    if (one.kind !== kind) return false;
    if (kind === "EncryptionKey") return true;
    if (one.import !== undefined) return this.world.idOf(one.import) === id;
    const adopt = one.args.adopt as Properties | undefined;
    if (!adopt) return false;
    const wanted = adopt.id as { readonly object?: string } | undefined;
    if (wanted) return this.world.idOf(String(wanted.object)) === id;
    const by = kind === "Webhook" ? "url" : "name";
    return record[by] === adopt[by] || record[by] === one.args[by];
  }

  /** Environments whose rules a stack declares before and after a command. */
  #keptRuleSets(
    { name, program, snapshot }: Stack,
    operation: Operation,
    flags: Flags,
  ): string[] {
    if (operation === "destroy" || (flags.replace?.length ?? 0) > 0) return [];
    const declared = program.resources
      .filter(
        ({ kind, args }) =>
          kind === "FilteringRuleSet" && (args.rules as unknown[]).length > 0,
      )
      .map((one) => urnOfDeclared(program, name, one.name));
    return snapshot.resources
      .filter(
        (one) =>
          kindOf(one) === "FilteringRuleSet" && declared.includes(one.urn),
      )
      .map(({ id }) => id);
  }

  /** What the program says to ignore must not be sent; what it says to replace must not be updated. */
  #checkIgnored(
    { name, program }: Stack,
    before: Snapshot,
    after: Snapshot,
    { steps }: Outcome,
    records: ReadonlyMap<string, LiveObject>,
    rules: ReadonlyMap<string, readonly LiveRule[]>,
  ): void {
    const wrong = (what: Wrong, detail: string) =>
      this.world.violations.push({ wrong: what, detail });
    for (const declaration of program.resources) {
      const { ignoreChanges = [], replaceOnChanges = [] } = declaration;
      if (ignoreChanges.length + replaceOnChanges.length === 0) continue;
      const urn = urnOfDeclared(program, name, declaration.name);
      const isUpdated = steps.some(
        (step) => step.op === "update" && step.urn === urn,
      );
      const old = before.resources.find((one) => one.urn === urn);
      const now = after.resources.find((one) => one.urn === urn);
      if (!isUpdated || !old || !now || old.id !== now.id) continue;
      const kind = kindOf(now);
      if (!kind) continue;
      const was = liveValues(
        kind,
        records.get(keyOf(kind, now.id)),
        rules.get(now.id),
      );
      const is = liveValues(
        kind,
        this.mirror.object(kind, now.id),
        this.mirror.rulesOf(now.id),
      );
      const changed = changedPaths(was, is);
      for (const ignored of ignoreChanges) {
        const path = parsePath(ignored);
        const sent = changed.find((one) => path && containsPath(path, one));
        if (sent) wrong("ignored change sent", `${urn}: ${sent.join(".")}`);
      }
      const inputs = changedPaths(
        programForm(revealed(old.inputs)),
        programForm(revealed(now.inputs)),
      );
      for (const replacing of replaceOnChanges) {
        const path = parsePath(replacing);
        const left = inputs.find((one) => path && containsPath(path, one));
        if (left && old.initErrors.length === 0)
          wrong("replacement left out", `${urn}: ${left.join(".")}`);
      }
    }
  }

  #learnSecrets(): void {
    for (const { kind, record } of this.mirror.objects.values()) {
      const hidden =
        kind === "ApiKey"
          ? record.type === "public"
            ? []
            : [record.token]
          : [
              record.signing_key,
              record.token,
              record.previous_token,
              record.next_token,
            ];
      for (const one of hidden)
        if (typeof one === "string" && one.length >= 8) this.#secrets.add(one);
    }
  }
}

const KINDS: Readonly<Record<string, Kind>> = {
  "api-keys": "ApiKey",
  webhooks: "Webhook",
  environments: "Environment",
  "encryption-keys": "EncryptionKey",
};

const bareArgument = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "secret" in value
    ? value.secret
    : value;

const lineWith = (text: string, part: string) =>
  text.split("\n").find((line) => line.includes(part)) ?? "";

/** What the service has of a resource, under the names of its inputs. */
function liveValues(
  kind: Kind,
  object: LiveObject | undefined,
  rules: readonly LiveRule[] | undefined,
): Properties {
  if (kind === "FilteringRuleSet")
    return {
      rules: (rules ?? []).map(({ name, expression }) => ({
        name,
        expression,
      })),
    };
  return { ...object?.record };
}

/** Rules in the form of the state as the list that a program writes. */
function programForm({ rules, ...others }: Properties): Properties {
  if (typeof rules !== "object" || rules === null || Array.isArray(rules))
    return { ...others, ...(rules !== undefined && { rules }) };
  const left = Object.entries(rules as Record<string, Properties>);
  const ordered: Properties[] = [];
  let last = "";
  for (;;) {
    const next = left.find(([, rule]) => (rule.after ?? "") === last);
    if (!next || ordered.length > left.length) break;
    const [name, { after: _, ...rule }] = next;
    ordered.push({ name, ...rule });
    last = name;
  }
  return { ...others, rules: ordered };
}

/** Paths of the leaves that differ. */
function changedPaths(
  was: unknown,
  is: unknown,
  at: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (isDeepStrictEqual(was, is)) return [];
  const isBranch = (value: unknown): value is Properties =>
    typeof value === "object" && value !== null;
  if (!isBranch(was) || !isBranch(is)) return [at];
  const isList = Array.isArray(was) && Array.isArray(is);
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap(
    (key) =>
      changedPaths(was[key], is[key], [...at, isList ? Number(key) : key]),
  );
}
