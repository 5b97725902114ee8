import {
  ARGUMENT_PREFIX,
  FailedPreviewError,
  readPreview,
  UNKNOWN_TEXT,
  type Preview,
  type PreviewedResource,
} from "@devid/pulumi/state";
import { rulesDigest, type Rule } from "@devid/rules";
import type { Absent, PlannedRules, PlanSubject } from "@devid/rules/review";
import { placeOf, type EnvironmentPlace, type LiveRules } from "../live-rules";
import {
  listed,
  pickRuleSet,
  plannedRules,
  previewedEnvironment,
  recordedEnvironment,
  recordedRules,
  ruleSetsOf,
  type PreviewedEnvironment,
} from "../previewed-rules";
import { UsageError } from "../../errors";
import { guardSettings } from "./guard-settings";
import { changedOptions } from "./planned-options";
import { plannedResources } from "./planned-resources";

/** A deployment that is reviewed together with a rule file. */
export interface PlanSource {
  /** The output of `pulumi preview --json`. */
  readonly text: string;
  /** Name of the preview. */
  readonly path: string;
  /** Name or URN of the rule set that the file describes. */
  readonly resource?: string;
  /** Name of the expected stack, with or without its project. */
  readonly stack?: string;
  /** The environment of the file's rules, if the user named one. */
  readonly environment?: EnvironmentPlace;
  /** The rules of the file; absent if they are not valid. */
  readonly proposed?: readonly Rule[];
  /**
   * Left out without a management key; the rules in force are then read from
   * the state.
   */
  readonly live?: LiveRules;
  /** The region of `live`. */
  readonly region?: string;
  /**
   * The rules in force in the workspace of another region; undefined without a
   * management key of that region.
   */
  readonly liveIn?: (region: string) => Promise<LiveRules | undefined>;
}

/**
 * A deployment, and the environment of the rule set that the file describes.
 */
export interface ReviewPlan {
  readonly subject: PlanSubject;
  readonly reviewed?: PlannedRules;
  /** The environment of the reviewed rule set; absent if it is unknown. */
  readonly place?: EnvironmentPlace;
  /** Whether the deployment creates that environment. */
  readonly isPlaceNew: boolean;
  /** The region of the reviewed rule set, if it is not that of `live`. */
  readonly otherRegion?: string;
}

/**
 * Finds out what a deployment does to every filtering rule set, and which of
 * them the file describes; absent if the preview failed or is incomplete.
 * @throws UsageError if the preview is of another stack, or if it is unclear
 * which rule set the file describes; the errors of the client
 */
export async function reviewPlan(
  source: PlanSource,
): Promise<ReviewPlan | Absent> {
  const { path } = source;
  const preview = readOrAbsent(source);
  if ("absent" in preview) return preview;
  const { stack } = preview;
  if (stack === undefined)
    return { absent: `the preview ${path} shows no resource at all` };
  refuseOtherStack(stack, source);
  const shownSets = ruleSetsOf(preview);
  const placed = await Promise.all(
    shownSets.map((shown) => placedInRegion(shown, preview, source)),
  );
  const reviewed = reviewedOf(shownSets, placed, source);
  const ruleSets = placed.flat();
  const subject: PlanSubject = {
    name: path,
    stack,
    ruleSets: ruleSets.map(({ rules }) =>
      rules === reviewed?.rules ? { ...rules, isReviewed: true } : rules,
    ),
    // A user who names a rule set reviews each of the others on its own.
    ...(source.resource !== undefined && { onlyReviewed: true }),
    others: plannedResources(preview),
  };
  return reviewed
    ? { ...reviewed, subject, reviewed: reviewed.rules }
    : { subject, isPlaceNew: false };
}

function readOrAbsent({ text, path }: PlanSource): Preview | Absent {
  try {
    return readPreview(text, path);
  } catch (error) {
    if (error instanceof FailedPreviewError) return { absent: error.message };
    throw error;
  }
}

function refuseOtherStack(shown: string, { stack, path }: PlanSource): void {
  const nameOf = (text: string) => text.slice(text.lastIndexOf("/") + 1);
  if (stack === undefined || nameOf(stack) === nameOf(shown)) return;
  throw new UsageError(
    `The preview ${path} is of stack ${shown}, and --stack names ${stack}. Preview the stack that is meant: pulumi preview --stack ${stack} --json`,
  );
}

/** A rule set with its environment. */
interface PlacedRuleSet {
  readonly rules: PlannedRules;
  readonly place?: EnvironmentPlace;
  readonly isPlaceNew: boolean;
  readonly otherRegion?: string;
}

/**
 * A rule set of the preview, with the rules in force in the region of its provider.
 * A new rule set in a region without a management key cannot be judged: what is in
 * force there is not known.
 */
async function placedInRegion(
  shown: PreviewedResource,
  preview: Preview,
  source: PlanSource,
): Promise<readonly [PlacedRuleSet, ...PlacedRuleSet[]]> {
  const otherRegion = regionOf(shown, preview);
  if (otherRegion === undefined || otherRegion === source.region)
    return placedRuleSets(shown, source);
  const live = await source.liveIn?.(otherRegion);
  const [becomes, ...left] = await placedRuleSets(shown, { ...source, live });
  const { rules } = becomes;
  const isUnknown = live === undefined && shown.before === undefined;
  const planned = isUnknown
    ? {
        absent: `cannot be judged: which rules are in force in region ${otherRegion} is not known without its management key, DEVID_MANAGEMENT_KEY_${otherRegion.toUpperCase()}`,
      }
    : rules.planned;
  const environment = `${rules.environment ?? "an environment"} in region ${otherRegion}`;
  return [
    { ...becomes, otherRegion, rules: { ...rules, environment, planned } },
    ...left,
  ];
}

/** The region of a resource: of its explicit provider, or the one in its state. */
function regionOf(
  { before, after }: PreviewedResource,
  { resources }: Preview,
): string | undefined {
  const reference = (after ?? before)?.provider ?? "";
  const urn = reference.slice(0, reference.lastIndexOf("::"));
  const provider = resources.find((one) => one.urn === urn);
  const inputs = (provider?.after ?? provider?.before)?.inputs ?? {};
  const owner = before?.outputs.owner as { region?: unknown } | undefined;
  const region =
    inputs[`${ARGUMENT_PREFIX}region`] ?? inputs.region ?? owner?.region;
  return typeof region === "string" && region !== UNKNOWN_TEXT
    ? region
    : undefined;
}

/**
 * A rule set of the preview. If it moves to another environment, the rule set
 * that it leaves behind follows as a deleted one.
 */
async function placedRuleSets(
  shown: PreviewedResource,
  source: PlanSource,
): Promise<readonly [PlacedRuleSet, ...PlacedRuleSet[]]> {
  const { name, operation } = shown;
  const environment = previewedEnvironment(shown);
  const found = await inForceAt(environment, shown, source);
  const expected = shown.after?.inputs.expectedInForce;
  const becomes: PlacedRuleSet = {
    place: found.place,
    isPlaceNew: environment === "not known yet",
    rules: {
      name,
      operation,
      ...(found.place && { environment: found.place.words }),
      isReviewed: false,
      inForce: found.rules,
      inForceFrom: found.from,
      planned: plannedOrAbsent(shown, source.path),
      ...deployedRules(shown, source.path),
      settings: [...guardSettings(shown), ...changedOptions(shown)],
      ...(found.from === "service" &&
        expected !== undefined && {
          isExpectedInForce: expected === rulesDigest(found.rules),
        }),
    },
  };
  const left = operation === "replace" ? recordedEnvironment(shown) : undefined;
  if (!left || left.id === found.place?.id) return [becomes];
  const was = await inForceAt(left, shown, source);
  return [
    becomes,
    {
      place: was.place,
      isPlaceNew: false,
      rules: {
        name,
        operation: "delete",
        ...(was.place && { environment: was.place.words }),
        isReviewed: false,
        inForce: was.rules,
        inForceFrom: was.from,
        planned: [],
        settings: [],
      },
    },
  ];
}

/**
 * The rules that the stack's last deployment put in force, by the state: without
 * those that somebody else wrote and a refresh has seen.
 */
function deployedRules(
  shown: PreviewedResource,
  path: string,
): Pick<PlannedRules, "deployed"> {
  const { ruleIds = {}, seenRuleIds = ruleIds } = (shown.before?.outputs ??
    {}) as Record<string, Readonly<Record<string, unknown>> | undefined>;
  try {
    const deployed = recordedRules(shown, path).filter(
      ({ name }) => ruleIds[name] === seenRuleIds[name],
    );
    return { deployed };
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
}

/**
 * The rules in force in the environment of a rule set, read from the service if
 * possible, otherwise from the state.
 */
async function inForceAt(
  environment: PreviewedEnvironment,
  shown: PreviewedResource,
  { live, path }: PlanSource,
): Promise<{
  readonly place?: EnvironmentPlace;
  readonly rules: readonly Rule[];
  readonly from: PlannedRules["inForceFrom"];
}> {
  // An environment that does not exist yet has no rules.
  if (environment === "not known yet")
    return { rules: [], from: live ? "service" : "state" };
  const id = environment === "default" ? undefined : environment.id;
  const all = await live?.environments();
  const found =
    id === undefined
      ? await live?.environment(undefined)
      : all?.find((one) => one.id === id);
  if (live && found)
    return {
      place: placeOf(found),
      rules: await live.of(found.id),
      from: "service",
    };
  const isRecorded = id !== undefined && recordedEnvironment(shown)?.id === id;
  return {
    ...(id !== undefined && { place: { id, words: id } }),
    rules: isRecorded ? recordedRules(shown, path) : [],
    from: "state",
  };
}

function plannedOrAbsent(
  shown: PreviewedResource,
  path: string,
): PlannedRules["planned"] {
  try {
    return plannedRules(shown, path);
  } catch (error) {
    if (error instanceof UsageError) return { absent: error.message };
    throw error;
  }
}

/**
 * Decides which rule set the file describes: the one that the user named, the
 * only one, the one in the named environment, or the one with the same rules.
 */
function reviewedOf(
  shown: readonly PreviewedResource[],
  placed: readonly (readonly [PlacedRuleSet, ...PlacedRuleSet[]])[],
  { path, resource, environment, proposed }: PlanSource,
): PlacedRuleSet | undefined {
  const sets = placed.map(([becomes]) => becomes);
  const isOf = ({ place }: PlacedRuleSet) =>
    environment === undefined || place === undefined
      ? undefined
      : place.id === environment.id;
  if (resource !== undefined) {
    const named = sets[shown.indexOf(pickRuleSet(shown, path, resource))];
    if (named && isOf(named) === false)
      throw new UsageError(
        `The rule set "${named.rules.name}" in the preview ${path} is of ${named.place?.words}, and --environment names ${environment?.words}.`,
      );
    return named;
  }
  if (sets.length === 0) return undefined;
  const possible = sets.filter((set) => isOf(set) !== false);
  const certain = possible.filter(isOf);
  const best = certain.length > 0 ? certain : possible;
  if (best.length === 1) return best[0];
  const same = proposed
    ? best.filter(({ rules: { planned } }) => isSame(planned, proposed))
    : [];
  if (same.length === 1) return same[0];
  throw new UsageError(
    best.length === 0
      ? `The preview ${path} shows no filtering rule set of ${environment?.words}; it shows ${listed(shown)}. pulumi preview --json --show-sames shows those that stay as they are, too.`
      : `The preview ${path} shows several filtering rule sets; say with --resource which one the file is: ${listed(shown)}.`,
  );
}

const isSame = (planned: PlannedRules["planned"], proposed: readonly Rule[]) =>
  !("absent" in planned) && rulesDigest(planned) === rulesDigest(proposed);
