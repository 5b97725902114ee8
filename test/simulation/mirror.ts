import type { Exchange } from "./network";
import { kindOfCollection } from "./kinds";
import type { Kind } from "./program";
import type { InProcessService, ServiceRecord } from "./service";
import { STORY_REGIONS } from "./service";

/** An object of the service, as the last answer showed it. */
export interface LiveObject {
  readonly kind: Kind;
  readonly id: string;
  readonly region: string;
  readonly record: ServiceRecord;
  /** Name of the stack whose program made it; undefined for people and the service. */
  readonly madeBy: string | undefined;
}

/** A rule in force. */
export interface LiveRule {
  readonly id: string;
  readonly name: string;
  readonly expression: string;
}

/** The objects of the service, derived from its answers to programs and to people. */
export class Mirror {
  readonly objects = new Map<string, LiveObject>();
  /** The rules in force of each environment. */
  readonly rules = new Map<string, readonly LiveRule[]>();

  constructor(private readonly service: InProcessService) {}

  /** Reads the objects at the start of a story. They are the same for every story. */
  async begin(): Promise<void> {
    const workspaces = await this.service.firstWorkspaces();
    for (const region of STORY_REGIONS) {
      const { objects, rules } = workspaces[region];
      for (const [kind, records] of objects)
        for (const record of records)
          this.#keep(kind, region, record, undefined);
      for (const { id } of objects.get("Environment") ?? [])
        this.rules.set(
          id,
          rules.filter((rule) => rule.environment === id).map(toRule),
        );
    }
  }

  /** An object. That of a verification is its webhook, as long as that is verified. */
  object(kind: Kind, id: string): LiveObject | undefined {
    if (kind !== "WebhookVerification")
      return this.objects.get(keyOf(kind, id));
    const webhook = this.object("Webhook", id);
    return webhook?.record.verified === true ? webhook : undefined;
  }

  rulesOf(environment: string): readonly LiveRule[] {
    return this.rules.get(environment) ?? [];
  }

  /** The rules in force that a write or a delete of rules affects. */
  rulesTouched(
    method: string,
    path: string,
    environment: string | undefined,
  ): readonly LiveRule[] {
    const id = path.split("/")[2];
    if (method === "DELETE")
      return [...this.rules.values()].flat().filter((rule) => rule.id === id);
    return id === "bulk" && environment !== undefined
      ? this.rulesOf(environment)
      : [];
  }

  /** Notes the changes of a call. Returns the objects that the call deleted. */
  note(exchange: Exchange, madeBy: string | undefined): LiveObject[] {
    const { method, path, status, answer, region, body } = exchange;
    if (status >= 300) return [];
    const [, collection = "", id] = path.split("/");
    if (collection === "filtering-rules") {
      this.#noteRules(method, id, body, answer);
      return [];
    }
    const kind = kindOfCollection(collection);
    if (!kind) return [];
    if (method === "DELETE") return this.#remove(kind, id ?? "");
    const data = (answer as { data?: unknown } | undefined)?.data;
    for (const record of Array.isArray(data) ? data : [data])
      if (isRecord(record))
        this.#keep(
          kind,
          region,
          record,
          method === "POST" && id === undefined ? madeBy : undefined,
        );
    return [];
  }

  #noteRules(
    method: string,
    id: string | undefined,
    body: unknown,
    answer: unknown,
  ): void {
    if (method === "DELETE") {
      for (const [environment, rules] of this.rules)
        this.rules.set(
          environment,
          rules.filter((rule) => rule.id !== id),
        );
      return;
    }
    const data = (answer as { data?: unknown } | undefined)?.data;
    if (method === "POST" && id === "bulk" && Array.isArray(data)) {
      const { environment } = body as { environment: string };
      this.rules.set(environment, data.map(toRule));
    }
  }

  #remove(kind: Kind, id: string): LiveObject[] {
    const gone = [...this.objects.values()].filter(
      (object) =>
        (object.kind === kind && object.id === id) ||
        (kind === "Environment" && object.record.environment === id),
    );
    for (const object of gone)
      this.objects.delete(keyOf(object.kind, object.id));
    if (kind === "Environment") this.rules.delete(id);
    return gone;
  }

  #keep(
    kind: Kind,
    region: string,
    record: ServiceRecord,
    madeBy: string | undefined,
  ): void {
    const key = keyOf(kind, record.id);
    const known = this.objects.get(key);
    this.objects.set(key, {
      kind,
      id: record.id,
      region,
      record: { ...known?.record, ...record },
      madeBy: known?.madeBy ?? madeBy,
    });
  }
}

/** The text that stands for an object. */
export const keyOf = (kind: Kind, id: string): string => `${kind} ${id}`;

const toRule = (rule: ServiceRecord): LiveRule => ({
  id: rule.id,
  name: String(rule.name),
  expression: String(rule.expression),
});

const isRecord = (value: unknown): value is ServiceRecord =>
  typeof value === "object" && value !== null && "id" in value;
