import { connect, connectPreviewed } from "@devid/pulumi/state";
import { isOutage, type Client } from "@devid/sdk";
import { diffRules, RuleFileError, type Rule } from "@devid/rules";
import { assumedHeaders } from "@devid/review/replay";
import type {
  Absent,
  FailCondition,
  PlannedRules,
  ReviewSubject,
} from "@devid/review";
import type { ReviewRequest } from "./review-flags";
import {
  environmentPlace,
  EVERY_ENVIRONMENT,
  type EnvironmentPlace,
  isEnvironmentId,
  LiveRules,
} from "../live-rules";
import { readEngineEvents } from "../engine-events";
import { calculate } from "../../interruption";
import { readOutput, readTextFile } from "../rule-files";
import { contentOfFile, type NamedRuleSet } from "../rule-set-source";
import { askEvents, type EventSource, WHOLE_WAREHOUSE } from "../past-events";
import { reviewBase } from "./review-base";
import { reviewIdentity } from "./review-identity";
import { keyVariable, ProviderWorkspaces } from "./provider-workspaces";
import { readPlan, type PlacedRuleSet } from "./read-plan";

/**
 * Gathers everything to review: the file, the rules to compare it with, what
 * the deployment does, and what the change would have done to past events.
 * @throws UsageError; the errors of the client
 */
export async function reviewSubject(
  request: ReviewRequest,
  client: Client,
  failOn: readonly FailCondition[],
): Promise<ReviewSubject> {
  return new SubjectReader(request, client).read(failOn);
}

class SubjectReader {
  readonly #workspaces: ProviderWorkspaces;
  /** Absent without a management key, and if the service is not asked. */
  readonly #live: LiveRules | undefined;
  /** The rule sets of the plan that past events judge. */
  #judged: readonly PlacedRuleSet[] = [];
  #place: Promise<EnvironmentPlace> | undefined;

  constructor(
    private readonly request: ReviewRequest,
    private readonly client: Client,
  ) {
    const isAsked = request.failure === undefined;
    const open = request.isOwnPlan ? connect : connectPreviewed;
    this.#workspaces = new ProviderWorkspaces(client, isAsked, open);
    this.#live = this.#workspaces.main.live;
  }

  async read(failOn: readonly FailCondition[]): Promise<ReviewSubject> {
    const { path, minEvents, maxUndetermined, maxRules, planEvents } =
      this.request;
    const { text } = readTextFile(path);
    const file = validFile(text, path);
    const policies =
      planEvents === undefined ? undefined : policiesIn(planEvents);
    const plan = await this.#readPlan(file?.rules, policies);
    const base = await this.#base();
    const { ofOthers, ...answers } = await this.#askEvents({ base, file });
    const found = await this.#environment();
    const environment =
      found === EVERY_ENVIRONMENT && this.request.events !== undefined
        ? WHOLE_WAREHOUSE
        : found;
    const notes = [
      base.note ?? [],
      environment === EVERY_ENVIRONMENT ? DEFAULT_UNKNOWN : [],
    ].flat();
    return {
      ...(await reviewIdentity(this.request)),
      ...{ text, minEvents, maxUndetermined, failOn, ...answers },
      lint: { maxRules },
      base: { ...base, note: notes.length > 0 ? notes.join("; ") : undefined },
      environment,
      plan: plan && withImpacts(plan, ofOthers),
      policies,
    };
  }

  async #readPlan(
    proposed: readonly Rule[] | undefined,
    policies: ReviewSubject["policies"],
  ): Promise<ReviewSubject["plan"]> {
    const { plan: path, environment, planLog } = this.request;
    if (path === undefined) return undefined;
    const why = whyNotPlanned(path, planLog, policies);
    if (why !== undefined) return { absent: why };
    const isKnown =
      environment !== undefined &&
      (this.#live !== undefined || isEnvironmentId(environment));
    const plan = await readPlan({
      ...this.request,
      text: readOutput(path),
      path,
      proposed,
      environment: isKnown ? await this.#placeOfReview() : undefined,
      workspaces: this.#workspaces,
    });
    if ("absent" in plan) return plan;
    this.#judged = plan.judged;
    return plan.subject;
  }

  /** The rule set that the file describes, the first of several. */
  get #reviewed(): PlacedRuleSet | undefined {
    return this.#judged.find(({ rules }) => rules.isReviewed);
  }

  /** The rule sets that are judged in addition to that of the file. */
  get #others(): readonly PlacedRuleSet[] {
    const reviewed = this.#reviewed;
    return this.#judged.filter((one) => one !== reviewed);
  }

  /**
   * The environment of the rules and events: the user's choice, then the plan's
   * environment, then the default environment.
   */
  #placeOfReview(): Promise<EnvironmentPlace> {
    const { environment } = this.request;
    this.#place ??=
      environment === undefined && this.#reviewed?.place
        ? Promise.resolve(this.#reviewed.place)
        : environmentPlace(this.#live, environment);
    return this.#place;
  }

  async #base(): Promise<ReviewSubject["base"]> {
    const { path, recover, failure, resource = [] } = this.request;
    const { base = recover && "live" } = this.request;
    if (base === "live")
      return failure === undefined
        ? this.#rulesInForce()
        : { name: base, ...NOT_ASKED };
    const only = resource.length === 1 ? resource[0] : undefined;
    return reviewBase(path, base, () => this.#insteadOfBase(), only);
  }

  async #rulesInForce(): Promise<NamedRuleSet> {
    if (!this.#live) return new LiveRules(this.client).named();
    return this.#live.named((await this.#placeOfReview()).id);
  }

  async #insteadOfBase(): Promise<NamedRuleSet | undefined> {
    const { rules, place } = this.#reviewed ?? {};
    if (rules && !("absent" in rules.inForce)) {
      const words = place?.words ?? "an environment that is not known yet";
      return { name: `live (${words})`, rules: rules.inForce };
    }
    if (!this.#live) return undefined;
    const found = await orWhyNot(() => this.#rulesInForce());
    return "absent" in found ? undefined : found;
  }

  /**
   * What past events say about the change of the file, about its rules, and about each other
   * rule set that is judged. After a refusal of the key, the review goes on without them.
   */
  async #askEvents(sides: Sides): Promise<EventAnswers> {
    const { failure, usage } = this.request;
    const none = (why: Absent): EventAnswers => ({
      impact: why,
      ofOthers: new Map(this.#others.map(({ rules }) => [rules, why])),
      ...(usage && { usage: why }),
    });
    if (failure !== undefined) return { ...none(NOT_ASKED), failure };
    try {
      const ofFile = await this.#askAboutFile(sides);
      const ofOthers = new Map<PlannedRules, ReviewSubject["impact"]>();
      for (const each of this.#others) {
        const change = this.#changeOfRuleSet(each);
        ofOthers.set(each.rules, await this.#impact(change, sides));
      }
      return { ...ofFile, ofOthers };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { message } = error;
      return { ...none({ absent: message }), failure: message };
    }
  }

  /** The impact of the file's change and the usage of its rules, from one reading of the events if they are the same. */
  async #askAboutFile(
    sides: Sides,
  ): Promise<Pick<ReviewSubject, "impact" | "usage">> {
    const change = this.#changeOfFile(sides);
    const rules = sides.file?.rules;
    const isOne = !("absent" in change) && change.isOfReview;
    if (this.request.usage && isOne && rules) {
      const both = await this.#ask(change, sides, (events, options) =>
        events.impactAndUsage({ ...options, ...this.#replayOf(change), rules }),
      );
      return "absent" in both ? { impact: both, usage: both } : both;
    }
    const impact = await this.#impact(change, sides);
    if (!this.request.usage) return { impact };
    if (!rules) return { impact, usage: INVALID_FILE };
    const usage = await this.#ask(
      this.#eventsOfReview(),
      sides,
      (events, options) => events.usage({ ...options, rules }),
    );
    return { impact, usage };
  }

  /** What a change would have done to past events. */
  async #impact(
    change: PlacedChange | Absent,
    sides: Sides,
  ): Promise<ReviewSubject["impact"]> {
    if ("absent" in change) return change;
    return this.#ask(change, sides, (events, options) =>
      events.impact({ ...options, ...this.#replayOf(change) }),
    );
  }

  #replayOf({ inForce, proposed }: PlacedChange) {
    const { sample, within } = this.request;
    // All replays together get the time of one replay.
    const withinMs = within && within / (1 + this.#others.length);
    return { inForce, proposed, sample, withinMs };
  }

  /** Asks past events of an environment; the reason if they cannot be asked at present. */
  async #ask<Found>(
    { client, place }: PlaceOfEvents,
    { base, file }: Sides,
    question: (
      events: EventSource,
      options: {
        readonly start: Date;
        readonly end: Date;
        readonly assumeNotSent: readonly string[];
      },
    ) => Promise<Found>,
  ): Promise<Found | Absent> {
    const { since: start, until: end = new Date(), ...request } = this.request;
    const { region, secretKey } = client.configuration;
    if (request.events === undefined && !secretKey)
      return { absent: `no secret API key is configured for region ${region}` };
    const { counted } = assumedHeaders(
      file?.assumeNotSent ?? [],
      base.assumeNotSent,
    );
    const assumeNotSent = [...request.assumeNotSent, ...counted];
    const isNamed = request.environment !== undefined;
    return orWhyNot(async () => {
      const asked = { client, flags: request, place: await place(), isNamed };
      const { found } = await askEvents(asked, (events) =>
        question(events, { start, end, assumeNotSent }),
      );
      return found;
    });
  }

  #eventsOfReview(): PlaceOfEvents {
    return { client: this.client, place: () => this.#placeOfReview() };
  }

  #changeOfFile({ base, file }: Sides): PlacedChange | Absent {
    if (!this.request.impact) return NOT_ASKED_FOR;
    if (!file) return INVALID_FILE;
    if ("absent" in base) return { absent: base.absent };
    const { rules: proposed } = file;
    const isSame = decidesAlike(base.rules, proposed);
    if (this.#reviewed) return this.#changeOfRuleSet(this.#reviewed, isSame);
    if (isSame) return DECIDED_ALIKE;
    return {
      ...{ inForce: base.rules, proposed, isOfReview: true },
      ...this.#eventsOfReview(),
    };
  }

  /** A deployment's change of a rule set, and the events of its environment. */
  #changeOfRuleSet(
    { rules, place, isPlaceNew, workspace }: PlacedRuleSet,
    isFileSame = true,
  ): PlacedChange | Absent {
    if (!this.request.impact) return NOT_ASKED_FOR;
    const { inForce, planned: proposed } = rules;
    if ("absent" in inForce) return inForce;
    if ("absent" in proposed) return proposed;
    if (isFileSame && decidesAlike(inForce, proposed)) return DECIDED_ALIKE;
    if (isPlaceNew)
      return {
        absent:
          "the deployment makes the environment, so it has no past events",
      };
    const { client, region, isMain } = workspace;
    const isInService = this.request.events === undefined;
    if (isInService && !isMain && !client.configuration.secretKey)
      return {
        absent: `cannot be judged: past events of region ${region} take its secret key, ${keyVariable("secretKey", region)}`,
      };
    const isOfReview = isMain && rules === this.#reviewed?.rules;
    return {
      ...{ inForce, proposed, client, isOfReview },
      place: async () =>
        isOfReview
          ? this.#placeOfReview()
          : (place ?? { words: EVERY_ENVIRONMENT }),
    };
  }

  /**
   * The environment in words. If the review needs nothing else from the service, the
   * service is not asked for the environment either.
   */
  async #environment(): Promise<string | undefined> {
    const { environment, impact } = this.request;
    try {
      if (this.#live && impact) await this.#placeOfReview();
      const place = (await this.#place) ?? this.#reviewed?.place;
      return environmentsOf(this.#judged) ?? place?.words ?? environment;
    } catch {
      // The review works without the environment's full name.
      return environment;
    }
  }
}

/** What is compared: the base, and the rule file if it is valid. */
interface Sides {
  readonly base: ReviewSubject["base"];
  readonly file: ReturnType<typeof validFile>;
}

/** What past events say. */
interface EventAnswers extends Pick<
  ReviewSubject,
  "impact" | "usage" | "failure"
> {
  /** The impact of each rule set that is judged in addition to that of the file. */
  readonly ofOthers: ReadonlyMap<PlannedRules, ReviewSubject["impact"]>;
}

/** The environment of past events, and the client that reads them. */
interface PlaceOfEvents {
  readonly client: Client;
  readonly place: () => Promise<EnvironmentPlace>;
}

/** A change of rules, and the past events that it is judged by. */
interface PlacedChange extends PlaceOfEvents {
  readonly inForce: readonly Rule[];
  readonly proposed: readonly Rule[];
  /** Whether the events are those that the usage of the file's rules is counted on. */
  readonly isOfReview: boolean;
}

const NOT_ASKED: Absent = { absent: "the service was not asked" };
const NOT_ASKED_FOR: Absent = { absent: "not asked for" };
const INVALID_FILE: Absent = { absent: "the rule file is not valid" };
const DECIDED_ALIKE: Absent = {
  absent:
    "it is proven that no decision changes, so past events need not be replayed",
};

/** Whether two rule sets are proven to decide every request alike. */
function decidesAlike(
  before: readonly Rule[],
  after: readonly Rule[],
): boolean {
  const diff = calculate(() => diffRules(before, after));
  return diff.effect.class === "none";
}

/**
 * Why there is no preview, or why it failed, if the preview itself does not say so;
 * undefined if it may be complete.
 */
function whyNotPlanned(
  plan: string,
  planLog = "",
  policies: ReviewSubject["policies"],
): string | undefined {
  const text = textIfAny(plan)?.trim() ?? "";
  if (policies && !("absent" in policies) && text !== "") {
    const refused = policies.violations.filter(({ isAdvisory }) => !isAdvisory);
    if (refused.length > 0)
      return `the preview failed, because policies refuse it: ${[...new Set(refused.map(({ policy }) => policy))].join(", ")}`;
  }
  const log = textIfAny(planLog)?.trim() ?? "";
  return text !== "" || log === "" ? undefined : `there is no preview: ${log}`;
}

/** What the policies say in the event log of a preview. */
function policiesIn(planEvents: string): ReviewSubject["policies"] {
  const text = textIfAny(planEvents);
  return text === undefined
    ? { absent: "there is no preview" }
    : readEngineEvents(text).policies;
}

function textIfAny(path: string): string | undefined {
  try {
    return readOutput(path);
  } catch {
    return undefined;
  }
}

const withImpacts = (
  plan: NonNullable<ReviewSubject["plan"]>,
  impacts: EventAnswers["ofOthers"],
): ReviewSubject["plan"] =>
  "absent" in plan
    ? plan
    : {
        ...plan,
        ruleSets: plan.ruleSets.map((rules) => ({
          ...rules,
          impact: impacts.get(rules),
        })),
      };

/**
 * The most environments that the head of a report names. If there are more, the report
 * gives their number.
 */
const MOST_ENVIRONMENTS = 4;

/** The environments of several rule sets that the file describes. */
function environmentsOf(judged: readonly PlacedRuleSet[]): string | undefined {
  const all = judged
    .filter(({ rules }) => rules.isReviewed)
    .flatMap(({ rules: { environment } }) => environment ?? []);
  const names = [...new Set(all)];
  if (names.length < 2) return undefined;
  return names.length > MOST_ENVIRONMENTS
    ? `${names.length} environments`
    : names.join(", ");
}

/** What the service answers, or why it does not answer at present. */
async function orWhyNot<Found>(
  ask: () => Promise<Found>,
): Promise<Found | Absent> {
  try {
    return await ask();
  } catch (error) {
    if (isOutage(error)) return { absent: error.message };
    throw error;
  }
}

/** Whether the service refused the key. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  "status" in error &&
  (error.status === 401 || error.status === 403);

/** Explains figures that cover more than one environment. */
const DEFAULT_UNKNOWN = `past events are those of ${EVERY_ENVIRONMENT}: without a management key, the default one is unknown`;

function validFile(text: string, path: string) {
  try {
    return contentOfFile(text, path);
  } catch (error) {
    if (error instanceof RuleFileError) return undefined;
    throw error;
  }
}
