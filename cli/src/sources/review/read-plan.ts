import {
  FailedPreviewError,
  ownerOf,
  readPreview,
  settingsOfProvider,
  type Preview,
  type PreviewedResource,
} from "@devid/pulumi/state";
import { rulesDigest, type Rule } from "@devid/rules";
import type { Absent, PlannedRules, PlanSubject } from "@devid/review";
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
import { changedOptions, guardSettings } from "./guards";
import { plannedResources } from "./planned-resources";
import type { ReviewRequest } from "./review-flags";
import {
  keyVariable,
  type ProviderWorkspaces,
  type Workspace,
} from "./provider-workspaces";

/** A deployment that is reviewed together with a rule file. */
export interface PlanSource extends Pick<ReviewRequest, "resource" | "stack"> {
  readonly text: string;
  readonly path: string;
  /** The environment of the file's rules, if the user named one. */
  readonly environment?: EnvironmentPlace;
  /** The rules of the file; absent if they are not valid. */
  readonly proposed?: readonly Rule[];
  /** Without a management key, the rules in force are read from the state. */
  readonly workspaces: ProviderWorkspaces;
}

/** A deployment, and the rule sets that past events judge. */
export interface PlanUnderReview {
  readonly subject: PlanSubject;
  /**
   * The rule sets whose changes are judged by past events, those that the file
   * describes first. Their `rules` are members of `subject`.
   */
  readonly judged: readonly PlacedRuleSet[];
}

/** A rule set of a deployment, with its environment. */
export interface PlacedRuleSet {
  readonly rules: PlannedRules;
  /** The environment; absent if it is unknown. */
  readonly place?: EnvironmentPlace;
  /** Whether the deployment creates that environment. */
  readonly isPlaceNew: boolean;
  readonly workspace: Workspace;
}

/**
 * Finds out what a deployment does to every filtering rule set, and which of
 * them the file describes; absent if the preview failed or is incomplete.
 * @throws UsageError if the preview is of another stack, or shows no rule set of the
 * named environment or name; the errors of the client
 */
export async function readPlan(
  source: PlanSource,
): Promise<PlanUnderReview | Absent> {
  const { path } = source;
  const preview = readOrAbsent(source);
  if ("absent" in preview) return preview;
  const { stack } = preview;
  if (stack === undefined)
    return { absent: `the preview ${path} shows no resource at all` };
  refuseOtherStack(stack, source);
  const shownSets = ruleSetsOf(preview);
  const placed = await Promise.all(
    shownSets.map((shown) => placedRuleSets(shown, preview, source)),
  );
  const reviewed = new Set(reviewedOf(shownSets, placed, source));
  const left = new Set(
    placed.flatMap(([becomes, ...left]) =>
      reviewed.has(becomes) ? left.map(({ rules }) => rules) : [],
    ),
  );
  const ruleSets = placed
    .flat()
    .map((each) =>
      reviewed.has(each)
        ? { ...each, rules: { ...each.rules, isReviewed: true } }
        : each,
    );
  // If the user names rule sets, all others have reviews of their own, except those that a
  // named one leaves behind.
  const isNamed = source.resource !== undefined;
  const [described, others] = [true, false].map((isReviewed) =>
    ruleSets.filter(({ rules }) => rules.isReviewed === isReviewed),
  );
  return {
    subject: {
      name: path,
      stack,
      ruleSets: ruleSets.map(({ rules }) => rules),
      ...(isNamed && { onlyReviewed: true }),
      others: plannedResources(preview),
    },
    judged: [
      ...[...(described ?? [])].sort(byMain),
      ...(others ?? [])
        .filter(({ rules }) => !isNamed || left.has(rules))
        .filter(changesRules),
    ],
  };
}

/** Rule sets of the main workspace come first. */
const byMain = (a: PlacedRuleSet, b: PlacedRuleSet) =>
  Number(b.workspace.isMain) - Number(a.workspace.isMain);

/** Whether the rules in force change, or may change. */
function changesRules({
  rules: { operation, inForce, planned },
}: PlacedRuleSet): boolean {
  if (operation === "same") return false;
  if ("absent" in inForce || "absent" in planned) return true;
  return rulesDigest(inForce) !== rulesDigest(planned);
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

/**
 * A rule set of the preview. If it moves to another environment, the rule set
 * that it leaves behind follows as a deleted one.
 */
async function placedRuleSets(
  shown: PreviewedResource,
  preview: Preview,
  source: PlanSource,
): Promise<readonly [PlacedRuleSet, ...PlacedRuleSet[]]> {
  const { name, operation } = shown;
  const settings = settingsOfProvider(shown, preview);
  const workspace = source.workspaces.of(settings);
  const placed = (
    { place, rules: inForce, from: inForceFrom }: InForce,
    rules: Pick<PlannedRules, "operation" | "planned" | "settings">,
  ): PlacedRuleSet => {
    const environment = workspace.isMain
      ? place?.words
      : `${place?.words ?? "an environment"} in region ${workspace.region}`;
    return {
      ...{ workspace, place, isPlaceNew: false },
      rules: {
        ...{ name, isReviewed: false, inForce, inForceFrom },
        ...(environment !== undefined && { environment }),
        ...rules,
      },
    };
  };
  const environment = previewedEnvironment(shown);
  const found = await inForceAt(environment, shown, source, workspace);
  const becomes = placed(found, {
    operation,
    planned: plannedOrAbsent(shown, source.path),
    settings: [...guardSettings(shown), ...changedOptions(shown)],
    ...isExpected(shown, found),
  });
  const made = { ...becomes, isPlaceNew: environment === "not known yet" };
  const left = operation === "replace" ? recordedEnvironment(shown) : undefined;
  if (!left || left.id === found.place?.id) return [made];
  const was = await inForceAt(left, shown, source, workspace);
  return [
    made,
    placed(was, { operation: "delete", planned: [], settings: [] }),
  ];
}

/** Whether the rules in force are those that the guard `expectedInForce` expects. */
function isExpected(
  { after }: PreviewedResource,
  { rules, from }: InForce,
): Pick<PlannedRules, "isExpectedInForce"> {
  const expected = after?.inputs.expectedInForce;
  if (from !== "service" || expected === undefined || "absent" in rules)
    return {};
  return { isExpectedInForce: expected === rulesDigest(rules) };
}

interface InForce {
  readonly place?: EnvironmentPlace;
  readonly rules: PlannedRules["inForce"];
  readonly from: PlannedRules["inForceFrom"];
}

/**
 * The rules in force in the environment of a rule set, read from the service if
 * possible, otherwise from the state. Absent if neither has them.
 */
async function inForceAt(
  environment: PreviewedEnvironment,
  shown: PreviewedResource,
  { path }: PlanSource,
  workspace: Workspace,
): Promise<InForce> {
  const live = await liveOf(shown, workspace);
  // An environment that does not exist yet has no rules.
  if (environment === "not known yet")
    return { rules: [], from: live ? "service" : "state" };
  const id = environment === "default" ? undefined : environment.id;
  const found =
    id === undefined
      ? await live?.environment(undefined)
      : (await live?.environments())?.find((one) => one.id === id);
  if (live && found) {
    const rules = await live.of(found.id);
    return { place: placeOf(found), rules, from: "service" };
  }
  const isRecorded = id !== undefined && recordedEnvironment(shown)?.id === id;
  return {
    ...(id !== undefined && { place: { id, words: id } }),
    rules: isRecorded
      ? recordedRules(shown, path)
      : { absent: whyNotJudged(workspace) },
    from: "state",
  };
}

/**
 * The rules in force of a provider's workspace. Undefined without a management key, and
 * if the key belongs to another workspace.
 */
async function liveOf(
  shown: PreviewedResource,
  { live }: Workspace,
): Promise<LiveRules | undefined> {
  const owner = ownerOf(shown);
  if (live === undefined || owner === undefined) return live;
  const all = await live.environments();
  return all.some(({ id }) => id === owner.workspace) ? live : undefined;
}

function whyNotJudged({ region, isMain, live }: Workspace): string {
  if (live !== undefined)
    return `cannot be judged: the management key of region ${region} belongs to another workspace`;
  const [inRegion, key] = isMain
    ? ["", "DEVID_MANAGEMENT_KEY"]
    : [` in region ${region}`, keyVariable("managementKey", region)];
  return `cannot be judged: which rules are in force${inRegion} is not known without a management key (${key})`;
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
 * Decides which rule sets the file describes: those that the user named, the only rule
 * set, the rule set of the named environment, or all rule sets with the same rules. If
 * no rule set has the rules of the file, the file is compared with every rule set that
 * changes.
 */
function reviewedOf(
  shown: readonly PreviewedResource[],
  placed: readonly (readonly [PlacedRuleSet, ...PlacedRuleSet[]])[],
  { path, resource, environment, proposed }: PlanSource,
): readonly PlacedRuleSet[] {
  const sets = placed.map(([becomes]) => becomes);
  const isOf = ({ place }: PlacedRuleSet) =>
    environment === undefined || place === undefined
      ? undefined
      : place.id === environment.id;
  if (resource !== undefined)
    return resource.flatMap((name) => {
      const named = sets[shown.indexOf(pickRuleSet(shown, path, name))];
      if (named && isOf(named) === false)
        throw new UsageError(
          `The rule set "${named.rules.name}" in the preview ${path} is of ${named.place?.words}, and --environment names ${environment?.words}.`,
        );
      return named ?? [];
    });
  if (sets.length === 0) return [];
  const possible = sets.filter((set) => isOf(set) !== false);
  if (possible.length === 0)
    throw new UsageError(
      `The preview ${path} shows no filtering rule set of ${environment?.words}; it shows ${listed(shown)}. pulumi preview --json --show-sames shows those that stay as they are, too.`,
    );
  const certain = possible.filter(isOf);
  const best = certain.length > 0 ? certain : possible;
  const choices = [
    best.filter(({ rules }) => proposed && isSame(rules.planned, proposed)),
    best.filter(({ rules }) => rules.operation !== "same"),
  ];
  return choices.find(({ length }) => length > 0) ?? best;
}

const isSame = (planned: PlannedRules["planned"], proposed: readonly Rule[]) =>
  !("absent" in planned) && rulesDigest(planned) === rulesDigest(proposed);
