import type { Event } from "@devid/sdk";
import { compileRuleSet, type Rule, type RuleRequest } from "@devid/rules";
import { ATOMS, END, START } from "./random-replay";

type Outcome = "newlyDenied" | "newlyAllowed" | "unchanged" | "cannotTell";

/** The decision of one set in every world, and the deciding rule. */
interface Verdicts {
  readonly results: readonly ("allow" | "deny")[];
  readonly deciders: readonly (Rule | undefined)[];
}

/** An event and its outcomes, found by trying every value of the unknown parts. */
export interface Judged {
  readonly event: Event;
  readonly outcome: Outcome;
  /** Every possible outcome. */
  readonly changes: ReadonlySet<Outcome>;
  readonly before: Verdicts;
  readonly after: Verdicts;
}

/**
 * Evaluates both sets in all worlds: with each unknown header present or absent, and so
 * on.
 */
export function judge(
  event: Event,
  inForce: readonly Rule[],
  proposed: readonly Rule[],
  notSent: readonly string[] = [],
): Judged {
  const worlds = worldsOf(event).filter(
    ({ headers }) => !notSent.some((name) => name in headers),
  );
  const before = verdicts(inForce, worlds);
  const after = verdicts(proposed, worlds);
  const changes = new Set(
    worlds.map((_, i) => changeOf(before.results[i], after.results[i])),
  );
  const [only = "unchanged"] = changes;
  const outcome = changes.size > 1 ? "cannotTell" : only;
  return { event, outcome, changes, before, after };
}

function changeOf(before: unknown, after: unknown): Outcome {
  if (before === after) return "unchanged";
  return after === "deny" ? "newlyDenied" : "newlyAllowed";
}

function verdicts(
  rules: readonly Rule[],
  worlds: readonly RuleRequest[],
): Verdicts {
  const compiled = compileRuleSet(rules);
  if (!compiled.ok) throw new Error("These rules cannot be evaluated.");
  const decisions = worlds.map(compiled.evaluate);
  return {
    results: decisions.map(({ result }) => result),
    deciders: decisions.map(({ decidedBy }) => decidedBy),
  };
}

function worldsOf(event: Event): RuleRequest[] {
  const { origin, user_agent: userAgent, ip_address: ip } = event;
  const origins = typeof origin === "string" ? [origin] : OTHER_ORIGINS;
  return origins.flatMap((origin) =>
    (typeof userAgent === "string" ? [userAgent] : ["", "curl/8"]).flatMap(
      (agent) =>
        [undefined, "1"].flatMap((a) =>
          [undefined, "1", "2"].map((b) => ({
            headers: headers({ Origin: origin, "X-A": a, "X-B": b }),
            ip: ip ?? undefined,
            userAgent: agent,
          })),
        ),
    ),
  );
}

const OTHER_ORIGINS = [undefined, "https://a.example", "https://b.example"];

function headers(values: Record<string, string | undefined>) {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value]]],
    ),
  );
}

/**
 * The impact of sets whose expressions are single atoms. Each number is counted
 * separately.
 */
export function bruteForce(
  events: readonly Event[],
  inForce: readonly Rule[],
  proposed: readonly Rule[],
) {
  const judged = events
    .filter(({ timestamp }) => timestamp >= START && timestamp < END)
    .map((event) => judge(event, inForce, proposed));
  const isDenied = ({ results }: Verdicts) =>
    results.every((result) => result === "deny");
  const outside = events.length - judged.length;
  return {
    events: judged.length,
    ...(outside > 0 && { rows: { outside, unreadable: [] } }),
    total: outcomes(judged),
    possible: {
      newlyDenied: value(judged, ({ changes }) => changes.has("newlyDenied")),
      newlyAllowed: value(judged, ({ changes }) => changes.has("newlyAllowed")),
    },
    assumedNotSent: [],
    rules: namesOf(inForce, proposed).map((name) => ({
      name,
      before: stateOf(inForce, name),
      after: stateOf(proposed, name),
      decidedBefore: value(judged, ({ before }) => always(before, name)),
      decidedAfter: value(judged, ({ after }) => always(after, name)),
      outcomes: outcomes(
        judged.filter(
          ({ before, after }) =>
            sometimes(before, name) || sometimes(after, name),
        ),
      ),
    })),
    unknown: unknownIn(judged),
    newlyDenied: changeIn(judged, "newlyDenied"),
    newlyAllowed: judged.some(({ before }) => before.results.includes("deny"))
      ? changeIn(judged, "newlyAllowed")
      : "not observable",
    deniedBefore: judged.filter(({ before }) => isDenied(before)).length,
    deniedAfter: judged.filter(({ after }) => isDenied(after)).length,
  };
}

const always = ({ deciders }: Verdicts, name: string) =>
  deciders.every((rule) => rule?.name === name);
const sometimes = ({ deciders }: Verdicts, name: string) =>
  deciders.some((rule) => rule?.name === name);

const value = (judged: readonly Judged[], holds: (one: Judged) => boolean) => ({
  value: judged.filter(holds).length,
});

const outcomes = (judged: readonly Judged[]) => ({
  newlyDenied: value(judged, ({ outcome }) => outcome === "newlyDenied"),
  newlyAllowed: value(judged, ({ outcome }) => outcome === "newlyAllowed"),
  unchanged: value(judged, ({ outcome }) => outcome === "unchanged"),
  cannotTell: value(judged, ({ outcome }) => outcome === "cannotTell"),
});

const namesOf = (inForce: readonly Rule[], proposed: readonly Rule[]) => [
  ...new Set([...proposed, ...inForce].map(({ name }) => name)),
];

function stateOf(rules: readonly Rule[], name: string) {
  const rule = rules.find((one) => one.name === name);
  if (!rule) return "absent";
  return rule.status === "enabled" ? rule.action : "disabled";
}

/**
 * For each undetermined event, the parts that it lacks and that a possibly deciding
 * rule reads.
 */
function unknownIn(judged: readonly Judged[]): ReadonlySet<string>[] {
  return judged
    .filter(({ outcome }) => outcome === "cannotTell")
    .map(({ event, before, after }) => {
      const fields = [before, after]
        .flatMap(({ deciders }) => deciders)
        .map((rule) => ATOMS[rule?.expression as keyof typeof ATOMS] ?? "");
      return new Set(fields.filter((field) => isUnknown(event, field)));
    });
}

function isUnknown(event: Event, field: string): boolean {
  if (field.includes("Origin")) return event.origin === undefined;
  if (field.includes("user_agent")) return event.user_agent === undefined;
  return field.includes("X-");
}

function changeIn(judged: readonly Judged[], wanted: Outcome) {
  const events = judged
    .filter(({ outcome }) => outcome === wanted)
    .map(({ event }) => event);
  const scores = events.flatMap(({ suspect_score: score }) => score ?? []);
  const of = (get: (event: Event) => string | undefined) =>
    topOf(events.map(get));
  return {
    events: events.length,
    badBots: events.filter(({ bot }) => bot === "bad").length,
    bots: events.filter(({ bot }) => bot === "bad" || bot === "good").length,
    suspect: {
      events: scores.filter((score) => score > 10).length,
      scored: scores.length,
    },
    top: {
      origin: of(({ origin, url }) =>
        typeof origin === "string" || !url?.startsWith("https:")
          ? (origin ?? undefined)
          : new URL(url).origin,
      ),
      country: of(
        (event) => event.ip_info?.v6?.geolocation?.country_code ?? undefined,
      ),
      asn: of(({ ip_info: info }) =>
        info ? (info.v4 ? "64512 EXAMPLE" : "64513") : undefined,
      ),
      userAgent: of((event) => event.user_agent ?? undefined),
      linkedId: of((event) => event.linked_id ?? undefined),
    },
    examples: [...events]
      .sort(
        (a, b) =>
          b.timestamp - a.timestamp || (a.event_id < b.event_id ? -1 : 1),
      )
      .slice(0, 5)
      .map(({ event_id: id }) => id),
  };
}

function topOf(values: readonly (string | undefined)[]) {
  const last = "\u{10ffff}";
  return [...new Set(values)]
    .map((value) => ({
      ...(value !== undefined && { value }),
      events: values.filter((other) => other === value).length,
    }))
    .sort(
      (a, b) =>
        b.events - a.events || ((a.value ?? last) < (b.value ?? last) ? -1 : 1),
    )
    .slice(0, 10);
}
