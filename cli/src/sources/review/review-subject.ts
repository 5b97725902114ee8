import { normalize } from "node:path";
import type { Client } from "@devid/sdk";
import { RuleFileError, type Rule, type RuleSetDiffs } from "@devid/rules";
import { assumedHeaders } from "@devid/rules/replay";
import type { Absent, FailCondition, ReviewSubject } from "@devid/rules/review";
import {
  environmentPlace,
  EVERY_ENVIRONMENT,
  type EnvironmentPlace,
  LiveRules,
} from "../live-rules";
import { configuredClient } from "../configured-client";
import { isPassing, reviewImpact } from "./review-impact";
import { previewedStack } from "@devid/pulumi/state";
import { readEngineEvents } from "../engine-events";
import { readTextFile } from "../rule-files";
import { contentOfFile, type NamedRuleSet } from "../rule-set-source";
import { GitRepository } from "./git-repository";
import { reviewBase } from "./review-base";
import { reviewPlan, type ReviewPlan } from "./review-plan";

/** What the user wants reviewed. */
export interface ReviewRequest {
  /** Path of the rule file. */
  readonly path: string;
  readonly base?: string;
  /** Path of the output of `pulumi preview --json`. */
  readonly plan?: string;
  /** Path of the event log of that preview. */
  readonly planEvents?: string;
  /** Path of what the commands before the preview printed. */
  readonly planLog?: string;
  readonly resource?: string;
  readonly stack?: string;
  /** ID or name. */
  readonly environment?: string;
  readonly commit?: string;
  readonly recover?: true;
  /** Whether to replay past events. */
  readonly impact: boolean;
  readonly since: Date;
  /** Default: now. */
  readonly until?: Date;
  readonly sample?: number;
  readonly within?: number;
  readonly minEvents: number;
  /**
   * Why the service cannot be asked. The review then has what can be told
   * without it.
   */
  readonly failure?: string;
  /** Percent of the past events. */
  readonly maxUntold: number;
  /** Headers that the user says no client sends. */
  readonly assumeNotSent: readonly string[];
  /** Rules that the account has room for; default 15. */
  readonly maxRules?: number;
}

/** Identifies what a report is about, even if there is no review. */
export type ReviewIdentity = Required<
  Pick<ReviewSubject, "path" | "purpose" | "scope">
> &
  Pick<ReviewSubject, "commit">;

/**
 * Identifies what a report is about: the file in its repository, the commit,
 * and the environment and the stack as the user named them.
 */
export async function reviewIdentity(
  request: ReviewRequest,
): Promise<ReviewIdentity> {
  const { path, environment, recover } = request;
  const stack = request.stack ?? stackOfPlan(request);
  const repository = await GitRepository.around(path).catch(() => undefined);
  const commit = request.commit ?? (await repository?.commitOfFile());
  return {
    path: repository?.fileName ?? normalize(path),
    purpose: recover ? "recovery" : "change",
    ...(commit !== undefined && { commit }),
    scope: {
      ...(environment !== undefined && { environment }),
      ...(stack !== undefined && { stack }),
    },
  };
}

function stackOfPlan({ plan }: ReviewRequest): string | undefined {
  try {
    return plan && previewedStack(readTextFile(plan).text);
  } catch {
    return undefined;
  }
}

/**
 * Gathers everything to review: the file, the rules to compare it with, what
 * the deployment does, and what the change would have done to past events.
 * `diffs` is shared with the review, so that each pair of rule sets is compared
 * once.
 * @throws UsageError; the errors of the client
 */
export async function reviewSubject(
  request: ReviewRequest,
  client: Client,
  failOn: readonly FailCondition[],
  diffs: RuleSetDiffs,
): Promise<ReviewSubject> {
  return new SubjectReader(request, client, diffs).read(failOn);
}

class SubjectReader {
  readonly #live: LiveRules | undefined;
  #plan: ReviewPlan | undefined;
  #place: Promise<EnvironmentPlace> | undefined;

  constructor(
    private readonly request: ReviewRequest,
    private readonly client: Client,
    private readonly diffs: RuleSetDiffs,
  ) {
    const { managementKey } = client.configuration;
    const isAsked = managementKey && request.failure === undefined;
    this.#live = isAsked ? new LiveRules(client) : undefined;
  }

  async read(failOn: readonly FailCondition[]): Promise<ReviewSubject> {
    const { path, minEvents, maxUntold, maxRules } = this.request;
    const { text } = readTextFile(path);
    const file = validFile(text, path);
    const proposed = file?.rules;
    const plan = await this.#readPlan(proposed);
    const base = await this.#base();
    const { impact, failure } = await this.#impactOrFailure(base, file);
    const environment = await this.#environment();
    return {
      ...(await reviewIdentity(this.request)),
      text,
      minEvents,
      maxUntold,
      ...(maxRules !== undefined && { lint: { maxRules } }),
      base: withNote(base, environment === EVERY_ENVIRONMENT && NOT_TOLD),
      impact,
      ...(environment !== undefined && { environment }),
      ...(plan && { plan }),
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
        ...this.request,
        name,
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
    const text = this.#previewText(path);
    if (typeof text !== "string") return text;
    const isTold =
      environment !== undefined &&
      (this.#live !== undefined || environment.startsWith("ae_"));
    const plan = await reviewPlan({
      ...this.request,
      text,
      path,
      proposed,
      environment: isTold ? await this.#placeOfReview() : undefined,
      live: this.#live,
      region: this.client.configuration.region,
      liveIn: (region) => this.#liveIn(region),
    });
    if ("absent" in plan) return plan;
    this.#plan = plan;
    return plan.subject;
  }

  /** By the management key of a region; that of another region is refused there. */
  async #liveIn(region: string): Promise<LiveRules | undefined> {
    const key = process.env[`DEVID_MANAGEMENT_KEY_${region.toUpperCase()}`];
    if (!key || this.#live === undefined) return undefined;
    return new LiveRules(await configuredClient({ region }));
  }

  /** The preview, or why there is none. */
  #previewText(path: string): string | Absent {
    const why = this.#whyNotPlanned();
    if (why !== undefined) return { absent: why };
    return readTextFile(path).text;
  }

  /**
   * Why the preview was not made, or what made it fail, where the preview itself
   * does not tell; undefined if it may be whole.
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
        return `the preview failed, for policies refuse it: ${[...new Set(refused.map(({ policy }) => policy))].join(", ")}`;
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

  /**
   * The environment of the rules and events: the one that the user named, the
   * one of the plan, or the default one.
   */
  #placeOfReview(): Promise<EnvironmentPlace> {
    const { environment } = this.request;
    this.#place ??=
      environment === undefined && this.#plan?.place
        ? Promise.resolve(this.#plan.place)
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
    const { reviewed, place } = this.#plan ?? {};
    if (reviewed)
      return {
        name: `live (${place?.words ?? "an environment that is not known yet"})`,
        rules: reviewed.inForce,
      };
    if (!this.#live) return undefined;
    try {
      return await this.#rulesInForce();
    } catch (error) {
      if (isPassing(error)) return undefined;
      throw error;
    }
  }

  /** The impact; after a failure the rest of the review stands without it. */
  async #impactOrFailure(
    base: ReviewSubject["base"],
    file: ReturnType<typeof validFile>,
  ): Promise<Pick<ReviewSubject, "impact" | "failure">> {
    const { failure } = this.request;
    if (failure !== undefined)
      return { impact: { absent: "the service was not asked" }, failure };
    try {
      return { impact: await this.#impact(base, file) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { impact: { absent: error.message }, failure: error.message };
    }
  }

  async #impact(
    base: ReviewSubject["base"],
    file: ReturnType<typeof validFile>,
  ): Promise<ReviewSubject["impact"]> {
    const { impact, since, until, sample, within, assumeNotSent } =
      this.request;
    const { reviewed, isPlaceNew, otherRegion } = this.#plan ?? {};
    if (otherRegion !== undefined)
      return {
        absent: `the rule set is in region ${otherRegion}: --region ${otherRegion} looks at its past events`,
      };
    if (!impact) return { absent: "not asked for" };
    if (!file) return { absent: "the rule file is not valid" };
    const { rules: proposed } = file;
    if ("absent" in base) return { absent: base.absent };
    const change = reviewed
      ? { inForce: reviewed.inForce, proposed: reviewed.planned }
      : { inForce: base.rules, proposed };
    if ("absent" in change.proposed) return change.proposed;
    const planned = { ...change, proposed: change.proposed };
    if (
      this.#decidesAlike(base.rules, proposed) &&
      this.#decidesAlike(planned.inForce, planned.proposed)
    )
      return {
        absent:
          "it is proven that no request is decided otherwise, so there is nothing to look for in past events",
      };
    if (isPlaceNew)
      return {
        absent:
          "the deployment makes the environment, so it has no past events",
      };
    return reviewImpact(this.client, {
      ...planned,
      since,
      ...(until && { until }),
      sample,
      withinMs: within,
      assumeNotSent: [
        ...assumeNotSent,
        ...assumedHeaders(file.assumeNotSent, base.assumeNotSent).counted,
      ],
      diffs: this.diffs,
      environment: () => this.#placeOfReview(),
    });
  }

  /** Whether two rule sets are proven to decide every request alike. */
  #decidesAlike(before: readonly Rule[], after: readonly Rule[]): boolean {
    return this.diffs.between(before, after).effect.class === "none";
  }

  /**
   * The environment in words. If the review needs nothing else from the
   * service, the service is not asked for the environment either.
   */
  async #environment(): Promise<string | undefined> {
    const { environment, impact } = this.request;
    try {
      if (this.#live && impact) await this.#placeOfReview();
      const place = (await this.#place) ?? this.#plan?.place;
      return place?.words ?? environment;
    } catch {
      // The review works without the environment's full name.
      return environment;
    }
  }
}

/** Whether the service refused the key. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  "status" in error &&
  (error.status === 401 || error.status === 403);

/** The rules in force are needed, and the service is not to be asked. */
class NotAskedError extends Error {
  override readonly name = "NotAskedError";
}

/** The text of a file; undefined if it cannot be read. */
function textIfAny(path: string): string | undefined {
  try {
    return readTextFile(path).text;
  } catch {
    return undefined;
  }
}

/** Explains figures that cover more than one environment. */
const NOT_TOLD = `past events are those of ${EVERY_ENVIRONMENT}: without a management key, the default one cannot be told`;

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
