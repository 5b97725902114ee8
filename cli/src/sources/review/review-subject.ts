import type { Client } from "@devid/sdk";
import { diffRules, RuleFileError, type Rule } from "@devid/rules";
import { assumedHeaders } from "@devid/review/replay";
import type {
  Absent,
  FailCondition,
  PlannedRules,
  ReviewSubject,
} from "@devid/review";
import {
  environmentPlace,
  EVERY_ENVIRONMENT,
  type EnvironmentPlace,
  LiveRules,
} from "../live-rules";
import {
  isPassing,
  type JudgedEvents,
  reviewImpact,
  reviewImpactAndUsage,
  reviewUsage,
  type ReviewedChange,
} from "./review-impact";
import { readEngineEvents } from "../engine-events";
import { calculate } from "../../interruption";
import { LARGEST_OUTPUT, readTextFile } from "../rule-files";
import { contentOfFile, type NamedRuleSet } from "../rule-set-source";
import { WHOLE_WAREHOUSE } from "../past-events";
import { namesWarehouse, type WarehouseFlags } from "../warehouse-events";
import { reviewBase } from "./review-base";
import { reviewIdentity } from "./review-identity";
import { keyVariable, ProviderWorkspaces } from "./provider-workspaces";
import {
  readPlan,
  type PlacedRuleSet,
  type PlanUnderReview,
} from "./read-plan";

/** What the user wants reviewed. */
export interface ReviewRequest extends WarehouseFlags {
  readonly path: string;
  readonly base?: string;
  readonly plan?: string;
  /** Path of the event log of that preview. */
  readonly planEvents?: string;
  /** Path of what the commands before the preview printed. */
  readonly planLog?: string;
  /** Names or URNs of the rule sets that the file describes. */
  readonly resource?: readonly string[];
  readonly stack?: string;
  readonly environment?: string;
  readonly commit?: string;
  readonly recover?: true;
  /** Whether to count what each rule decided of past events. */
  readonly usage?: true;
  /** Whether to replay past events. */
  readonly impact: boolean;
  readonly since: Date;
  /** Default: now. */
  readonly until?: Date;
  readonly sample?: number;
  readonly within?: number;
  readonly minEvents: number;
  /** Why the service cannot be asked; the review then has only what needs no service. */
  readonly failure?: string;
  /** Percent of the past events. */
  readonly maxUndetermined: number;
  /** Headers that the user says no client sends. */
  readonly assumeNotSent: readonly string[];
  /** Rules that the account has room for; default 15. */
  readonly maxRules?: number;
}

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
  readonly #live: LiveRules | undefined;
  #plan: PlanUnderReview | undefined;
  #place: Promise<EnvironmentPlace> | undefined;

  constructor(
    private readonly request: ReviewRequest,
    private readonly client: Client,
  ) {
    const isAsked = request.failure === undefined;
    this.#workspaces = new ProviderWorkspaces(client, isAsked);
    this.#live = this.#workspaces.main.live;
  }

  async read(failOn: readonly FailCondition[]): Promise<ReviewSubject> {
    const { path, minEvents, maxUndetermined, maxRules } = this.request;
    const { text } = readTextFile(path);
    const file = validFile(text, path);
    const proposed = file?.rules;
    const plan = await this.#readPlan(proposed);
    const base = await this.#base();
    const { impact, ofOthers, usage, failure } = await this.#impactsOrFailure({
      base,
      file,
    });
    const found = await this.#environment();
    const environment =
      found === EVERY_ENVIRONMENT && namesWarehouse(this.request)
        ? WHOLE_WAREHOUSE
        : found;
    return {
      ...(await reviewIdentity(this.request)),
      text,
      minEvents,
      maxUndetermined,
      ...(maxRules !== undefined && { lint: { maxRules } }),
      base: withNote(
        base,
        environment === EVERY_ENVIRONMENT && DEFAULT_UNKNOWN,
      ),
      impact,
      ...(usage && { usage }),
      ...(environment !== undefined && { environment }),
      ...(plan && { plan: withImpacts(plan, ofOthers) }),
      ...this.#policies(),
      ...(failure !== undefined && { failure }),
      failOn,
    };
  }

  async #base(): Promise<ReviewSubject["base"]> {
    const { path, recover } = this.request;
    const name = this.request.base ?? (recover && "live");
    try {
      return await reviewBase(path, {
        name,
        ...(this.request.resource?.length === 1 && {
          resource: this.request.resource[0],
        }),
        live: () => this.#rulesInForce(),
        instead: () => this.#insteadOfBase(),
      });
    } catch (error) {
      if (!(error instanceof NotAskedError)) throw error;
      return { name: name ?? "live", absent: "the service was not asked" };
    }
  }

  async #readPlan(
    proposed: readonly Rule[] | undefined,
  ): Promise<ReviewSubject["plan"]> {
    const { plan: path, environment } = this.request;
    if (path === undefined) return undefined;
    const why = this.#whyNotPlanned();
    if (why !== undefined) return { absent: why };
    const isReported =
      environment !== undefined &&
      (this.#live !== undefined || environment.startsWith("ae_"));
    const plan = await readPlan({
      ...this.request,
      text: readTextFile(path).text,
      path,
      proposed,
      environment: isReported ? await this.#placeOfReview() : undefined,
      workspaces: this.#workspaces,
    });
    if ("absent" in plan) return plan;
    this.#plan = plan;
    return plan.subject;
  }

  /**
   * Why there is no preview, or why it failed, if the preview itself does not say so;
   * undefined if it may be complete.
   */
  #whyNotPlanned(): string | undefined {
    const { plan = "", planLog, planEvents } = this.request;
    const text = textIfAny(plan)?.trim() ?? "";
    if (planEvents !== undefined && text !== "") {
      const { violations } = readEngineEvents(
        textIfAny(planEvents) ?? "",
      ).policies;
      const refused = violations.filter(({ isAdvisory }) => !isAdvisory);
      if (refused.length > 0)
        return `the preview failed, because policies refuse it: ${[...new Set(refused.map(({ policy }) => policy))].join(", ")}`;
    }
    const log = planLog === undefined ? "" : (textIfAny(planLog)?.trim() ?? "");
    if (text !== "" || log === "") return undefined;
    return `there is no preview: ${log}`;
  }

  #policies(): Pick<ReviewSubject, "policies"> {
    const { planEvents } = this.request;
    if (planEvents === undefined) return {};
    const text = textIfAny(planEvents);
    return {
      policies:
        text === undefined
          ? { absent: "there is no preview" }
          : readEngineEvents(text).policies,
    };
  }

  /** The rule set that the file describes, the first of several. */
  get #reviewed(): PlacedRuleSet | undefined {
    return this.#plan?.judged.find(({ rules }) => rules.isReviewed);
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
        : environmentPlace(this.client, environment, this.#live);
    return this.#place;
  }

  async #rulesInForce(): Promise<NamedRuleSet> {
    const { failure } = this.request;
    if (failure !== undefined) throw new NotAskedError(failure);
    if (!this.#live) return new LiveRules(this.client).named();
    return this.#live.named((await this.#placeOfReview()).id);
  }

  async #insteadOfBase(): Promise<NamedRuleSet | undefined> {
    const { rules, place } = this.#reviewed ?? {};
    if (rules && !("absent" in rules.inForce))
      return {
        name: `live (${place?.words ?? "an environment that is not known yet"})`,
        rules: rules.inForce,
      };
    if (!this.#live) return undefined;
    try {
      return await this.#rulesInForce();
    } catch (error) {
      if (isPassing(error)) return undefined;
      throw error;
    }
  }

  /**
   * The impacts of all rule sets that are judged; after a failure, the review goes on
   * without them.
   */
  async #impactsOrFailure(
    sides: Sides,
  ): Promise<Impacts & Pick<ReviewSubject, "failure">> {
    const { failure } = this.request;
    if (failure !== undefined)
      return { ...this.#noImpacts("the service was not asked"), failure };
    try {
      return await this.#impacts(sides);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { ...this.#noImpacts(error.message), failure: error.message };
    }
  }

  /** The rule sets that are judged in addition to that of the file. */
  get #others(): readonly PlacedRuleSet[] {
    const reviewed = this.#reviewed;
    return (this.#plan?.judged ?? []).filter((one) => one !== reviewed);
  }

  #noImpacts(why: string): Impacts {
    const impact = { absent: why };
    const ofOthers = this.#others.map(({ rules }) => [rules, impact] as const);
    return {
      impact,
      ofOthers: new Map(ofOthers),
      ...(this.request.usage && { usage: impact }),
    };
  }

  async #impacts(sides: Sides): Promise<Impacts> {
    const change = this.#changeOfFile(sides);
    const found = await this.#judgedFile(change, sides);
    const ofOthers = new Map<PlannedRules, ReviewSubject["impact"]>();
    for (const each of this.#others)
      ofOthers.set(
        each.rules,
        await this.#replay(this.#changeOfRuleSet(each, sides)),
      );
    return { ...found, ofOthers };
  }

  /** The impact of the file's change and the usage of its rules, from one reading of the events if they are the same. */
  async #judgedFile(
    change: PlacedChange | Absent,
    sides: Sides,
  ): Promise<Omit<Impacts, "ofOthers">> {
    const rules = this.request.usage ? sides.file?.rules : undefined;
    const isSame =
      rules !== undefined && !("absent" in change) && change.isOfReview;
    if (isSame) {
      const found = await reviewImpactAndUsage(change.client, {
        ...this.#replayed(change),
        rules,
      });
      if (!("absent" in found)) return found;
      return { impact: found, usage: found };
    }
    const impact = await this.#replay(change);
    return { impact, usage: await this.#usage(sides) };
  }

  async #usage(sides: Sides): Promise<ReviewSubject["usage"]> {
    if (!this.request.usage) return undefined;
    if (!sides.file) return { absent: "the rule file is not valid" };
    return reviewUsage(this.client, {
      rules: sides.file.rules,
      ...this.#events(() => this.#placeOfReview(), sides),
    });
  }

  #events(
    environment: JudgedEvents["environment"],
    { base, file }: Sides,
  ): JudgedEvents {
    const { since, until, assumeNotSent } = this.request;
    const counted = file
      ? assumedHeaders(file.assumeNotSent, base.assumeNotSent).counted
      : [];
    return {
      since,
      ...(until && { until }),
      assumeNotSent: [...assumeNotSent, ...counted],
      environment,
      isEnvironmentNamed: this.request.environment !== undefined,
      ...(namesWarehouse(this.request) && { warehouse: this.request }),
    };
  }

  #changeOfFile(sides: Sides): PlacedChange | Absent {
    const { base, file } = sides;
    const reviewed = this.#reviewed;
    if (!this.request.impact) return { absent: "not asked for" };
    if (!file) return { absent: "the rule file is not valid" };
    if ("absent" in base) return { absent: base.absent };
    const { rules: proposed } = file;
    const isFileSame = this.#decidesAlike(base.rules, proposed);
    if (reviewed) return this.#changeOfRuleSet(reviewed, sides, isFileSame);
    if (isFileSame) return { absent: DECIDED_ALIKE };
    return {
      ...{ inForce: base.rules, proposed },
      client: this.client,
      events: this.#events(() => this.#placeOfReview(), sides),
      isOfReview: true,
    };
  }

  /** A deployment's change of a rule set, and the events of its environment. */
  #changeOfRuleSet(
    {
      rules,
      place,
      isPlaceNew,
      workspace = this.#workspaces.main,
    }: PlacedRuleSet,
    sides: Sides,
    isFileSame = true,
  ): PlacedChange | Absent {
    if (!this.request.impact) return { absent: "not asked for" };
    const { inForce, planned: proposed } = rules;
    if ("absent" in inForce) return inForce;
    if ("absent" in proposed) return proposed;
    if (isFileSame && this.#decidesAlike(inForce, proposed))
      return { absent: DECIDED_ALIKE };
    if (isPlaceNew)
      return {
        absent:
          "the deployment makes the environment, so it has no past events",
      };
    const { client, region, isMain } = workspace;
    const isInService = !namesWarehouse(this.request);
    if (isInService && !isMain && !client.configuration.secretKey)
      return {
        absent: `cannot be judged: past events of region ${region} take its secret key, ${keyVariable("secretKey", region)}`,
      };
    const isOfReview = isMain && rules === this.#reviewed?.rules;
    const events = this.#events(
      () =>
        isOfReview
          ? this.#placeOfReview()
          : Promise.resolve(place ?? { words: EVERY_ENVIRONMENT }),
      sides,
    );
    return { inForce, proposed, client, events, isOfReview };
  }

  /** What a change would have done to past events. */
  async #replay(
    change: PlacedChange | Absent,
  ): Promise<ReviewSubject["impact"]> {
    return "absent" in change
      ? change
      : reviewImpact(change.client, this.#replayed(change));
  }

  #replayed({ inForce, proposed, events }: PlacedChange): ReviewedChange {
    const { sample, within } = this.request;
    return {
      ...{ inForce, proposed },
      ...events,
      sample,
      // All replays together get the time of one replay.
      withinMs: within && within / (1 + this.#others.length),
    };
  }

  /** Whether two rule sets are proven to decide every request alike. */
  #decidesAlike(before: readonly Rule[], after: readonly Rule[]): boolean {
    const diff = calculate(() => diffRules(before, after));
    return diff.effect.class === "none";
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
      return this.#environmentsOfFile() ?? place?.words ?? environment;
    } catch {
      // The review works without the environment's full name.
      return environment;
    }
  }

  /** The environments of several rule sets that the file describes. */
  #environmentsOfFile(): string | undefined {
    const all = (this.#plan?.judged ?? [])
      .filter(({ rules }) => rules.isReviewed)
      .flatMap(({ rules: { environment } }) => environment ?? []);
    const names = [...new Set(all)];
    if (names.length < 2) return undefined;
    return names.length > MOST_ENVIRONMENTS
      ? `${names.length} environments`
      : names.join(", ");
  }
}

/** What is compared: the base, and the rule file if it is valid. */
interface Sides {
  readonly base: ReviewSubject["base"];
  readonly file: ReturnType<typeof validFile>;
}

/** The impact on past events of each rule set that is judged. */
interface Impacts {
  /** Of the rule set that the file describes. */
  readonly impact: ReviewSubject["impact"];
  readonly ofOthers: ReadonlyMap<PlannedRules, ReviewSubject["impact"]>;
  /** Of the rules of the file, if asked for. */
  readonly usage?: ReviewSubject["usage"];
}

/** A change of rules, and the past events that it is judged by. */
interface PlacedChange extends Pick<ReviewedChange, "inForce" | "proposed"> {
  readonly client: Client;
  readonly events: JudgedEvents;
  /** Whether the events are those that the usage of the file's rules is counted on. */
  readonly isOfReview: boolean;
}

const DECIDED_ALIKE =
  "it is proven that no decision changes, so past events need not be replayed";

function withImpacts(
  plan: NonNullable<ReviewSubject["plan"]>,
  impacts: Impacts["ofOthers"],
): NonNullable<ReviewSubject["plan"]> {
  if ("absent" in plan) return plan;
  const ruleSets = plan.ruleSets.map((rules) => {
    const impact = impacts.get(rules);
    return impact === undefined ? rules : { ...rules, impact };
  });
  return { ...plan, ruleSets };
}

/**
 * The most environments that the head of a report names. If there are more, the report
 * gives their number.
 */
const MOST_ENVIRONMENTS = 4;

/** Whether the service refused the key. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  "status" in error &&
  (error.status === 401 || error.status === 403);

/** The review needs the rules in force, but must not call the service. */
class NotAskedError extends Error {
  override readonly name = "NotAskedError";
}

function textIfAny(path: string): string | undefined {
  try {
    return readTextFile(path, LARGEST_OUTPUT).text;
  } catch {
    return undefined;
  }
}

/** Explains figures that cover more than one environment. */
const DEFAULT_UNKNOWN = `past events are those of ${EVERY_ENVIRONMENT}: without a management key, the default one is unknown`;

function withNote(
  base: ReviewSubject["base"],
  added: string | false,
): ReviewSubject["base"] {
  if (added === false) return base;
  return { ...base, note: base.note ? `${base.note}; ${added}` : added };
}

function validFile(text: string, path: string) {
  try {
    return contentOfFile(text, path);
  } catch (error) {
    if (error instanceof RuleFileError) return undefined;
    throw error;
  }
}
